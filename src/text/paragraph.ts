import { brandFaceOf } from './brand-fonts/brand-font.ts'
import { penalties, poorPenalty } from './break-penalties.ts'
import { type Break, breaksOf } from './breaks.ts'
import { baseDirection } from './direction.ts'
import { guessLanguage, syllableStarts } from './hyphenation.ts'
import { type Item, ownAdvances, type WordItem } from './item-list.ts'
import type { Itemized } from './itemize.ts'
import { type MarkSpacing, markSpacing, type Spaced, spaceAdvance } from './spacing.ts'
import { hyphenFile, type StyleFonts } from './style-fonts.ts'
import type { Direction, FitRequest } from './types.ts'
import type { Word } from './word-store.ts'

/** Between the parts of identifiers and addresses. */
const partPenalties: readonly number[] = [penalties.separator, penalties.camelCase]

/** A text that is measured but not yet broken: nothing depends on size or width. Lengths in 1/1000 em. */
export class Paragraph {
  readonly text: string
  readonly direction: Direction
  readonly items: readonly Item[]
  /** The drawn form of each item; undefined for an item without letters. */
  readonly words: (Word | undefined)[]
  readonly isLeftToRight: boolean
  /** Items of code, the marks around it too; undefined where there is none. */
  readonly code: ReadonlySet<number> | undefined
  /** Undefined for plain texts, which have no full-width marks. */
  readonly marks: MarkSpacing | undefined
  /** Undefined when every UTF-16 unit is a grapheme. */
  readonly graphemeEnds: readonly number[] | undefined
  /** Advance of everything before each offset. */
  readonly advances: Float64Array
  /** Line height as a multiple of the size. */
  readonly lineHeight: number
  private readonly spaced: Spaced
  private readonly lang: string | undefined
  private knownBreaks: readonly Break[] | undefined = undefined

  constructor(styleFonts: StyleFonts, { items, graphemeEnds }: Itemized, request: FitRequest) {
    const { text, style, lang, leading = 1.1, direction = baseDirection(text, lang) } = request
    const { family } = style
    const brand = style.font && brandFaceOf(style.font)
    this.text = text
    this.direction = direction
    this.items = items
    this.graphemeEnds = graphemeEnds
    this.advances = new Float64Array(text.length + 1)
    const factor = plain.test(text) ? undefined : factors.find(([script]) => script.test(text))?.[1]
    this.lineHeight = Math.max(leading, factor ?? 1.05)
    this.words = new Array<Word | undefined>(items.length)
    this.spaced = { text, items, family, brand, fontOf: styleFonts(request) }
    this.lang = lang
    this.isLeftToRight = items.every(({ level }) => level === 0)
    this.code = request.hasCode === true && text.includes('`') ? codeItems(items) : undefined
    this.marks = graphemeEnds && markSpacing(this.spaced)
    this.measure()
  }

  /** Found on demand, because a text of one line needs none. */
  breaks(): readonly Break[] {
    this.knownBreaks ??= this.outOfCode(atGraphemes(breaksOf(this.text, this.lang), this.graphemeEnds))
    return this.knownBreaks
  }

  /** Code stays together where a smaller size can do that. */
  private outOfCode(breaks: readonly Break[]): readonly Break[] {
    if (this.code === undefined) return breaks
    const marks = this.items.filter(({ kind }) => kind === 'mark').map(({ start }) => start)
    return breaks.map((other) => {
      const isInside = marks.filter((mark) => mark < other.offset).length % 2 === 1
      return isInside ? { ...other, penalty: Math.max(other.penalty, penalties.bound) } : other
    })
  }

  /** Breaks inside words wider than a line: between parts of identifiers, at syllables in languages whose patterns we have. */
  breaksInWords(widthMax: number): readonly Break[] {
    const outer = this.breaks().filter(({ penalty }) => penalty < poorPenalty)
    const found: Break[] = []
    let start = 0
    for (const end of [...outer.map(({ offset }) => offset), this.text.length]) {
      if ((this.advances[end] ?? 0) - (this.advances[start] ?? 0) > widthMax)
        found.push(...this.breaksInWord(start, end))
      start = end
    }
    return atGraphemes(found, this.graphemeEnds)
  }

