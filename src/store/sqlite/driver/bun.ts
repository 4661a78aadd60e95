import { Database } from 'bun:sqlite'
import type { DatabaseValue } from '../../database.ts'
import type { Driver, DriverOptions } from './driver.ts'

export function openDriver(path: string, { readOnly = false }: DriverOptions = {}): Driver {
  const database = new Database(path, readOnly ? { readonly: true } : { readwrite: true, create: true })
  database.exec('pragma foreign_keys = on')
  return {
    prepare<Row>(sql: string) {
      const statement = database.prepare<Row, DatabaseValue[]>(sql)
      return {
        get: (...values: DatabaseValue[]) => statement.get(...values) ?? undefined,
        all: (...values: DatabaseValue[]) => statement.all(...values),
        run: (...values: DatabaseValue[]) => statement.run(...values),
      }
    },
    iterate: <Row>(sql: string) => database.prepare<Row, []>(sql).iterate(),
    exec: (sql) => void database.exec(sql),
    isInTransaction: () => database.inTransaction,
    // Without `true`, statements that are not collected yet keep the file open, with its journal and its locks.
    close: () => database.close(true),
  }
}
