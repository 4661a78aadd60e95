import { brandFaceOf } from './brand-fonts/brand-face.ts'
import { type Break, breaksOf } from './breaks.ts'
import { baseDirection } from './direction.ts'
import type { Item, WordItem } from './item-list.ts'
import type { Itemizer } from './itemize.ts'
import { lineHeightFactor } from './line-height.ts'
import { createMarkSpacing, type MarkSpacing, noMarkSpacing } from './mark-spacing.ts'
import { ownAdvances } from './own-advances.ts'
import { hyphenFile } from './own-files.ts'
import { type Spaced, spaceAdvance } from './spacing.ts'
import type { StyleFonts } from './style-fonts.ts'
import type { Direction, FitRequest } from './types.ts'
import type { Word } from './word-store.ts'

/** A text that is measured but not yet broken: nothing depends on size or width. Lengths in 1/1000 em. */
export class Paragraph {
  readonly text: string
  readonly direction: Direction
  readonly items: readonly Item[]
  /** What is drawn of each item; undefined of what has no letters. */
  readonly words: (Word | undefined)[]
  /** Items stand in the order of the text. */
  readonly isLeftToRight: boolean
  /** What full-width marks and kana do to the room around them. */
  readonly marks: MarkSpacing
  /** Undefined when every UTF-16 unit is a grapheme. */
  readonly graphemeEnds: readonly number[] | undefined
  /** Advance of everything before each offset. */
  readonly advances: Float64Array
  /** As a multiple of the size. */
  readonly lineHeight: number
  private readonly spaced: Spaced
  private readonly lang: string | undefined
  private knownBreaks: readonly Break[] | undefined = undefined

  /** @param context the whole text when that of the request is its beginning with an ellipsis. */
  constructor(styleFonts: StyleFonts, itemizer: Itemizer, request: FitRequest, context?: string) {
    const { text, style, lang, leading = 1.1, direction = baseDirection(text) } = request
    const { family } = style
    const brand = style.font && brandFaceOf(style.font)
    const { items, graphemeEnds } = itemizer({ text, family, lang, direction, brand, context })
    this.text = text
    this.direction = direction
    this.items = items
    this.words = new Array<Word | undefined>(items.length)
    this.graphemeEnds = graphemeEnds
    this.advances = new Float64Array(text.length + 1)
    this.lineHeight = Math.max(leading, lineHeightFactor(text))
    this.spaced = { text, items, family, brand, fontOf: styleFonts(request) }
    this.lang = lang
    this.marks = graphemeEnds === undefined ? noMarkSpacing : createMarkSpacing(this.spaced)
    this.isLeftToRight = this.measure()
  }

  /** Looked for when somebody asks: a text of one line needs none. */
  breaks(): readonly Break[] {
    this.knownBreaks ??= atGraphemes(breaksOf(this.text, this.lang), this.graphemeEnds)
    return this.knownBreaks
  }

  hyphen(): Word {
    const { family, brand, fontOf } = this.spaced
    return fontOf(hyphenFile(family, brand), 0).shaper.word('-', 0, 1)
  }

  /** Whether words that must be torn show a hyphen. */
  hyphenates(): boolean {
    return this.spaced.family !== 'mono'
  }

  /** Shapes the part of a word that stands alone on one line. */
  slice({ start: from, end: to, file, level }: WordItem, start: number, end: number): Word {
    return this.spaced.fontOf(file, level).shaper.part(this.text.slice(from, to), start - from, end - from)
  }

  /** Shapes the words and sums the advances. Returns whether the items stand in the order of the text. */
  private measure(): boolean {
    const { text, items, words, marks, advances, spaced } = this
    const { fontOf } = spaced
    let pen = 0
    let isLeftToRight = true
    for (let index = 0; index < items.length; index++) {
      const item = items[index]
      if (item === undefined) break
      const { start, end } = item
      if (item.level !== 0) isLeftToRight = false
      if (item.kind === 'word') {
        const word = fontOf(item.file, item.level).shaper.word(text, start, end)
        if (marks !== noMarkSpacing) pen += marks.add(index, text.slice(start, end), word)
        const { stops } = word
        for (let at = start; at < end; at++) advances[at + 1] = pen + (stops[at - start] ?? 0)
        pen += word.advance
        words[index] = word
      } else {
        pen += item.kind === 'space' ? spaceAdvance(spaced, index) : ownAdvances[item.kind]
        for (let at = start; at < end; at++) advances[at + 1] = pen
      }
    }
    return isLeftToRight
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
