/** Numbers in some tables that others depend on. */
export interface FontShape {
  readonly unitsPerEm: number
  readonly glyphs: number
  /** Whether `loca` has offsets of 4 bytes. */
  readonly hasLongOffsets: boolean
}
