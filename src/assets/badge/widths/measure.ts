import { readFileSync } from 'node:fs'
import { memo } from '../../../lib/memo.ts'
import { packageFile } from '../../../lib/package-files.ts'
import { baseDirection } from '../../../text/direction.ts'
import { graphemesOf } from '../../../text/graphemes.ts'
import type { Direction } from '../../../text/types.ts'
import scriptWidths from './script-widths.json' with { type: 'json' }

export interface Measure {
  readonly widthPx: number
  /** False when a character's width was estimated: then `textLength` must not stretch the text. */
  readonly exact: boolean
  readonly direction: Direction
}

export type MeasureText = typeof measureText

const letterM = 0x6d
export const mark = /^[\p{Mn}\p{Me}\p{Cf}]$/u
const rightToLeft = /[\p{Script=Arabic}\p{Script=Hebrew}\u200F]/u
/** Emoji sequences and right-to-left forms: their width is not the sum of their code points. */
const needsClusters =
  /[\u200D\uFE0F\u20E3\p{Emoji_Modifier}\p{Regional_Indicator}\u200F\uFB1D-\uFDFF\uFE70-\uFEFC]/u

/** The advance of a line, to the last bit that of badge-maker for every character that it measures; with `emojiWidth` also of emoji. */
export function measureText(text: string, font: BadgeFont, emojiWidth?: 'shields'): Measure {
  const widths = fontWidths(font)
  const widthPx =
    (needsClusters.test(text) ? undefined : sumOf(text, widths, (each) => uniformWidth(each, widths))) ??
    (emojiWidth && guessedWidth(text, widths))
  if (widthPx !== undefined) return { widthPx, exact: true, direction: 'ltr' }
  return { widthPx: estimatedWidth(text, widths), exact: false, direction: directionOf(text) }
}

/** The sum over code points, with a guess for those that were never measured; undefined where there is none. */
function sumOf(text: string, { of }: FontWidths, guess: (character: string) => number | undefined) {
  let width = 0
  for (const character of text) {
    const advance = of(character.codePointAt(0) ?? 0) ?? guess(character)
    if (advance === undefined) return undefined
    width += advance
  }
  return width
}

const emojiPart = /^[\p{Extended_Pictographic}\p{Emoji_Component}]$/u

/** badge-maker takes every code point of an emoji that it did not measure for an `m`. Undefined for other such text. */
function guessedWidth(text: string, widths: FontWidths): number | undefined {
  if (rightToLeft.test(text)) return undefined
  return sumOf(text, widths, (each) =>
    emojiPart.test(each) || wide.test(each) ? widths.of(letterM) : undefined,
  )
}

/** Marks have no width; em-wide scripts get badge-maker's guess, the width of an `m`. */
function uniformWidth(character: string, widths: FontWidths): number | undefined {
  if (wide.test(character)) return widths.of(letterM)
  return mark.test(character) ? 0 : undefined
}

const combining = /[\p{M}\p{Join_Control}\p{Emoji_Modifier}\p{Regional_Indicator}\u1100-\u11FF]/u

function estimatedWidth(text: string, widths: FontWidths): number {
  const guess = (character: string) => uniformWidth(character, widths) ?? widths.of(letterM)
  let width = 0
  for (const cluster of combining.test(text) ? graphemesOf(text) : text) {
    const em = clusterEm(cluster)
    width += em === undefined ? (sumOf(cluster, widths, guess) ?? 0) : em * widths.sizePx
  }
  return width
}

/** The width of a character is known, or that of a picture, which no font of letters decides. */
export function isSettled(character: string, font: BadgeFont): boolean {
  const isKnown = fontWidths(font).of(character.codePointAt(0) ?? 0) !== undefined
  return isKnown || wide.test(character) || emojiPart.test(character)
}

const firstStrong = /[\p{L}\u200E\u200F\u2066-\u2069]/u
const plainLeftToRight =
  /[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Devanagari}\p{Script=Thai}]/u

/** The base direction; a fast path for the common scripts. */
function directionOf(text: string): Direction {
  const letter = firstStrong.exec(text)?.[0]
  if (letter === undefined || plainLeftToRight.test(letter)) return 'ltr'
  return rightToLeft.test(letter) ? 'rtl' : baseDirection(text)
}

/** Scripts that badge-maker's table lacks: the mean advance of a grapheme cluster in em, in Noto Sans, by the block of its first code point. */
const blocks = scriptWidths.map(({ from, to, em }) => ({
  first: Number.parseInt(from, 16),
  last: Number.parseInt(to, 16),
  em,
}))

/** Scripts whose characters all fill the em square; badge-maker measured Han only. */
const wide = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}]/u
const emoji = /^(?:\p{Emoji_Presentation}|\p{Emoji}\uFE0F|[#*0-9]\uFE0F?\u20E3)/u
const emojiEm = 1.25

/** Advance of a grapheme cluster in em; undefined for scripts outside the table. */
function clusterEm(cluster: string): number | undefined {
  if (emoji.test(cluster)) return emojiEm
  const codePoint = cluster.codePointAt(0) ?? 0
  return blocks.find(({ first, last }) => codePoint >= first && codePoint <= last)?.em
}

/** The tables that badge-maker measures with, in `anafanafo`. */
const tables = {
  'verdana-11': 'verdana-11px-normal',
  'verdana-10': 'verdana-10px-normal',
  'verdana-10-bold': 'verdana-10px-bold',
  'helvetica-11-bold': 'helvetica-11px-bold',
}

export type BadgeFont = keyof typeof tables

type FontWidths = ReturnType<typeof fontWidths>

const unmeasured = 0xffff

/** The widths of a font; read at the first call (about 5 ms). */
export const fontWidths = memo((font: BadgeFont) => {
  const rows: readonly (readonly [first: number, last: number, widthPx: number])[] = JSON.parse(
    readFileSync(packageFile('anafanafo', `data/${tables[font]}.json`), 'utf8'),
  )
  const basic = new Uint16Array(0x10000).fill(unmeasured).fill(0, 0, 128)
  for (const [first, last, widthPx] of rows) basic.fill(Math.round(widthPx * 100), first, last + 1)
  // In planes 2 and up the wrong characters were measured.
  const beyond = rows.filter(([first]) => first >= 0x10000 && first < 0x20000)
  return {
    sizePx: font.includes('10') ? 10 : 11,
    /** Width of a code point in px; 0 for control characters, undefined for others that were not measured. */
    of(codePoint: number): number | undefined {
      if (codePoint >= 0x10000) return beyond.find(([from, to]) => codePoint >= from && codePoint <= to)?.[2]
      const hundredths = basic[codePoint]
      return hundredths === undefined || hundredths === unmeasured ? undefined : hundredths / 100
    },
  }
})
