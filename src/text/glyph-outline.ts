import { mappedSink } from '../svg/read-path.ts'
import { type PathData, PathWriter, withoutClosingLines } from '../svg/write-path.ts'
import type { HarfBuzzFont } from './harfbuzz.ts'

/** The outline of a glyph on the grid of 1/1000 em, y down; undefined for a blank. A font's own y points up. */
export function glyphOutline(font: HarfBuzzFont, glyph: number): PathData | undefined {
  const writer = new PathWriter({ smoothWithin: 2, flatWithin: 0 })
  font.draw(glyph, mappedSink(withoutClosingLines(writer), across, down))
  return writer.finish()
}

/** Adding 0 turns a negative zero into a plain one. */
function across(x: number): number {
  return Math.round(x) + 0
}

function down(y: number): number {
  return 0 - Math.round(y)
}
