import { Bounds, type Box } from '../svg/box.ts'
import type { PathData } from '../svg/path-data.ts'
import { visualOrder } from './direction.ts'
import type { Item } from './item-list.ts'
import type { LineRange } from './line-breaker.ts'
import { missingAdvance, missingBox } from './missing-box.ts'
import { ownAdvances, type Paragraph } from './paragraph.ts'
import type { EmojiBox, Outline } from './types.ts'
import type { Word } from './word-store.ts'

export type UnitLine = ReturnType<typeof buildLine>

const emojiSide = 1100
const emojiLeft = (ownAdvances.emoji - emojiSide) / 2
/** Centred on the middle of a capital letter. */
const emojiTop = -914
/** Where the picture of an emoji stands, from a pen on the baseline. */
export const emojiSquare: Box = {
  left: emojiLeft,
  top: emojiTop,
  right: emojiLeft + emojiSide,
  bottom: emojiTop + emojiSide,
}

/** Something with a place on the line. */
interface Part {
  readonly level: number
  readonly advance: number
  readonly path?: PathData | undefined
  /** Name of the picture that stands in the place of a path. */
  readonly emoji?: string
}

/** A line in visual order. Lengths in 1/1000 em; the pen starts so that no ink is left of 0. */
export function buildLine(paragraph: Paragraph, range: LineRange) {
  const parts = inVisualOrder(partsOf(paragraph, range))
  const ink = inkOf(parts)
  const pieces: (Outline | EmojiBox)[] = []
  let pen = -ink.left
  for (const { emoji, path, advance } of parts) {
    if (emoji !== undefined) pieces.push({ kind: 'emoji', xUnits: pen, name: emoji })
    else if (path !== undefined) pieces.push({ kind: 'outline', xUnits: pen, path })
    pen += advance
  }
  const right = ink.right - ink.left
  const { start, end } = range
  const box = { left: 0, right, top: ink.top, bottom: ink.bottom }
  return { start, end, width: Math.max(pen, right), ink: box, pieces }
}

function partsOf(paragraph: Paragraph, { start, end, hyphen }: LineRange): Part[] {
  const { items, words } = paragraph
  const parts: Part[] = []
  for (let index = 0; index < items.length; index++) {
    const item = items[index]
    if (item === undefined || item.end <= start) continue
    if (item.start >= end) break
    const isWhole = item.start >= start && item.end <= end
    const word = isWhole ? words[index] : undefined
    parts.push(word === undefined ? partOf(paragraph, item, start, end) : wordPart(word, item.level))
  }
  if (hyphen) parts.push(wordPart(paragraph.hyphen, parts.at(-1)?.level ?? 0))
  return parts
}

function partOf(paragraph: Paragraph, item: Item, lineStart: number, lineEnd: number): Part {
  const { level } = item
  const start = Math.max(lineStart, item.start)
  const end = Math.min(lineEnd, item.end)
  if (item.kind === 'word') return wordPart(paragraph.slice(item, start, end), level)
  if (item.kind === 'emoji') return { level, advance: ownAdvances.emoji, emoji: item.name }
  if (item.kind === 'missing') return { level, advance: missingAdvance, path: missingBox }
  return { level, advance: (paragraph.advances[end] ?? 0) - (paragraph.advances[start] ?? 0) }
}

function wordPart({ advance, path }: Word, level: number): Part {
  return { level, advance, path }
}

function inVisualOrder(parts: readonly Part[]): readonly Part[] {
  if (parts.every(({ level }) => level === 0)) return parts
  return visualOrder(parts.map(({ level }) => level)).flatMap((index) => parts[index] ?? [])
}

/** From a pen that starts at 0; never narrower than the point there. */
function inkOf(parts: readonly Part[]): Box {
  const ink = new Bounds()
  ink.add(0, 0)
  let pen = 0
  for (const { emoji, path, advance } of parts) {
    const box = emoji === undefined ? path?.ink : emojiSquare
    if (box !== undefined) ink.addBox(box, pen)
    pen += advance
  }
  return ink
}
