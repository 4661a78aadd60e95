import type { Tables } from './tables.ts'

/** The tables of a database of which nothing is written, and whose schema is not changed: servers may have it open. */
export interface ReadTables {
  readonly tables: Pick<Tables, 'brands' | 'keyValues'>
  close(): void
}
