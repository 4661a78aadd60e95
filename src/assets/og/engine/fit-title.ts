import { graphemesOf } from '../../../text/graphemes.ts'
import type { FittedText } from '../../../text/types.ts'
import type { TextSpec } from '../canvas.ts'
import type { Area } from '../shapes.ts'
import type { CardSize, Shape } from '../theme.ts'
import type { Boxes, CardContext } from './contracts.ts'

type Room = Pick<Area, 'width' | 'height'>

interface Fitted {
  readonly title: FittedText
  readonly subtitle: FittedText | undefined
}

/** The smallest size that still reads as a title on the first size of each shape: there a text is cut instead. */
const floorsPx: Readonly<Record<Shape, number>> = { wide: 60, square: 68, tall: 76 }
/** Lines that a long title may have where the height is free. */
const linesMax: Readonly<Record<Shape, number>> = { wide: 6, square: 7, tall: 9 }
/** The largest size of a cut text, as a multiple of the smallest. */
const cutGrowth = 1.45
/** Sizes of a title whose words would be torn in the smallest one of its theme, as shares of that. */
const tinyShares = [0.86, 0.74]
/** The largest size of a torn word, in units. */
const tornPxMax = 84
/** Longer titles may be cut. */
const uncutLength = 80
/** The smallest subtitle, in units. */
const subtitlePxMin = 23
/** The title's size is at least this multiple of the subtitle's. */
const hierarchy = 1.8

/** Titles of so many letters grow beyond the sizes of their theme, on one line of a wide card. */
const shortMax = 12
const [growth, growthStep] = [1.9, 0.94]
const squarePxMax = 240

type Fitting = CardContext & { readonly room: Room }

/** The title as large as its room allows, and below it the subtitle, which is smaller by `hierarchy`. */
export function fitTitleAndSubtitle(card: CardContext, room: Room): Fitted {
  const fitting = { ...card, room }
  for (const fitted of fallbacks(fitting))
    if (fitted !== undefined) return { ...fitted, title: spacedBySize(fitting, fitted) }
  throw new Error('The last fallback always fits.')
}

/** The fallbacks in their order. Each is laid out only where those before it did not fit, because most cards need the first alone. */
function* fallbacks(fitting: Fitting): Generator<Fitted | undefined> {
  const { texts, room, boxes, size } = fitting
  const { floorPx = floorsPx[size.shape] * size.unit, wholePxMin = floorPx } = boxes.title
  const floors = [...new Set([floorPx, wholePxMin])]
  const isShortTitle = isShort(texts.title)
  if (texts.subtitle) {
    const text = texts.subtitle
    function titleAbove(subtitle: FittedText | undefined, titlePxMin: number): Fitted | undefined {
      const title = subtitle && fitAbove(fitting, subtitle, titlePxMin)
      return title && { title, subtitle: below(fitting, title, subtitle, text) }
    }
    const pleasant = fitSubtitle(fitting, text)
    yield titleAbove(pleasant, floorPx)
    const line = oneLine(fitting, text)
    // The whole of it in its smallest size, where that needs fewer lines or lower ones.
    const spec = boxes.subtitle
    const smallest = { ...spec, sizesPx: [Math.min(...spec.sizesPx)], maxLines: spec.maxLines + 1 }
    const whole = pleasant.truncated || !line.truncated ? undefined : setSubtitle(fitting, text, smallest)
    yield titleAbove(whole, floorPx)
    if (wholePxMin !== floorPx)
      for (const subtitle of [pleasant, whole]) yield titleAbove(subtitle, wholePxMin)
    for (const titlePxMin of floors) yield titleAbove(line, titlePxMin)
    if (isShortTitle) yield smallAbove(fitting, line, text)
  }
  for (const titlePxMin of floors) {
    const title = fitAbove(fitting, undefined, titlePxMin)
    yield title && { title, subtitle: undefined }
  }
  const title = isShortTitle ? small(fitting, room.height) : cutAt(fitting, floorPx)
  yield { title, subtitle: undefined }
}

function setTitle({ texts, canvas, room, boxes }: Fitting, spec: TextSpec, heightPx: number): FittedText {
  return canvas.fit(boxes.title.role ?? 'title', texts.title, spec, room.width, heightPx)
}

