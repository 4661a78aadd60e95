import type { Rgb } from '../../../lib/color.ts'
import { shorterAuthors } from '../../../text/names/byline.ts'
import type { FittedText } from '../../../text/types.ts'
import { capital, type LabelRole } from '../canvas.ts'
import type { Align } from '../shapes.ts'
import type { TemplateTexts } from '../theme.ts'
import type { Boxes, CardContext, RowName } from './contracts.ts'
import { drawFace } from './ornaments.ts'

interface Label {
  readonly role: LabelRole
  readonly fitted: FittedText
  readonly indentPx: number
  readonly widthPx: number
  readonly byline?: Byline
}

/** The parts that a template has beside the author's name. Lengths in px. */
interface Byline {
  /** The diameter of the face; 0 without one. */
  readonly facePx: number
  /** The role of the label's own text: that of `second` where there is no author. */
  readonly role: string
  readonly second?: { readonly role: string; readonly fitted: FittedText } | undefined
  /** Set where `second` is behind the name and not below it: its distance from the start of the text. */
  readonly besidePx?: number
  /** The middle of name and `second` below the middle of the row. */
  readonly downPx: readonly [first: number, second: number]
  /** Its reach above and below the middle of the row. */
  readonly reachPx: number
}

export interface Row {
  readonly lines: readonly (readonly PlacedLabel[])[]
  /** Height beyond that of one line: a head grows down, a foot grows up. */
  readonly extraPx: number
  /** Height that a high label takes from the text area, without moving the row. */
  readonly highPx: number
}

interface PlacedLabel extends Label, Slot {
  /** Below the middle of the row's outermost line. */
  readonly downPx: number
  /** From the middle of its line to that of a centred label. */
  readonly asidePx?: number
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
  const reaches = nearest.map(({ byline, downPx }) => (byline ? byline.reachPx + side * downPx : 0))
  const reachPx = Math.max(0, ...reaches)
  return { ...row, highPx: reachPx === 0 ? 0 : Math.max(0, reachPx + 28 * unit - roomPx) }
}

function planLines(card: CardContext, name: RowName, room: RowRoom): Omit<Row, 'highPx'> {
  const { texts, boxes } = card
  const { align, linePx, isJoined, widthPx = boxes.content.width } = boxes[name]
  const gapPx = gap * boxes.unit
  const roles = usualOrder.filter((role) => {
    const hasText = texts[role] !== undefined || (role === 'author' && texts.template?.second !== undefined)
    return hasText && boxes[role].row === name
  })
  const roomPx = widthPx - room.startPx - room.endPx
  const single: Align = align === 'start' && room.startPx > 0 ? 'end' : align
  // Nearly all rows are one line, for which the arrangements need not be made.
  if (align !== 'center' && (roles.length === 1 || roles.length === 2)) {
    const line = roles.map((role, at): PlacedLabel => {
      const side = at > 0 ? 'end' : roles.length === 1 ? single : 'start'
      return { ...labelOf(card, role, 1, roomPx), side, downPx: 0 }
    })
    if (fits(line, roomPx, gapPx)) return { lines: [line], extraPx: 0 }
  }
  for (const { lines, isAround = false } of align === 'center'
    ? centred(roles, isJoined === true)
    : arrangementsOf(roles, single))
    for (const share of [1, smallerSize]) {
      const isLast = share === smallerSize && lines.length === roles.length
      const labels = lines.map((line) =>
        line.map((slot) => {
          const label = labelOf(card, slot.role, share, roomPx)
          const isCut = slot.role === 'author' && share < 1 && label.fitted.truncated
          return { ...slot, ...((isCut && fewerAuthors(card, roomPx)) || label) }
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
          return { ...label, asidePx, downPx: label.isMiddle === true ? 0 : (downPx[at] ?? 0) + shiftPx }
        })
      })
      return { lines: placed, extraPx: isAround ? 0 : extraPx }
    }
  return { lines: [], extraPx: 0 }
}

/** The distance of each line from the first one: so far that the ink of neighbours does not meet. */
function offsetsOf(lines: readonly (readonly Label[])[], distancePx: number): readonly number[] {
  const offsets: number[] = []
  for (const [at, line] of lines.entries()) {
    const above = lines[at - 1]
    // Two lines beside a face belong together, so others are further from them.
    const gapPx = [...line, ...(above ?? [])].some(({ byline }) => byline !== undefined) ? 14 : 4
    const inkPx = above === undefined ? 0 : inkBelow(above) + inkAbove(line) + gapPx
    offsets.push(above === undefined ? 0 : (offsets.at(-1) ?? 0) + Math.max(distancePx, inkPx))
  }
  return offsets
}

