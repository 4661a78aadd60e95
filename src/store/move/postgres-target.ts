import type { Connection } from '../postgres/connection.ts'
import { postgresStoreError } from '../postgres/store-errors.ts'
import { type MoveNote, moveMarks } from './move-marks.ts'
import type { MoveTarget } from './move-side.ts'
import { createMoveStatements, rowsAtOnce } from './move-statements.ts'
import { findTargetState } from './move-target-state.ts'
import type { MovedColumn, MovedRow, MovedTable } from './moved-table.ts'
import { createPostgresSide } from './postgres-side.ts'

/** Makes a target of a connection to a PostgreSQL database whose tables are up to date. */
export function createPostgresTarget(connection: Connection, name: string): MoveTarget {
  const side = createPostgresSide(connection, name)
  const { query } = side
  const texts = createMoveStatements('postgres')

  async function transaction(work: () => Promise<void>): Promise<void> {
    await query('begin')
    try {
      await work()
      await query('commit')
    } catch (error) {
      if (connection.isOpen()) await query('rollback')
      throw error
    }
  }

  async function suspendRules(tables: readonly MovedTable[]): Promise<readonly string[]> {
    const keys = await query<{ table: string; name: string; definition: string }>(foreignKeys)
    for (const key of keys) await query(`alter table ${key.table} drop constraint ${key.name}`)
    for (const table of tables) await query(`alter table ${table.name} disable trigger user`)
    return keys.map((key) => `alter table ${key.table} add constraint ${key.name} ${key.definition}`)
  }

  return {
    ...side,
    async begin(wanted, tables) {
      await transaction(async () => {
        await query(`set local lock_timeout = '10s'`)
        // A server that starts at this moment writes before this or finds the mark.
        await query('lock table facts in access exclusive mode')
        if ((await findTargetState(side, wanted, tables)) !== 'new') return
        const note: MoveNote = { ...wanted, suspended: await suspendRules(tables) }
        await query('insert into facts values (?, ?)', [moveMarks.unfinished, JSON.stringify(note)])
      })
    },
    async isEmpty(table) {
      const rows = await query(`select 1 from ${texts.from(table)} limit 1`)
      return rows.length === 0
    },
    async insert(table, rows) {
      if (rows.length === 0) return
      refuseNul(table, rows)
      // The last transaction of the move waits for the disk, and with it for all before it.
      const values = table.columns.map((column) => valuesOf(column, rows))
      await Promise.all([
        query('begin'),
        query('set local synchronous_commit = off'),
        connection.query(insertInto(table), values, batchTimeoutMs),
        query('commit'),
      ]).catch((error) => {
        throw postgresStoreError(error, name)
      })
    },
    async remove(table, range) {
      const { sql, values } = texts.remove(table, range)
      for (;;) {
        const [gone] = await query<{ rows: number }>(sql, values)
        if ((gone?.rows ?? 0) < rowsAtOnce) return
      }
    },
    async finish(tables, lastNumbers) {
      await transaction(async () => {
        const note = JSON.parse((await side.fact(moveMarks.unfinished)) ?? '{}') as MoveNote
        for (const rule of note.suspended) await query(rule)
        for (const table of tables) await query(`alter table ${table.name} enable trigger user`)
        for (const table of tables) await continueNumbers(table, lastNumbers.get(table.name) ?? 0)
        await query('update facts set name = ? where name = ?', [moveMarks.movedFrom, moveMarks.unfinished])
      })
      await query('analyze')
    },
  }

  async function continueNumbers(
    { name: table, numbered: [column] }: MovedTable,
    last: number,
  ): Promise<void> {
    if (column === undefined || last === 0) return
    await query(`select setval(pg_get_serial_sequence('${table}', '${column.name}'), ?)`, [last])
  }
}

const batchTimeoutMs = 600_000

const foreignKeys = `select keys.conrelid::regclass::text as "table", keys.conname as name,
    pg_get_constraintdef(keys.oid) as definition
  from pg_constraint as keys
  where keys.contype = 'f' and keys.connamespace = current_schema()::regnamespace`

/** One parameter for each column: an array with the values of all rows. */
function insertInto({ name, columns }: MovedTable): string {
  const names = columns.map((column) => column.name).join(', ')
  const arrays = columns.map(({ postgresType }, index) => `$${index + 1}::${postgresType}[]`).join(', ')
  const shard = name === 'traffic_days' ? { column: ', shard', value: ", ''" } : { column: '', value: '' }
  return `insert into ${name} (${names}${shard.column}) overriding system value
    select ${names}${shard.value} from unnest(${arrays}) as moved (${names}) on conflict do nothing`
}

function valuesOf({ name }: MovedColumn, rows: readonly MovedRow[]) {
  return rows.map((row) => row[name] ?? null)
}

/** PostgreSQL would only say that a byte is invalid. */
function refuseNul({ name, key }: MovedTable, rows: readonly MovedRow[]): void {
  const row = rows.find((each) =>
    Object.values(each).some((value) => typeof value === 'string' && value.includes('\0')),
  )
  if (row === undefined) return
  const id = key.map((column) => row[column.name]).join(' ')
  throw new Error(
    `The row ${id} of ${name} has a text with the character NUL, which PostgreSQL cannot store.`,
  )
}
