import type { Rgb } from '../../../lib/color.ts'
import { shorterAuthors } from '../../../text/names/byline.ts'
import type { FittedText } from '../../../text/types.ts'
import { capital, type LabelRole } from '../canvas.ts'
import { type Align, startIn } from '../shapes.ts'
import type { Boxes, CardContext, RowName } from './contracts.ts'
import { drawFace } from './ornaments.ts'

/** A label that is set. Lengths in px. */
interface Label {
  readonly slot: Slot
  readonly widthPx: number
  readonly isCut: boolean
  /** Its reach above and below the middle of its line. */
  readonly abovePx: number
  readonly belowPx: number
  /** True if it has a face or a second text, so that it is higher than others. */
  readonly isByline: boolean
  draw(left: number, centreY: number): void
}

export interface Row {
  readonly lines: readonly (readonly PlacedLabel[])[]
  /** Height beyond that of one line: a head grows down, a foot grows up. */
  readonly extraPx: number
  /** Height that a high label takes from the text area, without moving the row. */
  readonly highPx: number
}

interface PlacedLabel {
  readonly label: Label
  /** Below the middle of the row's outermost line. */
  readonly downPx: number
  /** From the middle of its line to that of a centred label. */
  readonly asidePx: number
}

/** Room that a logo takes from both ends of a row. */
export interface RowRoom {
  readonly startPx: number
  readonly endPx: number
  /** The middle of the logo, on which the row stands. */
  readonly centreY?: number
}

const usualOrder: readonly LabelRole[] = ['author', 'domain', 'footer']
/** The smallest size of a label before it gets a line of its own, as a share of the usual size. */
const smallerSize = 0.85
/** Between two labels of a line, in units. */
const gap = 40
/** Distance of two lines around the middle of their row, in units. */
const aroundPx = 40

/**
 * Sets the labels of a row: in one line, else a little smaller, else in lines of their own, and cut only where a line is
 * too narrow for one label.
 */
export function planRow(card: CardContext, name: RowName, room: RowRoom): Row {
  const row = planLines(card, name, room)
  const { text, logo, unit } = card.boxes
  const { centreY } = card.boxes[name]
  const { y, height } = logo.area
  // A logo between the text and the row is nearer.
  const isBetween = logo.row === undefined && y >= text.bottom && y + height <= centreY
  const bottom = isBetween ? y + height : text.bottom
  const roomPx = name === 'head' ? text.top - centreY : centreY - bottom
  const nearest = row.lines.at(name === 'head' ? -1 : 0) ?? []
  const side = row.extraPx !== 0 ? 0 : name === 'head' ? 1 : -1
  const reaches = nearest.map(({ label, downPx }) => (label.isByline ? label.belowPx + side * downPx : 0))
  const reachPx = Math.max(0, ...reaches)
  return { ...row, highPx: reachPx === 0 ? 0 : Math.max(0, reachPx + 28 * unit - roomPx) }
}

function planLines(card: CardContext, name: RowName, room: RowRoom): Omit<Row, 'highPx'> {
  const { texts, boxes } = card
  const { align, linePx, isJoined, widthPx } = boxes[name]
  const gapPx = gap * boxes.unit
  const roles = usualOrder.filter((role) => {
    const hasText = texts[role] !== undefined || (role === 'author' && texts.template?.second !== undefined)
    return hasText && boxes[role].row === name
  })
  const roomPx = widthPx - room.startPx - room.endPx
  const single: Align = align === 'start' && room.startPx > 0 ? 'end' : align
  // Nearly all rows are one line, for which the arrangements need not be made.
  if (align !== 'center' && (roles.length === 1 || roles.length === 2)) {
    const line = roles.map((role, at) => {
      const side = at > 0 ? 'end' : roles.length === 1 ? single : 'start'
      return labelOf(card, { role, side }, 1, roomPx)
    })
    if (fits(line, roomPx, gapPx))
      return { lines: [line.map((label) => ({ label, asidePx: 0, downPx: 0 }))], extraPx: 0 }
  }
  for (const { lines, isAround = false } of align === 'center'
    ? centred(roles, isJoined === true)
    : arrangementsOf(roles, single))
    for (const share of [1, smallerSize]) {
      const isLast = share === smallerSize && lines.length === roles.length
      const labels = lines.map((line) =>
        line.map((slot) => {
          const label = labelOf(card, slot, share, roomPx)
          const isCut = slot.role === 'author' && share < 1 && label.isCut
          return (isCut && fewerAuthors(card, slot, roomPx)) || label
        }),
      )
      const distancePx = isAround ? aroundPx * boxes.unit : linePx
      const downPx = offsetsOf(labels, distancePx)
      const extraPx = downPx.at(-1) ?? 0
      const isTooHigh = isAround && align !== 'center' && extraPx > distancePx * 1.25
      if (!isLast && (isTooHigh || !labels.every((line) => fits(line, roomPx, gapPx)))) continue
      const shiftPx = isAround ? -extraPx / 2 : 0
      const placed = labels.map((line, at) => {
        let endPx = -widthOf(line, gapPx) / 2
        return line.map((label) => {
          const asidePx = endPx + label.widthPx / 2
          endPx += label.widthPx + gapPx
          return { label, asidePx, downPx: label.slot.isMiddle === true ? 0 : (downPx[at] ?? 0) + shiftPx }
        })
      })
      return { lines: placed, extraPx: isAround ? 0 : extraPx }
    }
  return { lines: [], extraPx: 0 }
}

