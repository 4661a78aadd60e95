import { brandFaceOf } from './brand-fonts/brand-face.ts'
import { type Break, breaksOf } from './breaks.ts'
import { baseDirection } from './direction.ts'
import type { WordItem } from './item-list.ts'
import type { Itemizer } from './itemize.ts'
import { lineHeightFactor } from './line-height.ts'
import { createMarkSpacing, noMarkSpacing } from './mark-spacing.ts'
import { ownAdvances } from './own-advances.ts'
import { hyphenFile } from './own-files.ts'
import { spaceAdvance } from './spacing.ts'
import type { StyleFonts } from './style-fonts.ts'
import type { FitRequest } from './types.ts'
import type { Word } from './word-store.ts'

export type Paragraph = ReturnType<typeof createParagraph>

/**
 * A text that is measured but not yet broken: nothing depends on size or width. Lengths in 1/1000 em.
 * @param context the whole text when that of the request is its beginning with an ellipsis.
 */
export function createParagraph(
  styleFonts: StyleFonts,
  itemizer: Itemizer,
  request: FitRequest,
  context?: string,
) {
  const { text, style, lang, leading = 1.1, direction = baseDirection(text) } = request
  const brand = style.font && brandFaceOf(style.font)
  const { items, graphemeEnds } = itemizer({ text, family: style.family, lang, direction, brand, context })
  const fontOf = styleFonts(request)
  const spaced = { text, items, family: style.family, brand, fontOf }
  const shapedWords = new Array<Word | undefined>(items.length)
  const advances = new Float64Array(text.length + 1)
  let pen = 0
  let isLeftToRight = true
  let breaks: readonly Break[] | undefined
  const marks = graphemeEnds === undefined ? noMarkSpacing : createMarkSpacing(spaced)

  for (let index = 0; index < items.length; index++) {
    const item = items[index]
    if (item === undefined) break
    const { start, end } = item
    if (item.level !== 0) isLeftToRight = false
    if (item.kind === 'word') {
      const letters = text.slice(start, end)
      const word = fontOf(item.file, item.level).shape(letters, 0, end - start)
      if (marks !== noMarkSpacing) pen += marks.add(index, letters, word)
      const { stops } = word
      for (let at = start; at < end; at++) advances[at + 1] = pen + (stops[at - start] ?? 0)
      pen += word.advance
      shapedWords[index] = word
    } else {
      pen += item.kind === 'space' ? spaceAdvance(spaced, index) : ownAdvances[item.kind]
      for (let at = start; at < end; at++) advances[at + 1] = pen
    }
  }

  return {
    text,
    direction,
    items,
    /** Items stand in the order of the text. */
    isLeftToRight,
    /** What is drawn of each item; undefined of what has no letters. */
    words: shapedWords,
    /** What full-width marks and kana do to the room around them. */
    marks,
    /** Undefined when every UTF-16 unit is a grapheme. */
    graphemeEnds,
    /** Advance of everything before each offset. */
    advances,
    /** Looked for when somebody asks: a text of one line needs none. */
    breaks(): readonly Break[] {
      breaks ??= atGraphemes(breaksOf(text, lang), graphemeEnds)
      return breaks
    },
    /** As a multiple of the size. */
    lineHeight: Math.max(leading, lineHeightFactor(text)),
    hyphen: fontOf(hyphenFile(style.family, brand), 0).shape('-', 0, 1),
    /** Whether words that must be torn show a hyphen. */
    hyphenates: style.family !== 'mono',
    /** Shapes the part of a word that stands alone on one line. */
    slice: ({ start: from, end: to, file, level }: WordItem, start: number, end: number): Word =>
      fontOf(file, level).shape(text.slice(from, to), start - from, end - from),
  }
}

function atGraphemes(
  breaks: readonly Break[],
  graphemeEnds: readonly number[] | undefined,
): readonly Break[] {
  if (graphemeEnds === undefined || graphemeEnds.length === graphemeEnds.at(-1)) return breaks
  const ends = new Set(graphemeEnds)
  return breaks.filter(({ offset }) => ends.has(offset))
}