  private breaksInWord(start: number, end: number): readonly Break[] {
    const parts = this.breaks().filter(
      ({ offset, penalty }) => offset > start && offset < end && partPenalties.includes(penalty),
    )
    if (parts.length > 0) return parts
    const found: Break[] = []
    const lang = this.lang ?? guessLanguage(this.text)
    for (const { 0: word, index } of this.text.slice(start, end).matchAll(/\p{L}{12,}/gu))
      for (const at of syllableStarts(word, lang))
        found.push({ offset: start + index + at, penalty: penalties.longWord, hyphen: true })
    return found
  }

  hyphen(): Word {
    const { family, brand, fontOf } = this.spaced
    return fontOf(hyphenFile(family, brand), 0).word('-', 0, 1)
  }

  /** Shapes the part of a word that stands alone on one line. */
  slice({ start: from, end: to, file, level }: WordItem, start: number, end: number): Word {
    return this.spaced.fontOf(file, level).part(this.text.slice(from, to), start - from, end - from)
  }

  /** Shapes all words, and sums the advances. */
  private measure(): void {
    const { items, words, text, spaced, marks, advances } = this
    let pen = 0
    for (let index = 0; index < items.length; index++) {
      const item = items[index]
      if (item === undefined) break
      const { start, end } = item
      if (item.kind === 'word') {
        const word = spaced.fontOf(item.file, item.level).word(text, start, end)
        const { stops, advance } = word
        words[index] = word
        if (marks !== undefined) pen += marks.add(index, item, word)
        for (let at = start; at < end; at++) advances[at + 1] = pen + (stops[at - start] ?? 0)
        pen += advance
      } else {
        pen += item.kind === 'space' ? spaceAdvance(spaced, index) : ownAdvances[item.kind]
        for (let at = start; at < end; at++) advances[at + 1] = pen
      }
    }
  }
}

function codeItems(items: readonly Item[]): ReadonlySet<number> {
  const code = new Set<number>()
  let isInCode = false
  for (const [index, { kind }] of items.entries()) {
    if (isInCode || kind === 'mark') code.add(index)
    if (kind === 'mark') isInCode = !isInCode
  }
  return code
}

function atGraphemes(
  breaks: readonly Break[],
  graphemeEnds: readonly number[] | undefined,
): readonly Break[] {
  if (graphemeEnds === undefined || graphemeEnds.length === graphemeEnds.at(-1)) return breaks
  const ends = new Set(graphemeEnds)
  return breaks.filter(({ offset }) => ends.has(offset))
}

/** Line height of the tallest script as a multiple of the size. Whole blocks, because engines disagree on new letters. */
const factors: readonly (readonly [RegExp, number])[] = [
  [/[\u0F00-\u109F\u1780-\u17FF\u1B00-\u1B7F\uA980-\uA9FF\uAA60-\uAA7F]/, 1.62],
  [
    /[\u0600-\u07FF\u0870-\u08FF\u0E00-\u0EFF\uFB50-\uFDFF\uFE70-\uFEFE\u{11100}-\u{1114F}\u{1E900}-\u{1E95F}]/u,
    1.42,
  ],
  [/[\u0900-\u0DFF\u1800-\u18AF\u1B80-\u1BBF\uABC0-\uABFF\uAAE0-\uAAFF]/, 1.34],
  [/[\u2E80-\u9FFF\uAC00-\uD7FF\uF900-\uFAFF\u{20000}-\u{3FFFF}]/u, 1.24],
  [/[\u0590-\u05FF\u1200-\u137F]/u, 1.2],
]
const plain = /^[\u0020-\u052F\u1E00-\u1FFF\u2000-\u2BFF]*$/