/** Fits the subtitle into the width that its sign leaves. */
function setSubtitle(
  { canvas, room, boxes: { subtitle } }: Fitting,
  text: string,
  spec: TextSpec,
  widthPxMax = Number.POSITIVE_INFINITY,
  heightPx = room.height,
): FittedText {
  const { role = 'subtitle', sign, sizesPx } = subtitle
  const signPx = sign === undefined ? 0 : sign.indent * Math.max(...sizesPx)
  return canvas.fit(role, text, spec, Math.min(room.width - signPx, widthPxMax), heightPx)
}

/**
 * Letter spacing in 1/1000 em, added to that of the theme, and line height as a multiple of the theme's, from the smallest size of
 * each step on, in units: in steps, because each has letters of its own in the cache. Large letters look too far apart where small
 * ones run together.
 */
const steps = [
  [116, -8, 0.97],
  [64, 0, 1],
  [50, 10, 1.03],
  [0, 18, 1.06],
] as const

/** The title again, spaced as its size needs; as it was where its lines would end elsewhere, because those are the best. */
function spacedBySize(fitting: Fitting, { title, subtitle }: Fitted): FittedText {
  const spec = fitting.boxes.title
  const { sizePx, truncated, lines } = title
  const [, trackingUnits, factor] =
    steps.find(([sizeMin]) => sizePx / fitting.size.unit >= sizeMin) ?? steps[1]
  if (trackingUnits === 0) return title
  const wanted = {
    ...spec,
    sizesPx: [sizePx],
    maxLines: lines.length,
    leading: (spec.leading ?? 1) * factor,
    trackingUnits,
    isWhole: !truncated,
  }
  const spaced = setTitle(fitting, wanted, roomAbove(fitting.room, subtitle))
  const hasSameLines =
    spaced.lines.length === lines.length && spaced.lines.every(({ start }, at) => start === lines[at]?.start)
  return spaced.truncated === truncated && hasSameLines ? spaced : title
}

/** The whole title at a size that reads as one, above a subtitle; undefined where it does not fit. */
function fitAbove(
  fitting: Fitting,
  subtitle: FittedText | undefined,
  floorPx: number,
): FittedText | undefined {
  const { texts, boxes, size } = fitting
  const { title } = boxes
  const heightPx = roomAbove(fitting.room, subtitle)
  const usualPx = Math.min(title.maxHeightPx, heightPx)
  const sizesPx = title.sizesPx.filter((sizePx) => sizePx >= floorPx)
  const large = title.floorPx === undefined && isVeryShort(texts.title) ? grownSizes(title, size) : []
  const largeLines = size.shape === 'wide' ? 1 : texts.title.split(' ').length
  const tries = [
    [large, largeLines, usualPx],
    [sizesPx.length === 0 ? [floorPx] : sizesPx, title.maxLines, usualPx],
    [[...sizesPx, floorPx], Math.max(title.maxLines, linesMax[size.shape]), heightPx],
  ] as const
  const first = large.length > 0 ? 0 : floorPx === title.wholePxMin ? 2 : 1
  for (const [sizes, maxLines, maxHeightPx] of tries.slice(first)) {
    const fitted = setTitle(fitting, { ...title, sizesPx: sizes, maxLines, isWhole: true }, maxHeightPx)
    if (!fitted.truncated) return fitted
  }
  return undefined
}

function isVeryShort(title: string): boolean {
  return title.length <= shortMax || (title.length <= 4 * shortMax && graphemesOf(title).length <= shortMax)
}

function grownSizes({ sizesPx }: Boxes['title'], { shape }: CardSize): readonly number[] {
  const usualPx = Math.max(...sizesPx)
  const largestPx = shape === 'square' ? Math.min(growth * usualPx, squarePxMax) : growth * usualPx
  const sizes: number[] = []
  for (let sizePx = largestPx; sizePx > usualPx; sizePx *= growthStep) sizes.push(Math.floor(sizePx))
  return sizes
}

