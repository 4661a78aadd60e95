/** A value that can be bound to a parameter. */
export type DatabaseValue = null | number | string | Uint8Array

/** A statement with its values. */
export interface BoundStatement {
  /** Its parameters are `?`, or `?1`, `?2` where one is used twice. */
  readonly sql: string
  readonly values: readonly DatabaseValue[]
  /** Whether the rows are asked for, or how many rows the statement changed. */
  readonly wants: 'rows' | 'count'
  /** Whether it has to survive a power cut by itself. Within a transaction, the transaction decides. */
  readonly isDurable: boolean
}

/** The database's answer: the rows, or how many rows changed. */
export interface StatementResult {
  readonly rows: readonly unknown[]
  readonly count: number
}

/**
 * One statement that is executed when it is awaited, or where a transaction asks for it by `yield*`. It does nothing
 * until then.
 */
export interface Operation<T> extends PromiseLike<T> {
  readonly statement: BoundStatement
  /** Makes the value of what the database answered. */
  readonly read: (result: StatementResult) => T
  [Symbol.iterator](): Steps<T>
  /** Like the operation itself, with its value changed by `change`. */
  as<Value>(change: (value: T) => Value): Operation<Value>
}

/**
 * Operations one after the other, written as a generator: `const payment = yield* payments.byId(id)`. A database that
 * answers at once runs them to their end in one turn, so that nothing else slips in between.
 */
export interface Steps<T> extends Generator<Operation<unknown>, T, unknown> {
  /** Never there. It makes `await` of steps, which would do nothing, a mistake that the type check finds. */
  then?(instead: 'yield* within store.transaction(function* () { … })'): never
}

/** An input of a transaction: steps, or an operation by itself. */
export interface Executable<T> {
  [Symbol.iterator](): Steps<T>
}

/** Executes single statements. */
export type Execute = (statement: BoundStatement) => Promise<StatementResult>

export function createOperation<T>(
  statement: BoundStatement,
  read: (result: StatementResult) => T,
  execute: Execute,
): Operation<T> {
  return {
    statement,
    read,
    // biome-ignore lint/suspicious/noThenProperty: awaited alone, it is a statement of its own.
    then: (onValue, onError) => execute(statement).then(read).then(onValue, onError),
    *[Symbol.iterator]() {
      return (yield this) as T
    },
    as: (change) => createOperation(statement, (result) => change(read(result)), execute),
  }
}
