import { fairPenalty, penalties, poorPenalty } from './break-penalties.ts'
import { type Break, partStarts } from './breaks.ts'
import { buildLine, type UnitLine } from './build-line.ts'
import { LineBreaker, loneWordPenalty, trimEnd } from './line-breaker.ts'
import type { Paragraph } from './paragraph.ts'
import type { FitRequest, FittedLine, FittedText } from './types.ts'

/** Breaks below it merely fit; it is that of a break anywhere. */
const emergencyPenalty = 60
/** UTF-16 units that a torn word has on each line at least. */
const partMin = 3
/** Before a title is smaller than this, its longest words break, but for no more than the other size. */
const [titlePxMin, brokenPxMax] = [70, 104]
/** Share of the size between a line's centre and its baseline. */
const baselineShift = 0.35
/** The smallest share of its size that a text gives up for breaks below `fairPenalty`, by the worst break it has. */
const shrinkLimits: readonly (readonly [penalty: number, share: number])[] = [
  [penalties.loneFunctionWord, 0.5],
  [penalties.count, 0.66],
  [penalties.syllable, 0.74],
  // One step of the themes' sizes.
  [fairPenalty, 0.86],
]
/** Penalties of a last line below a share of the widest, which looks lost. */
const shortLines: readonly (readonly [share: number, penalty: number])[] = [
  [1 / 4, penalties.shortPart],
  [1 / 3, fairPenalty],
]

interface Fitting {
  readonly paragraph: Paragraph
  readonly request: FitRequest
}

/** The paragraph at the largest size at which it fits with acceptable breaks, or undefined. */
export function fitParagraph(fitting: Fitting): FittedText | undefined {
  const { maxLines, sizesPx } = fitting.request
  const isLabel = maxLines === 1 && sizesPx.length === 1
  return fitOneLine(fitting) ?? (isLabel ? undefined : fitLines(fitting))
}

/** The whole text on one line of the largest size: nothing is better, so most labels need no search for breaks. */
function fitOneLine({ paragraph, request }: Fitting): FittedText | undefined {
  const { text, advances, lineHeight } = paragraph
  const { maxHeightPx, maxLines } = request
  const [sizePx = 0] = request.sizesPx
  const widthMax = widthMaxAt(request, sizePx)
  const end = trimEnd(text, text.length)
  const hasRoom = maxLines >= 1 && linesIn(maxHeightPx, lineHeight * sizePx) >= 1
  if (!hasRoom || !((advances[end] ?? 0) + (request.tailUnits ?? 0) <= widthMax)) return undefined
  const line = buildLine(paragraph, { start: 0, end, hyphen: false })
  return line.width <= widthMax ? placeLines(paragraph, [line], sizePx, maxHeightPx) : undefined
}

/** The fallbacks in their order: each gives up more than the one before. */
function fitLines(fitting: Fitting): FittedText | undefined {
  const { paragraph, request } = fitting
  const usual = fitWith(fitting, breaksBelow(paragraph, poorPenalty), request.sizesPx)
  return (
    fitWithParts(fitting, usual?.sizePx ?? 0) ??
    (usual && partsApart(fitting, usual)) ??
    (usual && better(fitting, usual)) ??
    fitWith(fitting, breaksBelow(paragraph, emergencyPenalty), request.sizesPx) ??
    fitWithEmergencies(fitting)
  )
}

/** Steps of size that a title of two parts gives up so that a line ends where a part does. */
const partSteps = 2

