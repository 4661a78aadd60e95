import { Bounds } from '../svg/bounds.ts'
import type { PathData } from '../svg/write-path.ts'
import { visualOrder } from './direction.ts'
import { emojiSquare, type Item, missingAdvance, missingBox, ownAdvances } from './item-list.ts'
import type { LineRange } from './line-breaker.ts'
import type { Paragraph } from './paragraph.ts'
import { noMarkSpacing } from './spacing.ts'
import type { EmojiBox, OutlinedText } from './types.ts'

export type UnitLine = ReturnType<typeof buildLine>

interface Part {
  readonly advance: number
  readonly path?: PathData | undefined
  /** Name of the picture that stands in the place of a path. */
  readonly emoji?: string
  readonly gap?: number
  readonly isCode?: boolean | undefined
}

/** A line in visual order. Lengths in 1/1000 em; the pen starts so that no ink is left of 0. */
export function buildLine(paragraph: Paragraph, range: LineRange) {
  const pen = new LinePen()
  if (paragraph.isLeftToRight) eachPart(paragraph, range, pen)
  else for (const part of inVisualOrder(paragraph, range)) pen.add(part)
  const { inkLeft } = pen
  const { left, top, bottom } = pen.ink
  const right = pen.ink.right - left
  const { start, end } = range
  return {
    start,
    end,
    isHyphenated: range.hyphen,
    width: Math.max(pen.x - left, right),
    ink: { left: inkLeft === Infinity ? 0 : inkLeft - left, right, top, bottom },
    pieces: pen.piecesFrom(left),
    code: pen.code.map(({ start: from, end: to }) => ({ xUnits: from - left, widthUnits: to - from })),
  }
}

interface PartSink {
  add(part: Part, level: number): void
  skip(advance: number, level: number, isCode?: boolean): void
}

class LinePen {
  readonly ink = new Bounds()
  readonly code: { readonly start: number; end: number }[] = []
  x = 0
  /** Left edge of what is painted; infinite where nothing is. */
  inkLeft = Infinity
  private readonly pieces: (OutlinedText | EmojiBox)[] = []

  constructor() {
    this.ink.add(0, 0)
  }

  add({ emoji, path, advance, gap = 0, isCode }: Part): void {
    const xUnits = this.x + gap
    if (isCode) this.addCode(xUnits + advance)
    if (emoji !== undefined) {
      this.pieces.push({ kind: 'emoji', xUnits, name: emoji })
      this.ink.addBox(emojiSquare, xUnits)
      this.inkLeft = Math.min(this.inkLeft, xUnits + emojiSquare.left)
    } else if (path !== undefined) {
      this.pieces.push({ kind: 'outline', xUnits, path })
      this.ink.addBox(path.ink, xUnits)
      this.inkLeft = Math.min(this.inkLeft, xUnits + path.ink.left)
    }
    this.x = xUnits + advance
  }

  skip(advance: number, _level: number, isCode?: boolean): void {
    if (isCode) this.addCode(this.x + advance)
    this.x += advance
  }

  /** Parts of code side by side are one stretch. */
  private addCode(end: number): void {
    const last = this.code.at(-1)
    if (last?.end === this.x) last.end = end
    else this.code.push({ start: this.x, end })
  }

  /** With places that count from `left`. */
  piecesFrom(left: number): readonly (OutlinedText | EmojiBox)[] {
    return left === 0 ? this.pieces : this.pieces.map((piece) => ({ ...piece, xUnits: piece.xUnits - left }))
  }
}

function inVisualOrder(paragraph: Paragraph, range: LineRange): readonly Part[] {
  const parts: Part[] = []
  const levels: number[] = []
  eachPart(paragraph, range, {
    add(part, level) {
      parts.push(part)
      levels.push(level)
    },
    skip(advance, level, isCode) {
      parts.push({ advance, isCode })
      levels.push(level)
    },
  })
  return visualOrder(levels).flatMap((index) => parts[index] ?? [])
}

function eachPart(paragraph: Paragraph, { start, end, hyphen }: LineRange, sink: PartSink): void {
  const { items, words, marks, advances, code } = paragraph
  let level = -1
  for (let index = 0; index < items.length; index++) {
    const item = items[index]
    if (item === undefined || item.end <= start) continue
    if (item.start >= end) break
    if (item.kind === 'space') {
      level = item.level
      const to = Math.min(end, item.end)
      const advance = (advances[to] ?? 0) - (advances[Math.max(start, item.start)] ?? 0)
      sink.skip(advance, level, code?.has(index))
      continue
    }
    const word = item.start >= start && item.end <= end ? words[index] : undefined
    const whole = word ?? partOf(paragraph, item, start, end)
    const part: Part = code?.has(index) ? { ...whole, isCode: true } : whole
    if (marks === noMarkSpacing) {
      level = item.level
      sink.add(part, level)
      continue
    }
    const isFirst = level < 0
    const gap = isFirst ? -marks.leftOut(index, 'opening') : marks.before(index)
    const blank = item.end >= end ? marks.leftOut(index, 'closing') : 0
    level = item.level
    sink.add(gap === 0 && blank === 0 ? part : { ...part, gap, advance: part.advance - blank }, level)
  }
  if (hyphen) sink.add(paragraph.hyphen(), Math.max(0, level))
}

function partOf(paragraph: Paragraph, item: Item, lineStart: number, lineEnd: number): Part {
  const start = Math.max(lineStart, item.start)
  const end = Math.min(lineEnd, item.end)
  if (item.kind === 'word') return paragraph.slice(item, start, end)
  if (item.kind === 'emoji') return { advance: ownAdvances.emoji, emoji: item.name }
  if (item.kind === 'missing') return { advance: missingAdvance, path: missingBox }
  return { advance: (paragraph.advances[end] ?? 0) - (paragraph.advances[start] ?? 0) }
}
