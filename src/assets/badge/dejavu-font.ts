import { readFileSync } from 'node:fs'
import { packageFile } from '../../lib/package-files.ts'
import { pathString } from '../../svg/path-data.ts'
import { harfbuzzFile, readFontFileSync } from '../../text/font-files.ts'
import { glyphOutline } from '../../text/glyph-outline.ts'
import { createHarfBuzz, type HarfBuzzFont } from '../../text/harfbuzz.ts'
import type { Direction } from '../../text/types.ts'

/** DejaVu Sans is the free relative of Verdana, with nearly the same widths. The package's files by weight. */
const files = { regular: 'ttf/DejaVuSans.ttf', bold: 'ttf/DejaVuSans-Bold.ttf' }

const plainLine = { start: 0, lang: '', separate: true } as const

export type DejaVu = ReturnType<typeof createDejaVu>

/**
 * Returns what draws text as outlines of DejaVu Sans: letters in visual order, in 1/1000 em, their path data y down and
 * empty for a blank; undefined when the font lacks a character. Two fonts of 750 kB, each read at its first use.
 */
export function createDejaVu() {
  const harfbuzz = createHarfBuzz(readFontFileSync(harfbuzzFile))
  const fonts = new Map<string, HarfBuzzFont>()

  function load(file: string): HarfBuzzFont {
    const loaded =
      fonts.get(file) ?? harfbuzz.createFace(readFileSync(packageFile('dejavu-fonts-ttf', file))).font({})
    fonts.set(file, loaded)
    return loaded
  }

  return (text: string, weight: keyof typeof files, direction: Direction = 'ltr') => {
    const font = load(files[weight])
    const glyphs = font.shape({ ...plainLine, text, direction, end: text.length })
    if (glyphs.some(({ id }) => id === 0)) return undefined
    return glyphs.map(({ id, xAdvance: advance, xOffset, yOffset }) => {
      const outline = glyphOutline(font, id)
      return { d: outline === undefined ? '' : pathString(outline), advance, xOffset, yOffset }
    })
  }
}