/** The reach of ink below and above the middle of a line's capitals. */
function inkBelow(line: readonly Label[]): number {
  return Math.max(...line.map(({ fitted, byline }) => byline?.reachPx ?? inkBottom(fitted)))
}

function inkBottom({ lines, sizePx }: FittedText): number {
  return (lines[0]?.ink.bottom ?? 0) + (capital / 2) * sizePx
}

function inkAbove(line: readonly Label[]): number {
  const topOf = ({ lines, sizePx }: FittedText) => -(lines[0]?.ink.top ?? 0) - (capital / 2) * sizePx
  return Math.max(...line.map(({ fitted, byline }) => byline?.reachPx ?? topOf(fitted)))
}

/** The first of several authors and the number of the others, in the usual size; undefined where that is too wide as well. */
function fewerAuthors(card: CardContext, roomPx: number): Label | undefined {
  const { texts } = card
  const { author = '', title, subtitle = '' } = texts
  return shorterAuthors(author, card.canvas.lang, `${title} ${subtitle}`)
    .map((shorter) => labelOf({ ...card, texts: { ...texts, author: shorter } }, 'author', 1, roomPx))
    .find(({ fitted }) => !fitted.truncated)
}

function labelOf(card: CardContext, role: LabelRole, share: number, roomPx: number): Label {
  const { texts, canvas, boxes } = card
  const { sizePx, ornament } = boxes[role]
  const { template } = texts
  if (role === 'author' && template !== undefined && (template.hasFace || template.second !== undefined))
    return bylineOf(card, template, share, roomPx)
  const indentPx = ornament.indentPx(card)
  const trailPx = (ornament.trail ?? 0) * boxes.unit
  const ownPx = Math.round(sizePx * share * boxes.unit)
  const fitted = canvas.line(role, texts[role] ?? '', ownPx, roomPx - indentPx - trailPx)
  return { role, fitted, indentPx, widthPx: indentPx + fitted.widthPx + trailPx }
}

/** The diameter of a face beside one line and beside two, its distance from the text, and between texts in one line, in units. */
const [facePxUsual, facePxLarge, faceGap, besideGap] = [54, 66, 18, 16]
/** The size of a second line, as a share of the first. */
const secondSize = 0.84

function bylineOf(
  card: CardContext,
  { second, hasFace }: TemplateTexts,
  share: number,
  roomPx: number,
): Label {
  const { texts, canvas, boxes } = card
  const { unit } = boxes
  const { ornament, sizePx: usualPx } = boxes.author
  const { facePx: behindPx } = ornament
  const isBehind = behindPx !== undefined
  const { author, initials } = texts
  const [first, below] =
    author === undefined ? [second, undefined] : [{ role: 'author', text: author }, second]
  const isFaced = hasFace && author !== undefined && (initials ?? canvas.face) !== undefined
  const largestPx = behindPx ?? (below === undefined ? facePxUsual : facePxLarge)
  const facePx = isFaced ? 2 * Math.round((largestPx / 2) * unit) : 0
  const faceRoomPx = isFaced ? facePx + Math.round(faceGap * unit) : 0
  const indentPx = (isBehind || !isFaced ? ornament.indentPx(card) : 0) + faceRoomPx
  const trailPx = (ornament.trail ?? 0) * unit
  const lineRoomPx = roomPx - indentPx - trailPx
  const sizePx = Math.round(usualPx * share * unit)
  const fitted = canvas.line(first?.role ?? 'author', first?.text ?? '', sizePx, lineRoomPx)
  const besidePx = fitted.widthPx + besideGap * unit
  const secondRoomPx = isBehind ? lineRoomPx - besidePx : lineRoomPx
  const secondPx = Math.round(sizePx * secondSize)
  const lower = below &&
    (secondRoomPx > 4 * sizePx || !isBehind) && {
      role: below.role,
      fitted: canvas.line(below.role, below.text, secondPx, secondRoomPx),
    }
  const lowerPx = lower ? (isBehind ? besidePx : 0) + lower.fitted.widthPx : 0
  const textPx = Math.max(fitted.widthPx, lowerPx)
  const places = placesOf(fitted, isBehind || !lower ? undefined : lower.fitted, boxes)
  return {
    role: 'author',
    fitted,
    indentPx,
    widthPx: indentPx + textPx + trailPx,
    byline: {
      facePx,
      role: first?.role ?? 'author',
      second: lower || undefined,
      ...(isBehind && { besidePx }),
      downPx: places.downPx,
      reachPx: Math.max(facePx / 2, places.reachPx),
    },
  }
}

