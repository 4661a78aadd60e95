import { type Break, breaksOf } from './breaks.ts'
import { type FontFile, fontFileFor } from './coverage/lookup.ts'
import { baseDirection } from './direction.ts'
import type { WordItem } from './item-list.ts'
import type { Itemizer } from './itemize.ts'
import { lineHeightFactor } from './line-height.ts'
import { missingAdvance } from './missing-box.ts'
import type { Family, FitRequest } from './types.ts'
import type { Shaper, Word, WordStore } from './word-store.ts'

export type Paragraph = ReturnType<typeof createParagraph>

/** Of everything that no font draws. */
export const ownAdvances = { emoji: 1180, missing: missingAdvance, hidden: 0 } as const

const boldWeightMin = 600

/** Fonts whose letters join or stack: letter spacing would tear them apart. */
const connected = /noto-sans-(?!jp|sc|tc|kr|armenian|georgian|cherokee|ethiopic|hebrew|symbols|math)/

/**
 * A text that is measured but not yet broken: nothing depends on size or width. Lengths in 1/1000 em.
 * @param context the whole text when that of the request is its beginning with an ellipsis.
 */
export function createParagraph(words: WordStore, itemizer: Itemizer, request: FitRequest, context?: string) {
  const { text, style, lang, leading = 1.1, direction = baseDirection(text) } = request
  const { items, graphemeEnds } = itemizer({ text, family: style.family, lang, direction, context })
  const shaperOf = createShapers(words, request)
  const ownShaper = shaperOf(ownFile(style.family), 0)
  const spaceAdvance = ownShaper(' ', 0, 1).advance
  const shapedWords: (Word | undefined)[] = []
  const advances = new Float64Array(text.length + 1)
  let pen = 0

  for (const item of items) {
    const { start, end } = item
    if (item.kind === 'word') {
      const word = shaperOf(item.file, item.level)(text.slice(start, end), 0, end - start)
      const { stops } = word
      for (let at = start; at < end; at++) advances[at + 1] = pen + (stops[at - start] ?? 0)
      pen += word.advance
      shapedWords.push(word)
    } else {
      pen += item.kind === 'space' ? spaceAdvance : ownAdvances[item.kind]
      advances.fill(pen, start + 1, end + 1)
      shapedWords.push(undefined)
    }
  }

  return {
    text,
    direction,
    items,
    /** What is drawn of each item; undefined of what has no letters. */
    words: shapedWords,
    /** Undefined when every UTF-16 unit is a grapheme. */
    graphemeEnds,
    /** Advance of everything before each offset. */
    advances,
    breaks:
      graphemeEnds === undefined ? breaksOf(text, lang) : atGraphemes(breaksOf(text, lang), graphemeEnds),
    /** As a multiple of the size. */
    lineHeight: Math.max(leading, lineHeightFactor(text)),
    hyphen: ownShaper('-', 0, 1),
    /** Whether words that must be torn show a hyphen. */
    hyphenates: style.family !== 'mono',
    /** Shapes the part of a word that stands alone on one line. */
    slice: ({ start: from, end: to, file, level }: WordItem, start: number, end: number): Word =>
      shaperOf(file, level)(text.slice(from, to), start - from, end - from),
  }
}

/** The font of spaces, hyphens and ellipses. */
export function ownFile(family: Family): FontFile {
  const file = fontFileFor(family, ' '.charCodeAt(0))
  if (file === undefined) throw new Error(`${family} has no space`)
  return file
}

/** The file of a face for a weight. */
export function weightedFile(file: FontFile, weight: number): FontFile {
  return weight >= boldWeightMin && file.bold !== undefined ? file.bold : file
}

function createShapers(words: WordStore, request: FitRequest) {
  const { style } = request
  const lang = shapingLanguage(request.lang)
  const variation = { weight: wholeHundreds(style.weight), opticalSize: opticalSizeOf(request) }
  const tracking = Math.round(style.trackingUnits ?? 0)
  const shapers = { ltr: new Map<FontFile, Shaper>(), rtl: new Map<FontFile, Shaper>() }
  return (file: FontFile, level: number): Shaper => {
    const direction = level % 2 === 1 ? 'rtl' : 'ltr'
    const cached = shapers[direction].get(file)
    if (cached !== undefined) return cached
    const trackingUnits = connected.test(file.packageName) ? 0 : tracking
    const shaper = words.shaper({
      file: weightedFile(file, style.weight),
      variation,
      trackingUnits,
      direction,
      lang,
    })
    shapers[direction].set(file, shaper)
    return shaper
  }
}

function atGraphemes(breaks: readonly Break[], graphemeEnds: readonly number[]): readonly Break[] {
  if (graphemeEnds.length === graphemeEnds.at(-1)) return breaks
  const ends = new Set(graphemeEnds)
  return breaks.filter(({ offset }) => ends.has(offset))
}

/** From this size on, serifs take their finer shapes. */
const displaySizePx = 40

/** Inter keeps its text shapes at every size: letter spacing makes them titles. */
function opticalSizeOf({ style, sizesPx }: FitRequest): number {
  return style.family.startsWith('serif') && Math.max(...sizesPx) >= displaySizePx ? 72 : 14
}

/** Fonts are instanced at whole hundreds, so that a handful of them serves every style. */
function wholeHundreds(weight: number): number {
  return Math.min(900, Math.max(100, Math.round(weight / 100) * 100)) || 400
}

/** The part of a language tag that fonts know forms for; English has none, so it shares words with no language. */
function shapingLanguage(lang: string | undefined): string {
  const primary = lang?.match(/^[a-z]{2,3}(?=-|$)/i)?.[0].toLowerCase() ?? ''
  return primary === 'en' ? '' : primary
}
