import type { DatabaseValue } from '../../database.ts'

/** One connection to a SQLite file, without anything of ours. Errors are those of the runtime's driver. */
export interface Driver {
  prepare<Row>(sql: string): DriverStatement<Row>
  iterate<Row>(sql: string): IterableIterator<Row>
  exec(sql: string): void
  isInTransaction(): boolean
  /** Closes the file with all its statements. A second call does nothing. */
  close(): void
}

export interface DriverStatement<Row> {
  get(...values: DatabaseValue[]): Row | undefined
  all(...values: DatabaseValue[]): Row[]
  /** Returns how many rows changed, without those that triggers changed. */
  run(...values: DatabaseValue[]): { readonly changes: number | bigint }
}

export interface DriverOptions {
  readonly readOnly?: boolean
}
