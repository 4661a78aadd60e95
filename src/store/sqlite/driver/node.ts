import { DatabaseSync } from 'node:sqlite'
import type { DatabaseValue } from '../../database.ts'
import type { Driver, DriverOptions } from './driver.ts'

export function openDriver(path: string, { readOnly = false }: DriverOptions = {}): Driver {
  const database = new DatabaseSync(path, { readOnly, enableForeignKeyConstraints: true })
  return {
    prepare<Row>(sql: string) {
      const statement = database.prepare(sql)
      return {
        get: (...values: DatabaseValue[]) => statement.get(...values) as Row | undefined,
        all: (...values: DatabaseValue[]) => statement.all(...values) as Row[],
        run: (...values: DatabaseValue[]) => statement.run(...values),
      }
    },
    iterate: <Row>(sql: string) => database.prepare(sql).iterate() as IterableIterator<Row>,
    exec: (sql) => database.exec(sql),
    isInTransaction: () => database.isTransaction,
    close() {
      if (database.isOpen) database.close()
    },
  }
}