/** One line, or two, about the middle of their row: higher where they would leave the content below it. */
function placesOf(
  first: FittedText,
  second: FittedText | undefined,
  { content, foot, author }: Boxes,
): Pick<Byline, 'downPx' | 'reachPx'> {
  const [above, below] = [first, second ?? first].map(({ lines }) => lines[0]?.ink)
  const [firstPx, secondPx] = [capital * first.sizePx, capital * (second?.sizePx ?? 0)]
  const inkPx = (above?.bottom ?? 0) - (below?.top ?? 0) - secondPx + first.sizePx / 10
  const heightPx = second === undefined ? firstPx : firstPx + Math.max(first.sizePx * 0.52, inkPx) + secondPx
  const [topPx, bottomPx] = [heightPx / 2 - firstPx - (above?.top ?? 0), heightPx / 2 + (below?.bottom ?? 0)]
  const roomPx = author.row === 'foot' ? content.y + content.height - foot.centreY : bottomPx
  const upPx = Math.max(0, bottomPx - roomPx)
  const firstY = (firstPx - heightPx) / 2 - upPx
  return {
    downPx: [firstY, second === undefined ? firstY : (heightPx - secondPx) / 2 - upPx],
    reachPx: Math.max(topPx + upPx, bottomPx - upPx),
  }
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
  return widthOf(line, gapPx) <= roomPx && line.every(({ fitted }) => !fitted.truncated)
}

function widthOf(line: readonly Label[], gapPx: number): number {
  return line.reduce((sum, label) => sum + label.widthPx, (line.length - 1) * gapPx)
}

export function drawRow(card: CardContext, row: Row, name: RowName, room: RowRoom): void {
  const { boxes } = card
  const { x = boxes.content.x, widthPx = boxes.content.width } = boxes[name]
  const { centreY = boxes[name].centreY } = room
  const top = name === 'head' ? centreY : centreY - row.extraPx
  const place = { x: x + room.startPx, widthPx: widthPx - room.startPx - room.endPx }
  const drawn = new Set<LabelRole>()
  for (const label of row.lines.flat()) {
    if (drawn.has(label.role)) continue
    drawn.add(label.role)
    drawLabel(card, label, { ...place, centreY: top + label.downPx })
  }
}

function drawLabel(
  card: CardContext,
  { role, fitted, indentPx, widthPx, byline, side, asidePx = 0 }: PlacedLabel,
  { x, widthPx: roomPx, centreY }: { readonly x: number; readonly widthPx: number; readonly centreY: number },
): void {
  const { canvas, boxes, colors } = card
  const { facePx = 0, downPx = [0, 0], besidePx, second } = byline ?? {}
  const { ornament } = boxes[role]
  const { unit } = boxes
  const free = roomPx - widthPx
  const left = x + (side === 'start' ? 0 : side === 'end' ? free : free / 2 + asidePx)
  const start = left + indentPx
  const textPx = byline === undefined ? fitted.widthPx : widthPx - (ornament.trail ?? 0) * unit - indentPx
  const faceRoomPx = facePx === 0 ? 0 : facePx + Math.round(faceGap * unit)
  const isBehind = ornament.facePx !== undefined
  if (facePx === 0 || isBehind) ornament.draw(card, { x: left, centreY, textPx: textPx + faceRoomPx })
  const { mark, onMark, author, paleInk } = colors
  const disc = isBehind ? { fill: onMark, ink: mark } : { fill: mark, ink: onMark }
  if (facePx > 0) drawFace(card, disc, start - faceRoomPx, centreY, facePx)
  const bottomPx = boxes.content.y + boxes.content.height
  const reachPx = inkBottom(second?.fitted ?? fitted)
  const upPx = byline === undefined ? 0 : Math.max(0, centreY + downPx[1] + reachPx - bottomPx)
  // A line of its own is in the middle with its face; two lines share an edge beside one.
  const isCentred = side === 'center' && facePx === 0 && besidePx === undefined
  const pale = isBehind ? author : paleInk
  function draw(ownRole: string, text: FittedText, fromStart: number, down: number, color: Rgb): void {
    const width = isCentred ? textPx : text.widthPx
    const align = isCentred ? 'center' : 'start'
    canvas.label(ownRole, text, start + fromStart, centreY + down - upPx, width, color, align)
  }
  const { role: ownRole = role } = byline ?? {}
  const color = byline !== undefined && ownRole !== 'author' ? pale : colors[role]
  draw(ownRole, fitted, 0, downPx[0], color)
  if (second !== undefined) draw(second.role, second.fitted, besidePx ?? 0, downPx[1], pale)
}
