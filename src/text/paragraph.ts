import { brandFaceOf } from './brand-fonts/brand-face.ts'
import { type Break, breaksOf } from './breaks.ts'
import { baseDirection } from './direction.ts'
import type { Item, WordItem } from './item-list.ts'
import type { Itemized } from './itemize.ts'
import { lineHeightFactor } from './line-height.ts'
import { createMarkSpacing, type MarkSpacing, noMarkSpacing } from './mark-spacing.ts'
import { ownAdvances } from './own-advances.ts'
import { hyphenFile } from './own-files.ts'
import { type Spaced, spaceAdvance } from './spacing.ts'
import { missingFont, type Steps } from './steps.ts'
import type { StyleFonts } from './style-fonts.ts'
import type { Direction, FitRequest } from './types.ts'
import type { Word } from './word-store.ts'

/** How many words are shaped in one step at most. */
const wordsPerStep = 16

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

  constructor(styleFonts: StyleFonts, { items, graphemeEnds }: Itemized, request: FitRequest) {
    const { text, style, lang, leading = 1.1, direction = baseDirection(text) } = request
    const { family } = style
    const brand = style.font && brandFaceOf(style.font)
    this.text = text
    this.direction = direction
    this.items = items
    this.words = new Array<Word | undefined>(items.length)
    this.graphemeEnds = graphemeEnds
    this.advances = new Float64Array(text.length + 1)
    this.lineHeight = Math.max(leading, lineHeightFactor(text))
    this.spaced = { text, items, family, brand, fontOf: styleFonts(request) }
    this.lang = lang
    this.isLeftToRight = items.every(isLeftToRight)
    this.marks = graphemeEnds === undefined ? noMarkSpacing : createMarkSpacing(this.spaced)
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

  /** Shapes the words and sums the advances: has to be done first. */
  *measure(): Steps<void> {
    const { text, items, words, spaced } = this
    let pen = 0
    let fresh = 0
    for (let index = 0; index < items.length; index++) {
      const item = items[index]
      if (item === undefined) break
      if (item.kind === 'word') {
        const { shaper } = spaced.fontOf(item.file, item.level)
        let word = shaper.cached(text, item.start, item.end)
        if (word === undefined) {
          if (++fresh % wordsPerStep === 0) yield
          word = yield* shaper.wordSteps(text, item.start, item.end)
        }
        words[index] = word
      }
      try {
        pen = this.place(item, index, pen)
      } catch (error) {
        // A gap is measured in a font that no word has.
        yield missingFont(error)
        index--
      }
    }
  }

  /** Places an item behind the others. Returns where it ends. */
  private place(item: Item, index: number, start: number): number {
    const { text, marks, advances, spaced, words } = this
    const word = words[index]
    if (word === undefined) {
      const kind = item.kind === 'word' ? 'missing' : item.kind
      const end = start + (kind === 'space' ? spaceAdvance(spaced, index) : ownAdvances[kind])
      advances.fill(end, item.start + 1, item.end + 1)
      return end
    }
    const letters = marks === noMarkSpacing ? '' : text.slice(item.start, item.end)
    const from = start + (marks === noMarkSpacing ? 0 : marks.add(index, letters, word))
    const { stops } = word
    for (let at = item.start; at < item.end; at++) advances[at + 1] = from + (stops[at - item.start] ?? 0)
    return from + word.advance
  }
}

function isLeftToRight({ level }: Item): boolean {
  return level === 0
}

function atGraphemes(
  breaks: readonly Break[],
  graphemeEnds: readonly number[] | undefined,
): readonly Break[] {
  if (graphemeEnds === undefined || graphemeEnds.length === graphemeEnds.at(-1)) return breaks
  const ends = new Set(graphemeEnds)
  return breaks.filter(({ offset }) => ends.has(offset))
}
