import type { FittedText } from '../../../text/types.ts'
import { scaledSizes, sizeSteps } from '../engine/boxes.ts'
import type { Part, Stage } from '../engine/template-contract.ts'
import type { Area } from '../shapes.ts'
import { statsOf } from './forms.ts'
import { aboveFoot, drawWith, smallTitle } from './small-title.ts'

/** A small title, and below it numbers. */
export function draw(stage: Stage): void {
  const { texts } = stage
  const { boxes, headPx } = smallTitle(stage)
  const gapPx = 40 * boxes.unit
  const area = aboveFoot(stage)
  const room = { width: area.width, height: area.height - headPx - gapPx }
  const { sizePx, ...part } = statsPart(stage, room)
  // The numbers are what is seen first.
  if (texts.subtitle !== undefined && sizePx < largestTitle * boxes.unit)
    drawWith(stage, { ...texts, subtitle: undefined }, draw)
  else stage.setTexts({ area, boxes, tail: { ...part, gapPx } })
}

const largestTitle = 58

/** The size of the second and third value, as a share of that of the first. */
const share = 0.74

interface Column {
  readonly value: FittedText
  readonly label: FittedText | undefined
  readonly widthPx: number
  readonly heightPx: number
}

interface Arrangement {
  readonly isRow: boolean
  readonly columns: readonly Column[]
  readonly widthPx: number
  readonly heightPx: number
  readonly betweenPx: number
}

type Room = Pick<Area, 'width' | 'height'>

/** The numbers, the first one largest, in a row or in a column: as they are larger. */
export function statsPart(
  stage: Stage,
  room: Room,
  largestPx = 190,
): Omit<Part, 'gapPx'> & { readonly sizePx: number } {
  const { canvas, boxes, size, colors } = stage
  const { align } = boxes.text
  const ways = [true, false].map((isRow) => arranged(stage, room, isRow, largestPx))
  const isWide = size.shape === 'wide'
  const [row, column] = ways.map(({ columns: [first] }) => first?.value.sizePx ?? 0) as [number, number]
  const way = ways[row >= column * (isWide ? 0.8 : 1.2) ? 0 : 1] as Arrangement
  const { isRow, columns, widthPx, heightPx, betweenPx } = way
  const highest = Math.max(0, ...columns.map(({ value }) => value.heightPx))
  function startOf(ownPx: number): number {
    const free = room.width - ownPx
    return align === 'start' ? 0 : align === 'end' ? free : free / 2
  }
  return {
    heightPx,
    sizePx: columns[0]?.value.sizePx ?? 0,
    draw({ x, y }) {
      let [left, top] = [x + startOf(widthPx), y]
      for (const { value, label, widthPx: ownPx, heightPx: ownHeightPx } of columns) {
        // All values of a row stand on one line.
        const valueY = top + (isRow ? highest - value.heightPx : 0)
        const box = { x: isRow ? left : x + startOf(ownPx), width: ownPx }
        const own = isRow ? 'start' : align
        canvas.text('stats', value, { ...box, y: valueY, height: value.heightPx }, colors.ink, own)
        const labelY = valueY + value.heightPx
        if (label !== undefined)
          canvas.text('labels', label, { ...box, y: labelY, height: label.heightPx }, colors.paleInk, own)
        if (isRow) left += ownPx + betweenPx
        else top += ownHeightPx + betweenPx
      }
    },
  }
}

function arranged(
  { texts, canvas, boxes: { unit }, size }: Stage,
  room: Room,
  isRow: boolean,
  largestPx: number,
): Arrangement {
  const given: unknown = Reflect.get(texts.template?.params ?? {}, 'stats')
  const all = statsOf(String(given)) ?? []
  const [largeLabels, smallLabels] = [[30, 26], [23]].map((sizes) => scaledSizes(sizes, unit)) as [
    number[],
    number[],
  ]
  const betweenPx = (isRow ? 60 : size.shape === 'wide' ? 20 : 36) * unit
  const gapsPx = isRow ? (all.length - 1) * betweenPx : 0
  const sharePx = (room.width - gapsPx) / (isRow ? all.length : 1)
  function columnsAt(sizePx: number, widestPx: number, labelPx: number): readonly Column[] {
    return all.map(({ value: number, label: words }, at) => {
      const ownPx = Math.round(sizePx * (at === 0 ? 1 : share))
      const value = canvas.fit(
        'stats',
        number,
        { sizesPx: [ownPx], maxLines: 1, leading: 1 },
        widestPx,
        anyPx,
      )
      const labelSizes = sizePx < 44 * unit ? smallLabels : largeLabels
      // A label is narrow, but none of its words is torn.
      const wordsPx = (words ?? '')
        .split(' ')
        .map((word) => canvas.line('labels', word, Math.min(...labelSizes), anyPx).widthPx + 1)
      const roomPx = isRow ? Math.min(widestPx, Math.max(value.widthPx, labelPx, ...wordsPx)) : widestPx
      const spec = { sizesPx: labelSizes, maxLines: 2, leading: 1.25 }
      const label = words === undefined ? undefined : canvas.fit('labels', words, spec, roomPx, anyPx)
      const widthPx = Math.max(value.widthPx, label?.widthPx ?? 0)
      return { value, label, widthPx, heightPx: value.heightPx + (label?.heightPx ?? 0) }
    })
  }
  function measured(columns: readonly Column[]): Arrangement {
    const allGapsPx = (columns.length - 1) * betweenPx
    const [widths, heights] = [columns.map(({ widthPx }) => widthPx), columns.map(({ heightPx }) => heightPx)]
    const widthPx = isRow ? sum(widths) + allGapsPx : Math.max(...widths)
    const heightPx = isRow ? Math.max(...heights) : sum(heights) + allGapsPx
    return { isRow, columns, widthPx, heightPx, betweenPx }
  }
  const sizesPx = sizeSteps(Math.round(largestPx * unit), Math.round(23 * unit))
  // Narrow labels, of two lines each, only where the numbers would be small above wide ones.
  for (const [labelPx, least] of [[280, 80] as const, [sharePx / unit, 0] as const])
    for (const sizePx of sizesPx) {
      if (sizePx < least * unit) break
      const way = measured(columnsAt(sizePx, room.width, labelPx * unit))
      const isCut = way.columns.some(({ value }) => value.truncated)
      if (way.widthPx <= room.width && way.heightPx <= room.height && !isCut) return way
    }
  return measured(columnsAt(Math.min(...sizesPx), sharePx, sharePx))
}

const anyPx = Number.MAX_SAFE_INTEGER

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
