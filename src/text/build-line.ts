import { Bounds } from '../svg/bounds.ts'
import type { PathData } from '../svg/write-path.ts'
import { visualOrder } from './direction.ts'
import { emojiSquare, type Item, missingAdvance, missingBox, ownAdvances } from './item-list.ts'
import type { LineRange } from './line-breaker.ts'
import type { Paragraph } from './paragraph.ts'
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
  const ink = new Bounds()
  ink.add(0, 0)
  const pieces: (OutlinedText | EmojiBox)[] = []
  const code: { readonly start: number; end: number }[] = []
  let pen = 0
  let inkLeft = Infinity
  for (const { emoji, path, advance, gap = 0, isCode } of partsOf(paragraph, range)) {
    const xUnits = pen + gap
    const end = xUnits + advance
    // Parts of code side by side are one stretch.
    const stretch = isCode ? code.at(-1) : undefined
    if (stretch?.end === pen) stretch.end = end
    else if (isCode) code.push({ start: pen, end })
    const box = emoji === undefined ? path?.ink : emojiSquare
    if (emoji !== undefined) pieces.push({ kind: 'emoji', xUnits, name: emoji })
    else if (path !== undefined) pieces.push({ kind: 'outline', xUnits, path })
    if (box !== undefined) {
      ink.addBox(box, xUnits)
      inkLeft = Math.min(inkLeft, xUnits + box.left)
    }
    pen = end
  }
  const { left, top, bottom } = ink
  const right = ink.right - left
  const { start, end, hyphen } = range
  return {
    start,
    end,
    isHyphenated: hyphen,
    width: Math.max(pen - left, right),
    ink: { left: inkLeft === Infinity ? 0 : inkLeft - left, right, top, bottom },
    pieces: left === 0 ? pieces : pieces.map((piece) => ({ ...piece, xUnits: piece.xUnits - left })),
    code: code.map(({ start: from, end: to }) => ({ xUnits: from - left, widthUnits: to - from })),
  }
}

/** The parts of a line from left to right. */
function partsOf(paragraph: Paragraph, { start, end, hyphen }: LineRange): readonly Part[] {
  const { items, words, marks, code, isLeftToRight } = paragraph
  const parts: Part[] = []
  const levels: number[] = []
  for (let index = 0; index < items.length; index++) {
    const item = items[index]
    if (item === undefined || item.end <= start) continue
    if (item.start >= end) break
    const word = item.start >= start && item.end <= end ? words[index] : undefined
    const whole = word ?? partOf(paragraph, item, start, end)
    const part: Part = code?.has(index) ? { ...whole, isCode: true } : whole
    const blank = marks?.blanks[index]
    const gap = parts.length > 0 ? (marks?.gaps[index] ?? 0) : blank?.kind === 'opening' ? -blank.units : 0
    const left = blank?.kind === 'closing' && item.end >= end ? blank.units : 0
    parts.push(gap === 0 && left === 0 ? part : { ...part, gap, advance: part.advance - left })
    levels.push(item.level)
  }
  if (hyphen) {
    parts.push(paragraph.hyphen())
    levels.push(levels.at(-1) ?? 0)
  }
  return isLeftToRight ? parts : visualOrder(levels).flatMap((index) => parts[index] ?? [])
}

function partOf(paragraph: Paragraph, item: Item, lineStart: number, lineEnd: number): Part {
  const start = Math.max(lineStart, item.start)
  const end = Math.min(lineEnd, item.end)
  if (item.kind === 'word') return paragraph.slice(item, start, end)
  if (item.kind === 'emoji') return { advance: ownAdvances.emoji, emoji: item.name }
  if (item.kind === 'missing') return { advance: missingAdvance, path: missingBox }
  return { advance: (paragraph.advances[end] ?? 0) - (paragraph.advances[start] ?? 0) }
}
