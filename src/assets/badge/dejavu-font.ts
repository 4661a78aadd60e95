import { readFileSync } from 'node:fs'
import { packageFile } from '../../lib/package-files.ts'
import { harfbuzzFile, readFontFileSync } from '../../text/font-files.ts'
import { createHarfBuzz, type HarfBuzzFont } from '../../text/harfbuzz.ts'
import type { BadgeFont } from './widths/font.ts'

/** An outline in 1/1000 em, y down, and its advance width. */
export interface DrawnLetter {
  readonly d: string
  readonly advance: number
}

/** DejaVu Sans is the free relative of Verdana, with nearly the same widths. The package's files by weight. */
const files = { regular: 'ttf/DejaVuSans.ttf', bold: 'ttf/DejaVuSans-Bold.ttf' }

/** Text as outlines of DejaVu Sans. */
export interface DejaVu {
  /** In visual order; undefined when the font lacks a character. */
  letters(text: string, font: BadgeFont): readonly DrawnLetter[] | undefined
}

/** Two fonts of 750 kB, each read at its first use. */
export function createDejaVu(): DejaVu {
  const harfbuzz = createHarfBuzz(readFontFileSync(harfbuzzFile))
  const fonts = new Map<string, HarfBuzzFont>()

  function load(file: string): HarfBuzzFont {
    const loaded =
      fonts.get(file) ?? harfbuzz.createFace(readFileSync(packageFile('dejavu-fonts-ttf', file))).font({})
    fonts.set(file, loaded)
    return loaded
  }

  return {
    letters(text, fontName) {
      const font = load(fontName.includes('bold') ? files.bold : files.regular)
      const request = {
        text,
        start: 0,
        end: text.length,
        direction: 'ltr',
        lang: '',
        separate: true,
      } as const
      const glyphs = font.shape(request)
      if (glyphs.some(({ id }) => id === 0)) return undefined
      return glyphs.map(({ id, xAdvance, xOffset, yOffset }) => ({
        d: outline(font, id, xOffset, yOffset),
        advance: xAdvance,
      }))
    },
  }
}

/** Path data of a glyph. The y axis points up in HarfBuzz and down in SVG. */
function outline(font: HarfBuzzFont, glyph: number, dx: number, dy: number): string {
  let d = ''
  function at(x: number, y: number) {
    return `${round(x + dx)} ${round(-y - dy)}`
  }
  font.draw(glyph, {
    moveTo: (x, y) => {
      d += `M${at(x, y)}`
    },
    lineTo: (x, y) => {
      d += `L${at(x, y)}`
    },
    quadraticTo: (cx, cy, x, y) => {
      d += `Q${at(cx, cy)} ${at(x, y)}`
    },
    cubicTo: (ax, ay, bx, by, x, y) => {
      d += `C${at(ax, ay)} ${at(bx, by)} ${at(x, y)}`
    },
    close: () => {
      d += 'Z'
    },
  })
  return d
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}
