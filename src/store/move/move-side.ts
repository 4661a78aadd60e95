import type { MoveNote } from './move-marks.ts'
import type { CatalogColumn, MovedRow, MovedTable, RowRange } from './moved-table.ts'

/** One of the two databases of a move. */
export interface MoveSide {
  /** For messages: without user and password. */
  readonly name: string
  /** The columns of every table. */
  catalog(): Promise<readonly CatalogColumn[]>
  /** A value of this installation or of a move; undefined without one. */
  fact(name: string): Promise<string | undefined>
  rows(table: MovedTable, range: RowRange): Promise<readonly MovedRow[]>
  /** Keys of the next rows in `range`, each with `bytes`: how many its files have. Empty where one batch has them all. */
  nextKeys(table: MovedTable, range: RowRange): Promise<readonly MovedRow[]>
  digest(table: MovedTable, range: RowRange): Promise<RowDigest>
  /** The number of rows, and sums by the names of their columns, as text. */
  totals(table: MovedTable): Promise<Readonly<Record<string, string>>>
  /** The highest number that the database has given to a row of the table; 0 before the first. */
  lastNumber(table: MovedTable): Promise<number>
  close(): Promise<void>
}

export interface MoveSource extends MoveSide {
  /** Makes sure that nobody writes to it until it is closed. Rejects if somebody does. */
  freeze(tables: readonly MovedTable[]): Promise<void>
  /** Notes where everything is now, so that no server starts on this database again. Only while it is frozen. */
  noteMovedTo(name: string, atMs: number): Promise<void>
  /** Takes that note back. */
  reopen(): Promise<void>
}

export interface MoveTarget extends MoveSide {
  /**
   * Takes the database for this move, or goes on with an earlier one of the same installation. Rejects if it has anything
   * of another. From now until `finish` no server starts on it, and its rules are suspended, so that rows can come in any
   * order.
   */
  begin(note: Omit<MoveNote, 'suspended'>, tables: readonly MovedTable[]): Promise<void>
  isEmpty(table: MovedTable): Promise<boolean>
  /** Rows whose key is there already are left out. */
  insert(table: MovedTable, rows: readonly MovedRow[]): Promise<void>
  remove(table: MovedTable, range: RowRange): Promise<void>
  /** Brings the rules back and lets servers start. Rejects, and lets none start, if the rows break a rule. */
  finish(tables: readonly MovedTable[], lastNumbers: ReadonlyMap<string, number>): Promise<void>
}

/** Rows that have the same digest in both databases are the same. */
export interface RowDigest {
  readonly rows: number
  readonly sha256: string
}

/** Whether the move begins, goes on, or was finished before. */
export type TargetState = 'new' | 'resumed' | 'finished'
