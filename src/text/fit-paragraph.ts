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

/** Steps of size that a title of two parts gives up so that a line ends where a part does. */
const partSteps = 2

interface Search {
  readonly breaks: readonly Break[]
  readonly sizesPx?: readonly number[]
  readonly maxLines?: number
  /** No break and no line has this penalty. */
  readonly limit?: number
  /** Offsets of breaks at which a line ends in any case. */
  readonly forced?: readonly number[]
}

/** The paragraph at the largest size at which it fits with acceptable breaks, or undefined. */
export function fitParagraph(paragraph: Paragraph, request: FitRequest): FittedText | undefined {
  const isLabel = request.maxLines === 1 && request.sizesPx.length === 1
  return fitOneLine(paragraph, request) ?? (isLabel ? undefined : fitLines(paragraph, request))
}

/** The whole text on one line of the largest size: nothing is better, so most labels need no search for breaks. */
function fitOneLine(paragraph: Paragraph, request: FitRequest): FittedText | undefined {
  const { text, advances } = paragraph
  const { maxHeightPx, maxLines, tailUnits = 0 } = request
  const [sizePx = 0] = request.sizesPx
  const widthMax = widthMaxAt(request, sizePx)
  const end = trimEnd(text, text.length)
  const hasRoom = maxLines >= 1 && linesAt(paragraph, request, sizePx) >= 1
  if (!hasRoom || !((advances[end] ?? 0) + tailUnits <= widthMax)) return undefined
  const line = buildLine(paragraph, { start: 0, end, hyphen: false })
  return line.width <= widthMax ? placeLines(paragraph, [line], sizePx, maxHeightPx) : undefined
}

function widthMaxAt({ maxWidthPx }: FitRequest, sizePx: number): number {
  return (maxWidthPx / sizePx) * 1000
}

function linesAt({ lineHeight }: Paragraph, { maxHeightPx }: FitRequest, sizePx: number): number {
  return Math.floor(maxHeightPx / (lineHeight * sizePx) + 1e-9)
}

function fitLines(paragraph: Paragraph, request: FitRequest): FittedText | undefined {
  const { text, advances } = paragraph
  const isTitle = Math.max(...request.sizesPx) >= titlePxMin

  /** The fallbacks in their order: each gives up more than the one before. */
  function fitInOrder(): FittedText | undefined {
    const usual = fit({ breaks: breaksBelow(poorPenalty) })
    return (
      withBrokenWords(usual?.sizePx ?? 0) ??
      (usual && (withPartsApart(usual) ?? withBetterBreaks(usual))) ??
      fit({ breaks: breaksBelow(emergencyPenalty) }) ??
      withEmergencies()
    )
  }

  function breaksBelow(limit: number): readonly Break[] {
    return paragraph.breaks().filter(({ penalty }) => penalty < limit)
  }

  /** At the largest size at which these breaks allow it. */
  function fit({ breaks, sizesPx = request.sizesPx, maxLines = request.maxLines, limit, forced }: Search) {
    const breaker = new LineBreaker(paragraph, breaks, request.tailUnits, forced)
    for (const sizePx of sizesPx) {
      const fitted = fitAt(breaker, sizePx, maxLines)
      if (fitted !== undefined && (limit === undefined || worstPenalty(paragraph, fitted) < limit))
        return fitted
    }
    return undefined
  }

  /** Sets lines; where their ink is too wide, others with smaller advances. */
  function fitAt(breaker: LineBreaker, sizePx: number, maxLines: number): FittedText | undefined {
    const linesMax = Math.min(maxLines, linesAt(paragraph, request, sizePx))
    const widthMax = widthMaxAt(request, sizePx)
    let limit = widthMax
    for (let tries = 0; tries < 4; tries++) {
      const lines = breaker.linesWithin(limit, linesMax)?.map((range) => buildLine(paragraph, range))
      if (lines === undefined) return undefined
      const excess = Math.max(...lines.map(({ width }) => width)) - widthMax
      if (excess <= 0) return placeLines(paragraph, lines, sizePx, request.maxHeightPx)
      limit -= excess + 1
    }
    return undefined
  }

  /** Breaks words that would make a title smaller than it should be, at the largest size that is not very large. */
  function withBrokenWords(usualPx: number): FittedText | undefined {
    if (usualPx >= titlePxMin || !isTitle) return undefined
    const parts = paragraph.breaksInWords(widthMaxAt(request, titlePxMin))
    if (parts.length === 0) return undefined
    const breaks = [...breaksBelow(poorPenalty), ...parts].sort((a, b) => a.offset - b.offset)
    return fit({ breaks, sizesPx: request.sizesPx.filter((size) => size > usualPx && size <= brokenPxMax) })
  }

  /** A title of several lines with each of its parts on lines of its own, at nearly the same size, where that has no worse break. */
  function withPartsApart(usual: FittedText): FittedText | undefined {
    const lineCount = usual.lines.length
    if (lineCount < 2 || !isTitle) return undefined
    const parts = partStarts(text).filter((start) =>
      paragraph.breaks().some(({ offset }) => offset === start),
    )
    if (parts.length === 0) return undefined
    const first = request.sizesPx.indexOf(usual.sizePx)
    const sizesPx = request.sizesPx.slice(first, first + partSteps + 1)
    const middle = (advances[text.length] ?? 0) / 2
    const fromMiddle = (start: number) => Math.abs((advances[start] ?? 0) - middle)
    const alone = parts.toSorted((a, b) => fromMiddle(a) - fromMiddle(b)).map((start) => [start])
    const worst = Math.max(worstPenalty(paragraph, usual), fairPenalty)
    for (const forced of parts.length > 1 ? [parts, ...alone] : [parts])
      for (const limit of [fairPenalty, penalties.compound, penalties.syllable, poorPenalty]) {
        if (limit > fairPenalty && limit > worst + 1) break
        // Lines as many as before, in smaller type, rather than more of them.
        for (const maxLines of new Set([lineCount, request.maxLines])) {
          const other = fit({ breaks: breaksBelow(limit), limit, sizesPx, maxLines, forced })
          if (other !== undefined) return other
        }
      }
    return undefined
  }

  /** Tries to avoid the worst breaks by shrinking the type; returns `usual` if that fails. */
  function withBetterBreaks(usual: FittedText): FittedText {
    const worst = worstPenalty(paragraph, usual)
    const share = shrinkLimits.find(([penalty]) => worst >= penalty)?.[1]
    if (share === undefined) return usual
    // A line more is a higher price than an article or a short last line.
    const maxLines = worst < penalties.syllable ? usual.lines.length : request.maxLines
    const sizesPx = request.sizesPx.filter((size) => size <= usual.sizePx && size >= usual.sizePx * share)
    for (const limit of [fairPenalty, penalties.compound, penalties.syllable, penalties.count]) {
      if (limit > worst) break
      const other = fit({ breaks: breaksBelow(limit), limit, sizesPx, maxLines })
      if (other !== undefined) return other
    }
    return usual
  }

  function withEmergencies(): FittedText | undefined {
    if (request.isWhole) return undefined
    for (const sizePx of request.sizesPx) {
      const fitted = fit({
        breaks: emergencyBreaks(paragraph, widthMaxAt(request, sizePx)),
        sizesPx: [sizePx],
      })
      if (fitted !== undefined) return fitted
    }
    return undefined
  }

  return fitInOrder()
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
function emergencyBreaks(paragraph: Paragraph, widthMax: number): Break[] {
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
