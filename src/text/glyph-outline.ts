import { mappedSink } from '../svg/read-path.ts'
import { type PathData, PathWriter, withoutClosingLines } from '../svg/write-path.ts'
import type { HarfBuzzFont } from './harfbuzz.ts'

/** The outline of a glyph on the grid of 1/1000 em, y down; undefined for a blank. A font's own y points up. */
export function glyphOutline(font: HarfBuzzFont, glyph: number): PathData | undefined {
  const writer = new PathWriter({ smoothWithin: 2, flatWithin: 0 })
  // Adding 0 turns a negative zero into a plain one.
  const sink = mappedSink(
    withoutClosingLines(writer),
    (x) => Math.round(x) + 0,
    (y) => 0 - Math.round(y),
  )
  font.draw(glyph, sink)
  return writer.finish()
}
