import type { Driver } from '../sqlite/driver/driver.ts'
import { asStoreError } from '../store-error.ts'
import type { MoveSide } from './move-side.ts'
import { createMoveStatements, type MoveStatement } from './move-statements.ts'
import type { CatalogColumn, MovedRow } from './moved-table.ts'
import { digestOf } from './row-digest.ts'

/** How a move reads a SQLite database, whether it is the source or the target. */
export interface SqliteSide extends MoveSide {
  readonly database: Driver
  run(statement: MoveStatement): void
  /** Runs what stands between these as one. */
  transaction(work: () => void): void
}

export function createSqliteSide(database: Driver, path: string): SqliteSide {
  const texts = createMoveStatements('sqlite')

  function guarded<T>(work: () => T): T {
    try {
      return work()
    } catch (error) {
      throw asStoreError(error, { path, setting: 'the database to move' })
    }
  }

  function all<Row>({ sql, values }: MoveStatement): readonly Row[] {
    return guarded(() => database.prepare<Row>(sql).all(...values))
  }

  function numberOf(sql: string, ...values: string[]): number {
    return all<{ number: number | null }>({ sql, values })[0]?.number ?? 0
  }

  return {
    name: `sqlite:${path}`,
    database,
    run: ({ sql, values }) => void guarded(() => database.prepare(sql).run(...values)),
    transaction(work) {
      guarded(() => database.exec('begin immediate'))
      try {
        work()
        guarded(() => database.exec('commit'))
      } catch (error) {
        if (database.isInTransaction()) database.exec('rollback')
        throw error
      }
    },
    catalog: async () => all<CatalogColumn>({ sql: catalog, values: [] }),
    fact: async (name) =>
      all<{ value: string }>({ sql: 'select value from facts where name = ?', values: [name] })[0]?.value,
    rows: async (table, range) => all<MovedRow>(texts.rows(table, range)),
    nextKeys: async (table, range) => all<MovedRow>(texts.nextKeys(table, range)),
    digest: async (table, range) => digestOf(table.columns, all<MovedRow>(texts.rows(table, range))),
    totals: async (table) => all<Record<string, string>>({ sql: texts.totals(table), values: [] })[0] ?? {},
    async lastNumber({ name, numbered: [column] }) {
      if (column === undefined) return 0
      const highest = numberOf(`select max(${column.sqliteName}) as number from ${name}`)
      if (column.sqliteName === 'rowid') return highest
      return Math.max(highest, numberOf('select seq as number from sqlite_sequence where name = ?', name))
    },
    close: async () => database.close(),
  }
}

const catalog = `select tables.name as "table", columns.name as "column", columns.pk as "keyPosition", '' as "type",
    false as "isNumbered"
  from sqlite_schema as tables join pragma_table_info(tables.name) as columns
  where tables.type = 'table' order by tables.name, columns.cid`
