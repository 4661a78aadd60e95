import { setImmediate } from 'node:timers/promises'
import { pathString } from '../../svg/write-path.ts'
import { readFontFile } from '../../text/font-files.ts'
import { glyphOutline } from '../../text/glyph-outline.ts'
import { type HarfBuzzFont, loadHarfBuzz } from '../../text/harfbuzz.ts'
import type { Direction } from '../../text/types.ts'

/** DejaVu Sans is the free relative of Verdana, with nearly the same widths. The package's files by weight. */
const files = { regular: 'ttf/DejaVuSans.ttf', bold: 'ttf/DejaVuSans-Bold.ttf' }

const plainLine = { start: 0, lang: '', separate: true } as const

export type DejaVu = Awaited<ReturnType<typeof createDejaVu>>

/**
 * Returns what draws text as outlines of DejaVu Sans: letters in visual order, in 1/1000 em, their path data y down and
 * empty for a blank; undefined when the font lacks a character. Loads two fonts of 750 kB.
 */
export async function createDejaVu() {
  const harfbuzz = await loadHarfBuzz()
  const fonts = { regular: await load(files.regular), bold: await load(files.bold) }

  async function load(file: string): Promise<HarfBuzzFont> {
    const bytes = await readFontFile({ packageName: 'dejavu-fonts-ttf', file })
    const font = harfbuzz.createFace(bytes).font({})
    // A font makes its tables when it shapes the first letter.
    await setImmediate()
    font.shape({ ...plainLine, text: 'A', direction: 'ltr', end: 1 })
    await setImmediate()
    return font
  }

  return (text: string, weight: keyof typeof files, direction: Direction = 'ltr') => {
    const font = fonts[weight]
    const glyphs = font.shape({ ...plainLine, text, direction, end: text.length })
    if (glyphs.some(({ id }) => id === 0)) return undefined
    return glyphs.map(({ id, xAdvance: advance, xOffset, yOffset }) => {
      const outline = glyphOutline(font, id)
      return { d: outline === undefined ? '' : pathString(outline), advance, xOffset, yOffset }
    })
  }
}
