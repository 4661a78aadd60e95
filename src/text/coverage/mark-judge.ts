import { Bounds, type Box } from '../../svg/bounds.ts'
import { glyphOutline } from '../glyph-outline.ts'
import type { HarfBuzzFont, ShapedGlyph } from '../harfbuzz.ts'

/** In 1/1000 em: how far a mark's centre may lie beside its letter. */
const tolerance = 60
/** Marks over or under two letters: their centre lies at the end of the first. */
const firstDouble = 0x35c
const lastDouble = 0x362

/** Fonts have marks that they place on some letters only: on the others the mark would stand beside the letter, or take room. */
export function createMarkJudge(font: HarfBuzzFont, marks: readonly number[]) {
  function shape(text: string): ShapedGlyph[] {
    return font.shape({ text, start: 0, end: text.length, direction: 'ltr', lang: '', separate: false })
  }
  const alone = new Map(
    marks.flatMap((mark) => shape(String.fromCodePoint(mark)).map((one) => [one.id, one])),
  )
  return (letter: number, mark: number): boolean => {
    const base = shape(String.fromCodePoint(letter))
    const both = shape(String.fromCodePoint(letter, mark))
    if (both.some(({ id }) => id === 0)) return false
    if (both.length <= base.length) return true
    if (Math.abs(advanceOf(both) - advanceOf(base)) > tolerance) return false
    const under = inkOf(font, base, 0)
    const over = inkOf(font, both.slice(base.length), advanceOf(both.slice(0, base.length)))
    const centre = (over.left + over.right) / 2
    const isDouble = mark >= firstDouble && mark <= lastDouble
    // A mark that is moved stands elsewhere than it would without a letter.
    const last = both.at(-1)
    const own = last && alone.get(last.id)
    const isMoved = own?.xOffset !== last?.xOffset || own?.yOffset !== last?.yOffset
    const room = isMoved ? tolerance : (under.left - under.right) / 5
    return centre > under.left - room && (isDouble || centre < under.right + room)
  }
}

function advanceOf(glyphs: readonly ShapedGlyph[]): number {
  return glyphs.reduce((sum, { xAdvance }) => sum + xAdvance, 0)
}

function inkOf(font: HarfBuzzFont, glyphs: readonly ShapedGlyph[], start: number): Box {
  const ink = new Bounds()
  let pen = start
  for (const { id, xAdvance, xOffset } of glyphs) {
    const outline = glyphOutline(font, id)
    if (outline !== undefined) ink.addBox(outline.ink, pen + xOffset)
    pen += xAdvance
  }
  return ink
}
