import { contrastRatio, mix, type Rgb, white } from '../../../lib/color.ts'
import { type Canvas, capital } from '../canvas.ts'
import { scaledSizes, sizeSteps } from '../engine/boxes.ts'
import type { Part, Stage } from '../engine/template-contract.ts'
import { fitEyebrow } from '../engine/text-block.ts'
import { type Area, circle, rectangle, roundedRectangle } from '../shapes.ts'
import type { CardColors } from '../theme.ts'
import { aboveFoot } from './small-title.ts'

const [leafPx, leafHeightPx, leafGapPx] = [228, 262, 56]
/** Sizes of the leaf: beside the title, of two beside it, above it the largest that leaves the title its room, and where none does. */
const [single, double, above, narrow] = [1, 0.84, [1, 0.8, 0.64, 0.5, 0.4], 0.5] as const
const [titleMax, titleMin] = [96, 34]

/** A leaf of a calendar beside the title, or above it. */
export function draw(stage: Stage): void {
  const { texts, canvas, boxes, size, colors } = stage
  const { unit, text } = boxes
  const area = aboveFoot(stage)
  const { date = '', until } = texts.template?.own ?? {}
  const leaves = [['date', date], ...(until === undefined ? [] : [['until', until]])] as const
  const isBeside = size.shape === 'wide' && text.align === 'start'
  // The leaf is what is seen first.
  const own = boxes.title.sizesPx.filter((sizePx) => sizePx <= titleMax * unit && sizePx > titleMin * unit)
  const sizesPx = [
    ...own,
    ...sizeSteps(Math.min(60 * unit, own.at(-1) ?? Infinity), titleMin * unit).slice(1),
  ].map(Math.round)
  const floorPx = Math.min(...sizesPx)
  const besides = { ...boxes, title: { ...boxes.title, sizesPx, floorPx, wholePxMin: floorPx } }
  function leavesOf(scale: number) {
    const [width, height, betweenPx] = [leafPx, leafHeightPx, 20].map((px) =>
      Math.round(px * scale * unit),
    ) as [number, number, number]
    const allPx = leaves.length * (width + betweenPx) - betweenPx
    function drawAt(x: number, y: number): void {
      for (const [at, [role, words]] of leaves.entries()) {
        const place = { x: x + at * (width + betweenPx), y, width, height }
        drawLeaf(role, words ?? '', canvas, place, colors, scale * unit)
      }
    }
    return { allPx, height, drawAt }
  }
  const tail = placeAndTime(stage, area.width)
  const gapPx = (size.shape === 'wide' ? 26 : 40) * unit
  const eyebrow = fitEyebrow(texts, canvas, area, boxes, colors)
  const spec = { ...besides.title, sizesPx: [floorPx * 1.3, floorPx], maxLines: 4 }
  const titlePx = canvas.fit('title', texts.title, spec, area.width, area.height).heightPx * 1.1
  const takenPx = [eyebrow, tail].reduce(
    (taken, part) => taken + (part ? part.heightPx + part.gapPx : 0),
    gapPx + titlePx,
  )
  const fitting = above.find((scale) => leavesOf(scale).height + takenPx <= area.height)
  if (fitting === undefined || isBeside) {
    const scale = isBeside ? (until === undefined ? single : double) : narrow
    const { allPx, height, drawAt } = leavesOf(scale)
    const startPx = allPx + leafGapPx * unit * scale
    const beside = { ...area, x: area.x + startPx, width: area.width - startPx }
    const block = stage.setTexts({ boxes: besides, area: beside, tail: placeAndTime(stage, beside.width) })
    const highest = Math.max(area.y, area.y + area.height - height)
    drawAt(area.x, Math.min(Math.max(area.y, (block.top + block.bottom - height) / 2), highest))
    return
  }
  const { allPx, height, drawAt } = leavesOf(fitting)
  const freePx = area.width - allPx
  const x = area.x + (text.align === 'start' ? 0 : text.align === 'end' ? freePx : freePx / 2)
  const lead = { heightPx: height, gapPx, draw: ({ y }: Area) => drawAt(x, y) }
  stage.setTexts({ boxes: besides, area, lead, tail })
}

