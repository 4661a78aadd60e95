import { assignments, type Columns, columnsOf, selectList } from './columns.ts'
import type { Database } from './database.ts'
import type { DatabaseValue, Operation } from './operation.ts'
import { statementsOf } from './statements.ts'

/** A key pair without its secret, which follows from the master key, the id and the version. */
export interface KeyRow {
  readonly id: string
  readonly name: string
  readonly createdAtMs: number
  /** Changes with every change of the row, so that a decision made on an older row is noticed. */
  readonly revision: number
  /** Which secret signs now. */
  readonly version: number
  /** Until when the version before it is accepted as well. */
  readonly previousUntilMs: number | null
  readonly revokedAtMs: number | null
  /** The operator's limit for this key. Null if the default quota applies. */
  readonly dailyQuota: number | null
  /** Until when the key has no limit; null if it has one. */
  readonly unlimitedUntilMs: number | null
  /** When the key ends by itself; null if it does not. */
  readonly expiresAtMs: number | null
}

/** A key, with the generation of all keys at that moment: while it is the same, none of them has changed. */
export interface KeyReading extends KeyRow {
  readonly generation: number
}

type NewKey = Pick<KeyRow, 'id' | 'name' | 'createdAtMs'> &
  Partial<Pick<KeyRow, 'dailyQuota' | 'expiresAtMs'>>
type KeyChange = Partial<
  Pick<KeyRow, 'name' | 'revokedAtMs' | 'dailyQuota' | 'unlimitedUntilMs' | 'expiresAtMs'>
>

/** Key pairs. What is written survives a power cut: nobody can ask for a lost key again. */
export interface KeyTable {
  find(id: string): Operation<KeyRow | undefined>
  read(id: string): Operation<KeyReading | undefined>
  insert(key: NewKey): Operation<KeyRow>
  /** Returns the changed row; undefined if there is no such key. */
  update(id: string, change: KeyChange): Operation<KeyRow | undefined>
  /** The next version signs from now on; the present one is accepted until then. */
  rotate(id: string, previousUntilMs: number): Operation<KeyRow | undefined>
  /** How many keys were ever inserted. Rows are never deleted, so the last row number says it without counting. */
  issued(): Operation<number>
}

export const keyColumns: Columns<KeyRow> = columnsOf(
  'id name createdAtMs revision version previousUntilMs revokedAtMs dailyQuota unlimitedUntilMs expiresAtMs',
)

/** @param onChange called when a key was changed, which may be within a transaction */
export function createKeyTable(database: Database, onChange: () => void): KeyTable {
  const { one, number } = statementsOf(database)
  const durable = statementsOf(database, true)
  const row = selectList(keyColumns)
  const insert = durable.one<DatabaseValue[], KeyRow>(
    `insert into keys (id, name, created_at_ms, daily_quota, expires_at_ms) values (?, ?, ?, ?, ?) returning ${row}`,
  )
  const rotate = durable.one<DatabaseValue[], KeyRow>(
    `update keys set version = version + 1, previous_until_ms = ?, revision = revision + 1
     where id = ? returning ${row}`,
  )
  function noted(change: Operation<KeyRow | undefined>): Operation<KeyRow | undefined> {
    return change.as((key) => {
      onChange()
      return key
    })
  }

  return {
    find: one(`select ${row} from keys where id = ?`),
    read: one(
      `select ${row}, (select generation from generations where name = 'keys') as generation from keys where id = ?`,
    ),
    insert: ({ id, name, createdAtMs, dailyQuota = null, expiresAtMs = null }) =>
      insert(id, name, createdAtMs, dailyQuota, expiresAtMs).as((key) => {
        if (key === undefined) throw new Error('The key was not stored.')
        return key
      }),
    update(id, change) {
      const { sql, values } = assignments(keyColumns, change)
      const update = `update keys set ${sql}, revision = revision + 1 where id = ? returning ${row}`
      return noted(durable.one<DatabaseValue[], KeyRow>(update)(...values, id))
    },
    rotate: (id, previousUntilMs) => noted(rotate(previousUntilMs, id)),
    issued: number(`select max(${database.texts.rowNumber}) as number from keys`),
  }
}
