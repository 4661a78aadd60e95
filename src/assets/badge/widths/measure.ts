import { baseDirection } from '../../../text/direction.ts'
import { graphemesOf } from '../../../text/graphemes.ts'
import type { Direction } from '../../../text/types.ts'
import { type BadgeFont, type FontWidths, fontWidths } from './font.ts'
import { clusterEm, isWide } from './script-widths.ts'

export interface Measure {
  readonly widthPx: number
  /** False when a character's width was estimated: then `textLength` must not stretch the text. */
  readonly exact: boolean
  readonly direction: Direction
}

export type MeasureText = typeof measureText

const letterM = 0x6d
const mark = /^[\p{Mn}\p{Me}\p{Cf}]$/u
const rightToLeft = /[\p{Script=Arabic}\p{Script=Hebrew}\u200F]/u
/** Emoji sequences and right-to-left forms: their width is not the sum of their code points. */
const needsClusters =
  /[\u200D\uFE0F\u20E3\p{Emoji_Modifier}\p{Regional_Indicator}\u200F\uFB1D-\uFDFF\uFE70-\uFEFC]/u

/**
 * The advance of one line of text. Equal to badge-maker's, to the last bit, for every character that it measures; with
 * `emojiWidth`, also for emoji, which it guesses.
 */
export function measureText(text: string, font: BadgeFont, emojiWidth?: 'shields'): Measure {
  const widths = fontWidths(font)
  const widthPx =
    asciiWidth(text, widths) ??
    (needsClusters.test(text) ? undefined : sumOf(text, widths)) ??
    (emojiWidth && guessedWidth(text, widths))
  if (widthPx !== undefined) return { widthPx, exact: true, direction: 'ltr' }
  return { widthPx: estimatedWidth(text, widths), exact: false, direction: directionOf(text) }
}

function asciiWidth(text: string, { ascii }: FontWidths): number | undefined {
  let width = 0
  for (let index = 0; index < text.length; index++) {
    const advance = ascii[text.charCodeAt(index)]
    if (advance === undefined) return undefined
    width += advance
  }
  return width
}

/**
 * The sum over code points; `unmeasuredPx` stands for one that was never measured. Without it the sum is undefined then.
 */
function sumOf(text: string, widths: FontWidths, unmeasuredPx?: number): number | undefined {
  let width = 0
  for (const character of text) {
    const advance =
      widths.of(character.codePointAt(0) ?? 0) ?? uniformWidth(character, widths) ?? unmeasuredPx
    if (advance === undefined) return undefined
    width += advance
  }
  return width
}

const emojiPart = /^[\p{Extended_Pictographic}\p{Emoji_Component}]$/u

/** badge-maker takes every code point of an emoji that it did not measure for an `m`. Undefined for other such text. */
function guessedWidth(text: string, { of, ascii }: FontWidths): number | undefined {
  let width = 0
  for (const character of text) {
    const advance =
      of(character.codePointAt(0) ?? 0) ??
      (emojiPart.test(character) || isWide(character) ? ascii[letterM] : undefined)
    if (advance === undefined || rightToLeft.test(character)) return undefined
    width += advance
  }
  return width
}

/** Marks have no width; em-wide scripts get badge-maker's guess, the width of an `m`. */
function uniformWidth(character: string, widths: FontWidths): number | undefined {
  if (isWide(character)) return widths.ascii[letterM]
  return mark.test(character) ? 0 : undefined
}

/** Characters that occur in clusters of several code points. */
const combining = /[\p{M}\p{Join_Control}\p{Emoji_Modifier}\p{Regional_Indicator}\u1100-\u11FF]/u

function estimatedWidth(text: string, widths: FontWidths): number {
  let width = 0
  for (const cluster of combining.test(text) ? graphemesOf(text) : text) {
    const em = clusterEm(cluster)
    width += em === undefined ? (sumOf(cluster, widths, widths.ascii[letterM]) ?? 0) : em * widths.sizePx
  }
  return width
}

/** Whether the width of a character is known, or that of a picture, which no font of letters decides. */
export function isSettled(character: string, font: BadgeFont): boolean {
  const isKnown = fontWidths(font).of(character.codePointAt(0) ?? 0) !== undefined
  return isKnown || isWide(character) || emojiPart.test(character)
}

export function isMark(character: string): boolean {
  return mark.test(character)
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
