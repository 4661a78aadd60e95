import { contrastRatio, mix, type Rgb, white } from '../../../lib/color.ts'
import { type Part, partPx, type Stage, scaledSizes, sizeSteps, textPart } from '../engine/contracts.ts'
import { aboveFoot, drawWith, fitDetails, fitEyebrow, stacked } from '../engine/text-block.ts'
import { type Area, rectangle, roundedRectangle, startIn } from '../shapes.ts'

const [leafPx, leafHeightPx, leafGapPx] = [228, 262, 56]
/** Sizes of the leaf: beside the title, of two beside it, above it the largest that leaves the title its room, and where none does. */
const [single, double, above, narrow] = [1, 0.84, [1, 0.8, 0.64, 0.5, 0.4, 0.34], 0.5] as const
const [titleMax, titleMin] = [96, 34]

/** A leaf of a calendar beside the title, or above it. */
export function draw(stage: Stage): void {
  const { texts, canvas, boxes, size } = stage
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
    const [width = 0, height = 0, betweenPx = 0] = [leafPx, leafHeightPx, 20].map((px) =>
      Math.round(px * scale * unit),
    )
    const allPx = leaves.length * (width + betweenPx) - betweenPx
    function drawAt(x: number, y: number): void {
      for (const [at, [role, words]] of leaves.entries()) {
        const place = { x: x + at * (width + betweenPx), y, width, height }
        drawLeaf(stage, role, words ?? '', place, scale * unit)
      }
    }
    return { allPx, height, drawAt }
  }
  const gapPx = (size.shape === 'wide' ? 26 : 40) * unit
  const spec = { ...besides.title, sizesPx: [floorPx * 1.3, floorPx], maxLines: 4 }
  const eyebrowPx = partPx(fitEyebrow(stage, area))
  const titlePx = canvas.fit('title', texts.title, spec, area.width, area.height).heightPx * 1.1
  function fittingWith(tail: Part | undefined) {
    const takenPx = gapPx + titlePx + eyebrowPx + partPx(tail)
    const scale = above.find((scale) => leavesOf(scale).height + takenPx <= area.height)
    return scale && { scale, tail }
  }
  const whole = fittingWith(placeAndTime(stage, area.width))
  const isTiny = (whole?.scale ?? 0) < narrow
  if (isTiny && !isBeside && texts.eyebrow !== undefined) {
    drawWith(stage, { ...texts, eyebrow: undefined }, draw)
    return
  }
  const fitting = (isTiny && fittingWith(placeAndTime(stage, area.width, 1))) || whole
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
  const { scale, tail } = fitting
  const { allPx, height, drawAt } = leavesOf(scale)
  const x = area.x + startIn(text.align, area.width - allPx)
  const lead = { heightPx: height, gapPx, draw: ({ y }: Area) => drawAt(x, y) }
  stage.setTexts({ boxes: besides, area, lead, tail })
}

function drawLeaf(stage: Stage, role: string, text: string, place: Area, scale: number): void {
  const { canvas, colors } = stage
  const { x, y, width, height } = place
  const [, month = '', day = '', year = ''] = /^(.*) (\S+) (\S+)$/.exec(text) ?? []
  const [radius, headPx] = [26 * scale, Math.round(68 * scale)]
  const dayInk = contrastRatio(colors.ink, white) >= 7 ? colors.ink : dark
  // A mark of a pale ink would be lost on the leaf.
  const isPale = contrastRatio(colors.mark, white) < 1.6
  const [head, onHead] = isPale ? [red, white] : [colors.mark, colors.onMark]
  const [edgePx, innerPx] = [1.5, radius - 1.5]
  const below = height - edgePx
  const innerWidth = width - 2 * edgePx
  const leaf = roundedRectangle(edgePx, edgePx, innerWidth, height - 2 * edgePx, innerPx)
  const page =
    rectangle(edgePx, headPx, innerWidth, below - innerPx - headPx) +
    roundedRectangle(edgePx, below - 2 * innerPx, innerWidth, 2 * innerPx, innerPx)
  canvas.shape(roundedRectangle(0, 0, width, height, radius), x, y, width, mix(white, dayInk, 0.12))
  canvas.shape(leaf, x, y, width, head)
  canvas.shape(page, x, y, width, white)
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

const placeSizes = [36, 33, 30, 27]

/** In one line, in a smaller size before in two, and at most so many lines of the place. */
function placeAndTime(stage: Stage, widthPx: number, maxLines = 4): Part | undefined {
  const { texts, canvas, boxes, colors } = stage
  const { place, time } = texts.template?.own ?? {}
  const given = Object.entries({ place, time }).flatMap(([role, text]) =>
    text === undefined ? [] : [{ role, text }],
  )
  if (given.length === 0) return undefined
  const gapPx = 20 * boxes.unit
  const sizesPx = scaledSizes(placeSizes, boxes.unit)
  const linePx = sizesPx.find((sizePx) => {
    const widths = given.map(({ role, text }) => canvas.line(role, text, sizePx).widthPx)
    return widths.reduce((sum, each) => sum + each, sizePx * (given.length - 1)) <= widthPx
  })
  if (linePx !== undefined || place === undefined)
    return { ...fitDetails(stage, given, widthPx, linePx ?? Math.min(...sizesPx)), gapPx }
  const spec = { sizesPx, leading: 1.34, isWhole: true }
  const pleasant = canvas.fit('place', place, { ...spec, maxLines: Math.min(2, maxLines) }, widthPx)
  const small = { ...spec, sizesPx: scaledSizes([27, 24], boxes.unit), maxLines, isWhole: false }
  const placed = pleasant.truncated ? canvas.fit('place', place, small, widthPx) : pleasant
  return stacked([
    textPart(stage, 'place', placed, 20, colors.paleInk),
    time === undefined
      ? undefined
      : { ...fitDetails(stage, [{ role: 'time', text: time }], widthPx, placed.sizePx), gapPx: 0 },
  ])
}
