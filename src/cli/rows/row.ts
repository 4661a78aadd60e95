import type { RowPlace } from './input-error.ts'

/** One row of input: what to call with which parameters, and whatever else its writer keeps there. */
export interface Row extends RowPlace {
  /** Text by the name of its column; a list where a value was given several times. */
  readonly fields: ReadonlyMap<string, RowValue>
  /** Columns that the row has without a value. */
  readonly emptyColumns: readonly string[]
  readonly isCsv: boolean
}

export type RowValue = string | readonly string[]

/** Most characters of a row: more than any URL may have. */
export const rowCharsMax = 64 * 1024