/** The distance of each line from the first one: so far that the ink of neighbours does not meet. */
function offsetsOf(lines: readonly (readonly Label[])[], distancePx: number): readonly number[] {
  const offsets = [0]
  for (const [at, above] of lines.slice(0, -1).entries()) {
    const line = lines[at + 1] ?? []
    const inkPx =
      Math.max(...above.map(({ belowPx }) => belowPx)) + Math.max(...line.map(({ abovePx }) => abovePx))
    // Two lines beside a face belong together, so others are further from them.
    const gapPx = [...line, ...above].some(({ isByline }) => isByline) ? 14 : 4
    offsets.push((offsets[at] ?? 0) + Math.max(distancePx, inkPx + gapPx))
  }
  return offsets
}

/** The first of several authors and the number of the others, in the usual size; undefined where that is too wide as well. */
function fewerAuthors(card: CardContext, slot: Slot, roomPx: number): Label | undefined {
  const { texts } = card
  const { author = '', title, subtitle = '' } = texts
  return shorterAuthors(author, card.canvas.lang, `${title} ${subtitle}`)
    .map((shorter) => labelOf({ ...card, texts: { ...texts, author: shorter } }, slot, 1, roomPx))
    .find(({ isCut }) => !isCut)
}

/** The diameter of a face beside one line and beside two, its distance from the text, and between texts in one line, in units. */
const [facePxUsual, facePxLarge, faceGap, besideGap] = [54, 66, 18, 16]
/** The size of a second line, as a share of the first. */
const secondSize = 0.84

/** A text with its ornament. An author has what the template adds: a face in its place, and a text below the name, or beside it on a slab. */
function labelOf(card: CardContext, slot: Slot, share: number, roomPx: number): Label {
  const { role, side } = slot
  const { texts, canvas, boxes, colors } = card
  const { unit, content } = boxes
  const { ornament, sizePx: usualPx } = boxes[role]
  const { hasFace = false, second } = (role === 'author' ? texts.template : undefined) ?? {}
  const isByline = hasFace || second !== undefined
  const text = texts[role] ?? ''
  const [first, below] = text === '' && second ? [second, undefined] : [{ role, text }, second]
  const isFaced = hasFace && text !== '' && (texts.initials ?? canvas.face) !== undefined
  const isBehind = ornament.facePx !== undefined
  const largestPx = ornament.facePx ?? (below === undefined ? facePxUsual : facePxLarge)
  const facePx = isFaced ? 2 * Math.round((largestPx / 2) * unit) : 0
  const faceRoomPx = isFaced ? facePx + Math.round(faceGap * unit) : 0
  const indentPx = (isBehind || !isFaced ? ornament.indentPx(card) : 0) + faceRoomPx
  const trailPx = (ornament.trail ?? 0) * unit
  const lineRoomPx = roomPx - indentPx - trailPx
  const sizePx = Math.round(usualPx * share * unit)
  const fitted = canvas.line(first.role, first.text, sizePx, lineRoomPx)
  const besidePx = isBehind ? fitted.widthPx + besideGap * unit : 0
  const secondRoomPx = lineRoomPx - besidePx
  const lower =
    below !== undefined && (secondRoomPx > 4 * sizePx || !isBehind)
      ? canvas.line(below.role, below.text, Math.round(sizePx * secondSize), secondRoomPx)
      : undefined
  const textPx = Math.max(fitted.widthPx, lower === undefined ? 0 : besidePx + lower.widthPx)
  const places = isByline ? placesOf(fitted, isBehind ? undefined : lower, boxes) : undefined
  const { downPx = [0, 0], reachPx = 0 } = places ?? {}
  return {
    slot,
    widthPx: indentPx + textPx + trailPx,
    isCut: fitted.truncated,
    abovePx: isByline ? Math.max(facePx / 2, reachPx) : inkTop(fitted),
    belowPx: isByline ? Math.max(facePx / 2, reachPx) : inkBottom(fitted),
    isByline,
    draw(left, centreY) {
      const start = left + indentPx
      const { mark, onMark, author, paleInk } = colors
      if (!isFaced || isBehind) ornament.draw(card, { x: left, centreY, textPx: textPx + faceRoomPx })
      const disc = isBehind ? { fill: onMark, ink: mark } : { fill: mark, ink: onMark }
      if (isFaced) drawFace(card, disc, start - faceRoomPx, centreY, facePx)
      const overPx = centreY + downPx[1] + inkBottom(lower ?? fitted) - content.y - content.height
      const y = isByline ? centreY - Math.max(0, overPx) : centreY
      // A line of its own is in the middle with its face; two lines share an edge beside one.
      const isCentred = side === 'center' && !isFaced && !(isByline && isBehind)
      function set(ownRole: string, line: FittedText, fromStart: number, down: number, color: Rgb): void {
        const width = isCentred ? textPx : line.widthPx
        canvas.label(ownRole, line, start + fromStart, y + down, width, color, isCentred ? 'center' : 'start')
      }
      const pale = isBehind ? author : paleInk
      set(first.role, fitted, 0, downPx[0], first === second ? pale : colors[role])
      if (below !== undefined && lower !== undefined) set(below.role, lower, besidePx, downPx[1], pale)
    },
  }
}

