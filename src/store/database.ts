import type { Placeholder, Query, SQL } from 'drizzle-orm'
import type {
  QueryBuilder,
  SQLiteDeleteBase,
  SQLiteInsertBuilder,
  SQLiteTable,
  SQLiteUpdateBuilder,
} from 'drizzle-orm/sqlite-core'
import type { keys } from './schema.ts'

export interface Database {
  readonly builders: Builders
  prepare(sql: string): void
  /** Called with what makes and prepares each query, which otherwise happens at its first use. */
  readonly onQuery?: (prepareNow: () => void) => void
  readonly execute: Execute
  /** Runs the work as one: nothing was written when this rejects, with a `StoreError` or with what the work throws. */
  transaction<T>(work: () => Executable<T>, options?: TransactionOptions): Promise<T>
  readonly texts: DialectTexts
}

export interface TransactionOptions {
  readonly durable?: boolean
  /** Names such as `payer 0x…`: transactions that share one run one after the other, as all do in SQLite. */
  readonly locks?: readonly string[]
}

/** Later than every time in ms: where a list without a cursor begins. An integer, so that every database compares it so. */
export const lastMs = 9_000_000_000_000_000

/** Drizzle's builders for one dialect. Their types are SQLite's, which has all types of the schema. */
export interface Builders {
  readonly select: QueryBuilder['select']
  insert<Table extends SQLiteTable>(table: Table): SQLiteInsertBuilder<Table, 'sync', void>
  update<Table extends SQLiteTable>(table: Table): SQLiteUpdateBuilder<Table, 'sync', void>
  remove<Table extends SQLiteTable>(table: Table): SQLiteDeleteBase<Table, 'sync', void>
  /** A statement that no builder can say. `Row` is the row that it returns. */
  raw<Row>(text: SQL<Row>): BuiltQuery & { readonly _: { readonly result: readonly Row[] } }
  /** The table, searched by one index where the database takes such hints. */
  indexed<Table extends SQLiteTable>(table: Table, index: string): Table
  /** The column that counts the rows of `keys` and `charges` as they were inserted. */
  readonly rowNumber: SQL<number>
}

export interface BuiltQuery {
  toSQL(): Query
}

/** Queries that differ between databases. All others are written once, beside their table. */
export interface DialectTexts {
  searchKeys(
    of: Places<'text' | 'limit'>,
  ): BuiltQuery & { readonly _: { readonly result: (typeof keys.$inferSelect)[] } }
  searchTerm(text: string): string
  addTraffic(of: Places<'day' | 'endpoint' | 'auth' | 'status' | 'count'>): SQL
  foldTraffic(of: Places<'upToDay'>): SQL
}

type Places<Name extends string> = Readonly<Record<Name, SQL & Placeholder>>

/** The processes that share the database: which of them live, and what one of them does for all. */
export interface Peers {
  /** Others tell the process's reservations from those of processes that ended by this name. */
  readonly ownName: string
  isGone(name: string): Promise<boolean>
  /** True while a process of an older version shares the database. Of SQLite's processes no versions are known. */
  hasOlder(): Promise<boolean>
  /** Runs the work unless another process is at it, and resolves with whether it ran. A dead process is noticed in seconds. */
  alone(work: string, run: () => Promise<void>): Promise<boolean>
}

export type DatabaseValue = null | number | string | Uint8Array

export interface BoundStatement {
  /** Its parameters are `?`, or `?1`, `?2` where one is used twice. */
  readonly sql: string
  readonly values: readonly DatabaseValue[]
  /** The rows, or the number of rows that the statement changed. */
  readonly wants: 'rows' | 'count'
  /** It has to survive a power cut by itself. Within a transaction, the transaction decides. */
  readonly isDurable: boolean
}

export interface StatementResult {
  readonly rows: readonly unknown[]
  readonly count: number
}

/** One statement, which does nothing until it is awaited or a transaction asks for it by `yield*`. */
export interface Operation<T> extends PromiseLike<T> {
  readonly statement: BoundStatement
  readonly read: (result: StatementResult) => T
  [Symbol.iterator](): Steps<T>
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

export interface Executable<T> {
  [Symbol.iterator](): Steps<T>
}

type Execute = (statement: BoundStatement) => Promise<StatementResult>

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