/** A title of several lines with each of its parts on lines of its own, at nearly the same size, where that has no worse break. */
function partsApart(fitting: Fitting, fitted: FittedText): FittedText | undefined {
  const { paragraph, request } = fitting
  if (fitted.lines.length < 2 || !isTitle(request)) return undefined
  const parts = partStarts(paragraph.text).filter((start) =>
    paragraph.breaks().some(({ offset }) => offset === start),
  )
  if (parts.length === 0) return undefined
  const first = request.sizesPx.indexOf(fitted.sizePx)
  const sizesPx = request.sizesPx.slice(first, first + partSteps + 1)
  const { advances, text } = paragraph
  const middle = (advances[text.length] ?? 0) / 2
  const alone = parts.toSorted(
    (a, b) => Math.abs((advances[a] ?? 0) - middle) - Math.abs((advances[b] ?? 0) - middle),
  )
  const worst = Math.max(worstPenalty(paragraph, fitted), fairPenalty)
  const { maxLines } = request
  const lineCounts = fitted.lines.length < maxLines ? [fitted.lines.length, maxLines] : [maxLines]
  for (const forced of parts.length > 1 ? [parts, ...alone.map((start) => [start])] : [parts])
    for (const limit of [fairPenalty, penalties.compound, penalties.syllable, poorPenalty]) {
      if (limit > fairPenalty && limit > worst + 1) break
      // Lines as many as before, in smaller type, rather than more of them.
      for (const count of lineCounts) {
        const room = { ...fitting, request: { ...request, maxLines: count } }
        const other = fitBelow(room, limit, sizesPx, forced)
        if (other !== undefined) return other
      }
    }
  return undefined
}

/** At the largest size at which neither a break nor a line has this penalty. */
function fitBelow(fitting: Fitting, limit: number, sizesPx: readonly number[], forced?: readonly number[]) {
  return fitWith(fitting, breaksBelow(fitting.paragraph, limit), sizesPx, limit, forced)
}

function isTitle({ sizesPx }: FitRequest): boolean {
  return Math.max(...sizesPx) >= titlePxMin
}

/** Breaks words that would make a title smaller than it should be, at the largest size that is not very large. */
function fitWithParts(fitting: Fitting, sizePx: number): FittedText | undefined {
  const { paragraph, request } = fitting
  if (sizePx >= titlePxMin || !isTitle(request)) return undefined
  const parts = paragraph.breaksInWords(widthMaxAt(request, titlePxMin))
  if (parts.length === 0) return undefined
  const breaks = [...breaksBelow(paragraph, poorPenalty), ...parts].sort((a, b) => a.offset - b.offset)
  const sizesPx = request.sizesPx.filter((size) => size > sizePx && size <= brokenPxMax)
  return fitWith(fitting, breaks, sizesPx)
}

function breaksBelow(paragraph: Paragraph, limit: number) {
  return paragraph.breaks().filter(({ penalty }) => penalty < limit)
}

/** At the largest size at which these breaks allow it, with nothing as bad as `limit`. */
function fitWith(
  fitting: Fitting,
  breaks: readonly Break[],
  sizesPx: readonly number[],
  limit = Infinity,
  forced?: readonly number[],
): FittedText | undefined {
  const { paragraph, request } = fitting
  const breaker = new LineBreaker(paragraph, breaks, request.tailUnits, forced)
  for (const sizePx of sizesPx) {
    const fitted = fitAt(fitting, breaker, sizePx)
    if (fitted !== undefined && (limit === Infinity || worstPenalty(paragraph, fitted) < limit)) return fitted
  }
  return undefined
}

function fitWithEmergencies(fitting: Fitting): FittedText | undefined {
  const { paragraph, request } = fitting
  if (request.isWhole) return undefined
  for (const sizePx of request.sizesPx) {
    const breaks = withEmergencies(paragraph, widthMaxAt(request, sizePx))
    const fitted = fitWith(fitting, breaks, [sizePx])
    if (fitted !== undefined) return fitted
  }
  return undefined
}

/** Tries to avoid the worst breaks by shrinking the type; returns `fitted` if that fails. */
function better(fitting: Fitting, fitted: FittedText): FittedText {
  const { paragraph, request } = fitting
  const worst = worstPenalty(paragraph, fitted)
  const share = shrinkLimits.find(([penalty]) => worst >= penalty)?.[1]
  if (share === undefined) return fitted
  // A line more is a higher price than an article or a short last line.
  const room = { ...request, maxLines: worst < penalties.syllable ? fitted.lines.length : request.maxLines }
  const fittingRoom = { ...fitting, request: room }
  const sizesPx = request.sizesPx.filter(
    (sizePx) => sizePx <= fitted.sizePx && sizePx >= fitted.sizePx * share,
  )
  for (const limit of [fairPenalty, penalties.compound, penalties.syllable, penalties.count]) {
    if (limit > worst) break
    const other = fitBelow(fittingRoom, limit, sizesPx)
    if (other !== undefined) return other
  }
  return fitted
}