/** The reach of ink above and below the middle of a line's capitals. */
function inkTop({ lines, sizePx }: FittedText): number {
  return -(lines[0]?.ink.top ?? 0) - (capital / 2) * sizePx
}

function inkBottom({ lines, sizePx }: FittedText): number {
  return (lines[0]?.ink.bottom ?? 0) + (capital / 2) * sizePx
}

/** One line, or two, about the middle of their row: higher where they would leave the content below it. */
function placesOf(first: FittedText, second: FittedText | undefined, { content, foot, author }: Boxes) {
  const [above, below] = [first, second ?? first].map(({ lines }) => lines[0]?.ink)
  const [firstPx, secondPx] = [capital * first.sizePx, capital * (second?.sizePx ?? 0)]
  const inkPx = (above?.bottom ?? 0) - (below?.top ?? 0) - secondPx + first.sizePx / 10
  const heightPx = second === undefined ? firstPx : firstPx + Math.max(first.sizePx * 0.52, inkPx) + secondPx
  const [topPx, bottomPx] = [heightPx / 2 - firstPx - (above?.top ?? 0), heightPx / 2 + (below?.bottom ?? 0)]
  const roomPx = author.row === 'foot' ? content.y + content.height - foot.centreY : bottomPx
  const upPx = Math.max(0, bottomPx - roomPx)
  const firstY = (firstPx - heightPx) / 2 - upPx
  const secondY = second === undefined ? firstY : (heightPx - secondPx) / 2 - upPx
  return { downPx: [firstY, secondY] as const, reachPx: Math.max(topPx + upPx, bottomPx - upPx) }
}

interface Slot {
  readonly role: LabelRole
  readonly side: Align
  /** True if it is in the middle of all lines. */
  readonly isMiddle?: boolean
}

interface Arrangement {
  readonly lines: readonly (readonly Slot[])[]
  /** True if the lines are around the middle of the row, which is high enough for two. */
  readonly isAround?: boolean
}

function centred(roles: readonly LabelRole[], isJoined: boolean): readonly Arrangement[] {
  const slots = roles.map((role): Slot => ({ role, side: 'center' }))
  const column = slots.map((slot) => [slot])
  if (!isJoined) return [{ lines: column, isAround: true }]
  return [{ lines: [slots] }, { lines: [slots.slice(0, -1), slots.slice(-1)] }, { lines: column }].filter(
    ({ lines }) => lines.every((line) => line.length > 0),
  )
}

/** Ways to share a row out, from the lowest to the highest. */
function arrangementsOf(roles: readonly LabelRole[], single: Align): readonly Arrangement[] {
  const [first, second, third] = roles
  const column: Arrangement = { lines: roles.map((role) => [{ role, side: single }]) }
  if (first === undefined) return []
  if (second === undefined) return [column]
  const start: Slot = { role: first, side: 'start' }
  const end: Slot = { role: second, side: 'end' }
  if (third === undefined) return [{ lines: [[start, end]] }, column]
  const middle = { ...start, isMiddle: true }
  const last: Slot = { role: third, side: 'end' }
  return [
    { lines: [end, last].map((slot) => [middle, slot]), isAround: true },
    { lines: [[start, end], [{ ...last, side: 'start' }]] },
    { lines: [[start], [{ ...end, side: 'start' }, last]] },
    column,
  ]
}

function fits(line: readonly Label[], roomPx: number, gapPx: number): boolean {
  return widthOf(line, gapPx) <= roomPx && line.every(({ isCut }) => !isCut)
}

function widthOf(line: readonly Label[], gapPx: number): number {
  return line.reduce((sum, label) => sum + label.widthPx, (line.length - 1) * gapPx)
}

export function drawRow({ boxes }: CardContext, row: Row, name: RowName, room: RowRoom): void {
  const { x, widthPx } = boxes[name]
  const { centreY = boxes[name].centreY } = room
  const top = name === 'head' ? centreY : centreY - row.extraPx
  const roomPx = widthPx - room.startPx - room.endPx
  const drawn = new Set<LabelRole>()
  for (const { label, asidePx, downPx } of row.lines.flat()) {
    const { role, side } = label.slot
    if (drawn.has(role)) continue
    drawn.add(role)
    const free = roomPx - label.widthPx
    const aside = side === 'center' ? free / 2 + asidePx : startIn(side, free)
    label.draw(x + room.startPx + aside, top + downPx)
  }
}