/** A text that is cut anyway has the largest size at which its lines fill the height, so that nothing stays empty beside it. */
function cutAt(fitting: Fitting, floorPx: number): FittedText {
  const { room, boxes, size } = fitting
  const maxLines = Math.max(boxes.title.maxLines, linesMax[size.shape])
  function fitAt(sizePx: number) {
    return setTitle(fitting, { ...boxes.title, sizesPx: [sizePx], maxLines }, room.height)
  }
  const smallest = fitAt(floorPx)
  const filling = Math.floor(room.height / (maxLines * (smallest.lineHeightPx / smallest.sizePx)))
  const sizePx = Math.min(filling, Math.round(floorPx * cutGrowth))
  const larger = sizePx > floorPx ? fitAt(sizePx) : smallest
  return larger.lines.length >= smallest.lines.length ? larger : smallest
}

/** A short title of wide letters, which is never cut while a smaller size holds it whole. */
function small(fitting: Fitting, heightPx: number, sizePxMin = 0): FittedText {
  const { boxes, size } = fitting
  const { title } = boxes
  const smallestPx = Math.min(...title.sizesPx)
  const sizesPx = [...title.sizesPx, ...tinyShares.map((share) => Math.round(smallestPx * share))].filter(
    (sizePx) => sizePx >= sizePxMin,
  )
  const maxLines = linesMax[size.shape] + 1
  for (const spec of [title, { ...title, maxLines, sizesPx }]) {
    const whole = setTitle(fitting, { ...spec, isWhole: true }, heightPx)
    if (!whole.truncated) return whole
  }
  const denseSizes = title.sizesPx.filter((sizePx) => sizePx <= tornPxMax * size.unit)
  return setTitle(fitting, { ...title, maxLines, sizesPx: denseSizes }, heightPx)
}

/** Both in small sizes; undefined where the title would be cut or too small beside the subtitle. */
function smallAbove(fitting: Fitting, line: FittedText, text: string): Fitted | undefined {
  const sizePxMin = hierarchy * subtitlePxMin * fitting.boxes.unit
  const title = small(fitting, roomAbove(fitting.room, line), sizePxMin)
  const isPair = !title.truncated && title.sizePx >= sizePxMin
  return isPair ? { title, subtitle: below(fitting, title, line, text) } : undefined
}

function below(fitting: Fitting, title: FittedText, fitted: FittedText, text: string): FittedText {
  const sizePxMax = title.sizePx / hierarchy
  if (fitted.sizePx <= sizePxMax) return fitted
  const { subtitle } = fitting.boxes
  const sizesPx = subtitle.sizesPx.filter((sizePx) => sizePx <= sizePxMax)
  if (sizesPx.length === 0) sizesPx.push(Math.floor(sizePxMax))
  return setSubtitle(fitting, text, { ...subtitle, sizesPx }, subtitle.maxWidthPx, fitted.heightPx)
}

function roomAbove(room: Room, subtitle: FittedText | undefined): number {
  return subtitle === undefined ? room.height : room.height - subtitle.heightPx - gapPxMin(subtitle)
}

/** Two or three lines that are pleasant to read; only a text that does not fit gets more lines, in a smaller size. */
function fitSubtitle(fitting: Fitting, text: string): FittedText {
  const { subtitle } = fitting.boxes
  const heightPx = fitting.room.height * 0.4
  const pleasant = setSubtitle(fitting, text, { ...subtitle, isWhole: true }, subtitle.maxWidthPx, heightPx)
  if (!pleasant.truncated) return pleasant
  const smallestPx = Math.min(...subtitle.sizesPx)
  const dense = { ...subtitle, sizesPx: [smallestPx, smallestPx - 4], maxLines: subtitle.maxLines + 2 }
  return setSubtitle(fitting, text, dense, undefined, heightPx)
}

function oneLine(fitting: Fitting, text: string): FittedText {
  const { subtitle } = fitting.boxes
  return setSubtitle(fitting, text, { ...subtitle, sizesPx: subtitle.sizesPx.slice(-1), maxLines: 1 })
}

/** The least room between the title's last line box and the subtitle. */
export function gapPxMin(subtitle: FittedText): number {
  return subtitle.sizePx * 0.6
}

function isShort(title: string): boolean {
  return title.length <= uncutLength || Array.from(title).length <= uncutLength
}