/** The worst penalty among the breaks and the last line. */
function worstPenalty(paragraph: Paragraph, { lines, widthPx }: FittedText): number {
  if (lines.length < 2) return 0
  const lastPx = lines.at(-1)?.widthPx ?? 0
  let worst = shortLines.find(([share]) => lastPx < widthPx * share)?.[1] ?? 0
  for (const { start, end } of lines) {
    if (start > 0)
      worst = Math.max(worst, paragraph.breaks().find(({ offset }) => offset === start)?.penalty ?? 0)
    worst = Math.max(worst, loneWordPenalty(paragraph.text, start, end))
  }
  return worst
}

/** Adds breaks between the inner graphemes of stretches wider than a line: the last resort before an ellipsis, without a hyphen. */
function withEmergencies(paragraph: Paragraph, widthMax: number): Break[] {
  const { text, advances } = paragraph
  const graphemeEnds = paragraph.graphemeEnds ?? Array.from(text, (_, at) => at + 1)
  const all: Break[] = []
  let start = 0
  for (const stop of [...paragraph.breaks(), { offset: text.length, penalty: 0, hyphen: false }]) {
    if ((advances[stop.offset] ?? 0) - (advances[start] ?? 0) > widthMax) {
      for (const offset of graphemeEnds) {
        if (offset < start + partMin || offset > stop.offset - partMin || text[offset] === ' ') continue
        all.push({ offset, penalty: emergencyPenalty, hyphen: false })
      }
    }
    if (stop.offset < text.length) all.push(stop)
    start = stop.offset
  }
  return all
}

function widthMaxAt({ maxWidthPx }: FitRequest, sizePx: number): number {
  return (maxWidthPx / sizePx) * 1000
}

/** Sets lines; where their ink is too wide, others with smaller advances. */
function fitAt(
  { paragraph, request }: Fitting,
  breaker: LineBreaker,
  sizePx: number,
): FittedText | undefined {
  const { maxLines, maxHeightPx } = request
  const linesMax = Math.min(maxLines, linesIn(maxHeightPx, paragraph.lineHeight * sizePx))
  const widthMax = widthMaxAt(request, sizePx)
  let limit = widthMax
  for (let tries = 0; tries < 4; tries++) {
    const lines = breaker.linesWithin(limit, linesMax)?.map((range) => buildLine(paragraph, range))
    if (lines === undefined) return undefined
    const excess = Math.max(...lines.map(({ width }) => width)) - widthMax
    if (excess <= 0) return placeLines(paragraph, lines, sizePx, maxHeightPx)
    limit -= excess + 1
  }
  return undefined
}

function linesIn(heightPx: number, lineHeightPx: number): number {
  return Math.floor(heightPx / lineHeightPx + 1e-9)
}

/** Stacks lines from the top; ink that reaches beyond its line pushes lines apart. */
function placeLines(paragraph: Paragraph, lines: readonly UnitLine[], sizePx: number, maxHeightPx: number) {
  const scale = sizePx / 1000
  const lineHeightPx = paragraph.lineHeight * sizePx
  const above = lineHeightPx / 2 + baselineShift * sizePx
  let floorPx = 0
  let baselinePx = above - lineHeightPx
  let widthPx = 0
  const fitted: FittedLine[] = []
  for (const { start, end, isHyphenated, width, pieces, ink, code } of lines) {
    baselinePx = Math.max(baselinePx + lineHeightPx, floorPx - ink.top * scale)
    floorPx = baselinePx + ink.bottom * scale
    const inkPx = {
      left: ink.left * scale,
      top: ink.top * scale,
      right: ink.right * scale,
      bottom: ink.bottom * scale,
    }
    widthPx = Math.max(widthPx, width * scale)
    const own = paragraph.text.slice(start, end).replaceAll('\u00ad', '') + (isHyphenated ? '-' : '')
    const text = code.length > 0 ? own.replaceAll('`', '') : own
    fitted.push({ start, end, text, widthPx: width * scale, baselinePx, pieces, code, ink: inkPx })
  }
  const heightPx = Math.max(baselinePx + lineHeightPx - above, floorPx)
  if (heightPx > maxHeightPx) return undefined
  return {
    sizePx,
    lineHeightPx,
    widthPx,
    heightPx,
    direction: paragraph.direction,
    lines: fitted,
    truncated: false,
  }
}