function drawLeaf(
  role: string,
  text: string,
  canvas: Canvas,
  { x, y, width, height }: Area,
  colors: CardColors,
  scale: number,
): void {
  const [, month = '', day = '', year = ''] = /^(.*) (\S+) (\S+)$/.exec(text) ?? []
  const [radius, headPx] = [26 * scale, Math.round(68 * scale)]
  const dayInk = contrastRatio(colors.ink, white) >= 7 ? colors.ink : dark
  // A mark of a pale ink would be lost on the leaf.
  const isPale = contrastRatio(colors.mark, white) < 1.6
  const [head, onHead] = isPale ? [red, white] : [colors.mark, colors.onMark]
  const [edgePx, innerPx] = [1.5, radius - 1.5]
  const below = height - edgePx
  canvas.shape(roundedRectangle(0, 0, width, height, radius), x, y, width, mix(white, dayInk, 0.12))
  canvas.shape(
    roundedRectangle(edgePx, edgePx, width - 2 * edgePx, height - 2 * edgePx, innerPx),
    x,
    y,
    width,
    head,
  )
  canvas.shape(
    rectangle(edgePx, headPx, width - 2 * edgePx, below - innerPx - headPx) +
      roundedRectangle(edgePx, below - 2 * innerPx, width - 2 * edgePx, 2 * innerPx, innerPx),
    x,
    y,
    width,
    white,
  )
  function line(part: string, largestPx: number, centreY: number, color: Rgb): void {
    const sizesPx = scaledSizes([1, 0.9, 0.8, 0.7, 0.6, 0.5, 0.42], largestPx * scale)
    const fitted = canvas.fit(role, part, { sizesPx, maxLines: 1 }, width * 0.88, height)
    canvas.label(role, fitted, x, y + centreY, width, color, 'center')
  }
  line(month, 37, headPx / 2, onHead)
  line(day, 126, headPx + (height - headPx) * 0.43, dayInk)
  line(year, 27, headPx + (height - headPx) * 0.84, mix(white, dayInk, 0.66))
}

const red: Rgb = { r: 212, g: 54, b: 44 }
const dark: Rgb = { r: 20, g: 22, b: 30 }

/** In one line where there is room. */
function placeAndTime({ texts, canvas, boxes, colors }: Stage, widthPx: number): Part | undefined {
  const { place, time } = texts.template?.own ?? {}
  const {
    unit,
    text: { align },
  } = boxes
  const sizesPx = scaledSizes([36, 33, 30, 27], unit)
  function fitPlace(sizesPx: readonly number[], maxLines: number, isWhole: boolean) {
    const spec = { sizesPx, maxLines, leading: 1.34, isWhole }
    return place === undefined
      ? undefined
      : canvas.fit('place', place, spec, widthPx, Number.MAX_SAFE_INTEGER)
  }
  // A smaller line is better than two.
  const linePx = sizesPx.find((sizePx) => {
    const widths = [
      ['place', place],
      ['time', time],
    ].map(([role = '', words]) =>
      words === undefined ? 0 : canvas.line(role, words, sizePx, Number.MAX_SAFE_INTEGER).widthPx,
    )
    return widths.reduce((sum, each) => sum + each, sizePx * 0.9) <= widthPx
  })
  const pleasant = fitPlace(linePx === undefined ? sizesPx : [linePx], 2, true)
  const placed = pleasant?.truncated ? fitPlace(scaledSizes([27, 24], unit), 4, false) : pleasant
  const sizePx = placed?.sizePx ?? sizesPx[0] ?? 0
  const timed = time === undefined ? undefined : canvas.line('time', time, sizePx, widthPx)
  if (placed === undefined && timed === undefined) return undefined
  const spacePx = sizePx * 0.9
  const [placePx, timePx] = [placed?.widthPx ?? 0, timed?.widthPx ?? 0]
  const isOneLine =
    placed === undefined ||
    timed === undefined ||
    (placed.lines.length === 1 && placePx + spacePx + timePx <= widthPx)
  const hasBoth = placed !== undefined && timed !== undefined
  const rowPx = placePx + (hasBoth ? spacePx : 0) + timePx
  const timeHeightPx = timed?.heightPx ?? 0
  const placeHeightPx = placed?.heightPx ?? 0
  function startOf(ownPx: number): number {
    const free = widthPx - ownPx
    return align === 'start' ? 0 : align === 'end' ? free : free / 2
  }
  return {
    heightPx: isOneLine ? Math.max(placeHeightPx, timeHeightPx) : placeHeightPx + timeHeightPx,
    gapPx: 20 * unit,
    draw({ x, y }) {
      if (placed !== undefined) {
        const from = isOneLine ? startOf(rowPx) : 0
        const place = { x: x + from, y, width: isOneLine ? placePx : widthPx, height: placeHeightPx }
        canvas.text('place', placed, place, colors.paleInk, isOneLine ? 'start' : align)
      }
      if (timed === undefined) return
      const from = isOneLine ? startOf(rowPx) + rowPx - timePx : startOf(timePx)
      const baseline = timed.lines[0]?.baselinePx ?? 0
      const top =
        isOneLine && placed !== undefined
          ? y + (placed.lines[0]?.baselinePx ?? 0) - baseline
          : y + placeHeightPx
      canvas.text('time', timed, { x: x + from, y: top, width: timePx, height: timeHeightPx }, colors.paleInk)
      if (!isOneLine || placed === undefined) return
      const radius = sizePx * 0.085
      const ink = placed.lines[0]?.ink ?? { left: 0, right: 0 }
      const middle = (startOf(rowPx) + ink.right - ink.left + from) / 2
      canvas.shape(
        circle(radius, radius, radius),
        x + middle - radius,
        top + baseline - (capital / 2) * sizePx - radius,
        2 * radius,
        colors.paleInk,
      )
    },
  }
}
