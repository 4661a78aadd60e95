import { type Stage, scaledSizes, sizeSteps } from '../engine/contracts.ts'
import { aboveFoot, drawWith, smallTitle } from '../engine/text-block.ts'
import { type Area, startIn } from '../shapes.ts'
import { statsOf } from './forms.ts'

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

type Room = Pick<Area, 'width' | 'height'>

/** The numbers, the first one largest, in a row or in a column: as they are larger. */
export function statsPart(stage: Stage, room: Room, largestPx = 190) {
  const { canvas, boxes, size, colors } = stage
  const { align } = boxes.text
  const [row, column] = [arranged(stage, room, true, largestPx), arranged(stage, room, false, largestPx)]
  const isRow = row.sizePx >= column.sizePx * (size.shape === 'wide' ? 0.8 : 1.2)
  const { sizePx, columns, widthPx, heightPx, betweenPx } = isRow ? row : column
  const highest = Math.max(0, ...columns.map(({ value }) => value.heightPx))
  return {
    heightPx,
    sizePx,
    draw({ x, y }: Area) {
      let [left, top] = [x + startIn(align, room.width - widthPx), y]
      for (const { value, label, widthPx: width, heightPx: ownHeightPx } of columns) {
        // All values of a row stand on one line.
        const valueY = top + (isRow ? highest - value.heightPx : 0)
        const place = { x: isRow ? left : x + startIn(align, room.width - width), y: valueY, width }
        const own = isRow ? 'start' : align
        canvas.text('stats', value, place, colors.ink, own)
        if (label !== undefined)
          canvas.text('labels', label, { ...place, y: valueY + value.heightPx }, colors.paleInk, own)
        if (isRow) left += width + betweenPx
        else top += ownHeightPx + betweenPx
      }
    },
  }
}

function arranged(stage: Stage, room: Room, isRow: boolean, largestPx: number) {
  const { texts, canvas, boxes, size } = stage
  const { unit } = boxes
  const given: unknown = Reflect.get(texts.template?.params ?? {}, 'stats')
  const all = statsOf(String(given)) ?? []
  const [largeLabels, smallLabels] = [scaledSizes([30, 26], unit), scaledSizes([23], unit)]
  const betweenPx = (isRow ? 60 : size.shape === 'wide' ? 20 : 36) * unit
  const gapsPx = (all.length - 1) * betweenPx
  const sharePx = isRow ? (room.width - gapsPx) / all.length : room.width
  function columnsAt(sizePx: number, widestPx: number, labelPx: number) {
    return all.map(({ value: number, label: words }, at) => {
      const spec = { sizesPx: [Math.round(sizePx * (at === 0 ? 1 : share))], maxLines: 1, leading: 1 }
      const value = canvas.fit('stats', number, spec, widestPx)
      const sizesPx = sizePx < 44 * unit ? smallLabels : largeLabels
      // A label is narrow, but none of its words is torn.
      const wordsPx = (words ?? '')
        .split(' ')
        .map((word) => canvas.line('labels', word, Math.min(...sizesPx)).widthPx + 1)
      const roomPx = isRow ? Math.min(widestPx, Math.max(value.widthPx, labelPx, ...wordsPx)) : widestPx
      const label = words && canvas.fit('labels', words, { sizesPx, maxLines: 2, leading: 1.25 }, roomPx)
      if (!label) return { value, widthPx: value.widthPx, heightPx: value.heightPx }
      const widthPx = Math.max(value.widthPx, label.widthPx)
      return { value, label, widthPx, heightPx: value.heightPx + label.heightPx }
    })
  }
  function measured(columns: ReturnType<typeof columnsAt>) {
    const [widths, heights] = [columns.map(({ widthPx }) => widthPx), columns.map(({ heightPx }) => heightPx)]
    return {
      columns,
      sizePx: columns[0]?.value.sizePx ?? 0,
      widthPx: isRow ? sum(widths) + gapsPx : Math.max(...widths),
      heightPx: isRow ? Math.max(...heights) : sum(heights) + gapsPx,
      betweenPx,
    }
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

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
