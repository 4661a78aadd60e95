import { Bounds } from '../svg/box.ts'
import type { PathData } from '../svg/path-data.ts'
import { visualOrder } from './direction.ts'
import type { Item } from './item-list.ts'
import type { LineRange } from './line-breaker.ts'
import { missingAdvance, missingBox } from './missing-box.ts'
import { emojiSquare, ownAdvances } from './own-advances.ts'
import type { Paragraph } from './paragraph.ts'
import type { EmojiBox, Outline } from './types.ts'

export type UnitLine = ReturnType<typeof buildLine>

/** Something with a place on the line. */
interface Part {
  readonly advance: number
  readonly path?: PathData | undefined
  /** Name of the picture that stands in the place of a path. */
  readonly emoji?: string
  /** Room before it. */
  readonly gap?: number
}

/** A line in visual order. Lengths in 1/1000 em; the pen starts so that no ink is left of 0. */
export function buildLine(paragraph: Paragraph, range: LineRange) {
  const ink = new Bounds()
  ink.add(0, 0)
  const pieces: (Outline | EmojiBox)[] = []
  let pen = 0
  for (const { emoji, path, advance, gap = 0 } of partsOf(paragraph, range)) {
    pen += gap
    if (emoji !== undefined) {
      pieces.push({ kind: 'emoji', xUnits: pen, name: emoji })
      ink.addBox(emojiSquare, pen)
    } else if (path !== undefined) {
      pieces.push({ kind: 'outline', xUnits: pen, path })
      ink.addBox(path.ink, pen)
    }
    pen += advance
  }
  const { left, top, bottom } = ink
  const right = ink.right - left
  const { start, end } = range
  const box = { left: 0, right, top, bottom }
  const shifted = left === 0 ? pieces : pieces.map((piece) => ({ ...piece, xUnits: piece.xUnits - left }))
  return { start, end, width: Math.max(pen - left, right), ink: box, pieces: shifted }
}

/** From left to right. */
function partsOf(paragraph: Paragraph, { start, end, hyphen }: LineRange): readonly Part[] {
  const { items, words, marks, isLeftToRight } = paragraph
  const parts: Part[] = []
  const levels: number[] = []
  for (let index = 0; index < items.length; index++) {
    const item = items[index]
    if (item === undefined || item.end <= start) continue
    if (item.start >= end) break
    const word = item.start >= start && item.end <= end ? words[index] : undefined
    const part = word ?? partOf(paragraph, item, start, end)
    const isFirst = parts.length === 0
    const gap = isFirst ? -marks.leftOut(index, 'opening') : marks.before(index)
    const blank = item.end >= end ? marks.leftOut(index, 'closing') : 0
    parts.push(gap === 0 && blank === 0 ? part : { ...part, gap, advance: part.advance - blank })
    if (!isLeftToRight) levels.push(item.level)
  }
  if (hyphen) {
    parts.push(paragraph.hyphen)
    if (!isLeftToRight) levels.push(levels.at(-1) ?? 0)
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
