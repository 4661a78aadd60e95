import type { Break } from './breaks.ts'
import type { Paragraph } from './paragraph.ts'

/** One line as offsets into the text, spaces at its edges left out. */
export interface LineRange {
  readonly start: number
  readonly end: number
  readonly hyphen: boolean
}

export type LineBreaker = (widthMax: number, linesMax: number) => LineRange[] | undefined

type Stops = ReturnType<typeof stopsOf>

/**
 * Prepares a paragraph for being broken at these places, and returns a function that does it for a width: the fewest
 * lines, at most `linesMax`, with the least raggedness and the cheapest breaks, or undefined. Widths are in 1/1000 em
 * and sums of advances: ink is checked by whoever builds the lines.
 */
export function lineBreaker(paragraph: Paragraph, breaks: readonly Break[]): LineBreaker {
  const stops = stopsOf(paragraph, breaks)
  const { count, ends, starts } = stops
  const last = count - 1
  let widest = 0
  // The widest space that a line may hide at its end.
  let gap = 0
  for (let at = 0; at < count; at++) {
    widest = Math.max(widest, value(ends, at) - value(starts, at - 1))
    gap = Math.max(gap, value(starts, at) - value(ends, at))
  }
  return (widthMax, linesMax) => {
    if (widest > widthMax || value(ends, last) > (widthMax + gap) * linesMax) return undefined
    let costs = scratch.costs(0, count)
    costs[0] = 0
    for (let lines = 1; lines <= linesMax; lines++) {
      const nextCosts = scratch.costs(lines % 2, count)
      nextLine(stops, widthMax, costs, nextCosts, scratch.origins(lines, count))
      costs = nextCosts
      if (value(costs, last) < Infinity) return backtrack(paragraph.text, breaks, lines)
    }
    return undefined
  }
}

/** Memory of one call at a time: a text is broken at many sizes, and nothing in here outlives a call. */
const scratch = createScratch()

function createScratch() {
  let costs: readonly Float64Array[] = []
  const origins: Uint16Array[] = []
  return {
    /** One of two rows, infinite everywhere. */
    costs(row: number, count: number): Float64Array {
      if ((costs[0]?.length ?? 0) < count) costs = [new Float64Array(2 * count), new Float64Array(2 * count)]
      return (costs[row] ?? new Float64Array(count)).fill(Infinity, 0, count)
    },
    /** Where the line of this number starts, for each stop that it may end at. */
    origins(line: number, count = 0): Uint16Array {
      const kept = origins[line]
      if (kept !== undefined && kept.length >= count) return kept
      const made = new Uint16Array(2 * count)
      origins[line] = made
      return made
    },
  }
}

/** Where lines may end, the text's own start and end included: one entry a stop in each array. */
function stopsOf({ text, advances, marks, hyphen }: Paragraph, breaks: readonly Break[]) {
  const count = breaks.length + 2
  // Advances of the paragraph up to the end of a line that ends here, and up to the start of one that starts here.
  const ends = new Float64Array(count)
  const starts = new Float64Array(count)
  /** What a line that ends here costs beside its raggedness. */
  const prices = new Float64Array(count)
  breaks.forEach(({ offset, penalty, hyphen: hyphenated }, at) => {
    const end = trimEnd(text, offset)
    ends[at + 1] = value(advances, end) - marks.endOf(end) + (hyphenated ? hyphen.advance : 0)
    starts[at + 1] = value(advances, offset) + marks.startOf(offset)
    prices[at + 1] = (penalty / 80) ** 2
  })
  const last = trimEnd(text, text.length)
  starts[0] = marks.startOf(0)
  ends[count - 1] = value(advances, last) - marks.endOf(last)
  starts[count - 1] = value(advances, text.length)
  return { count, ends, starts, prices }
}

/** One step of the dynamic programme: the cheapest way to end one more line at each stop. */
function nextLine(
  { count, ends, starts, prices }: Stops,
  widthMax: number,
  costs: Float64Array,
  nextCosts: Float64Array,
  origins: Uint16Array,
): void {
  for (let at = 1; at < count; at++) {
    const end = value(ends, at)
    const price = value(prices, at)
    let least = Infinity
    for (let from = at - 1; from >= 0; from--) {
      const width = end - value(starts, from)
      if (width > widthMax) break
      const cost = value(costs, from) + (1 - width / widthMax) ** 2 + price
      if (cost < least) {
        least = cost
        origins[at] = from
      }
    }
    nextCosts[at] = least
  }
}

function backtrack(text: string, breaks: readonly Break[], count: number): LineRange[] {
  const lines: LineRange[] = []
  let at = breaks.length + 1
  for (let line = count; line > 0; line--) {
    const from = value(scratch.origins(line), at)
    const stop = breaks[at - 1]
    const start = breaks[from - 1]?.offset ?? 0
    lines.push({ start, end: trimEnd(text, stop?.offset ?? text.length), hyphen: stop?.hyphen ?? false })
    at = from
  }
  return lines.reverse()
}

/** The end of what shows: a line may end with a space. */
export function trimEnd(text: string, end: number): number {
  return text[end - 1] === ' ' ? end - 1 : end
}

function value(values: Float64Array | Uint16Array, at: number): number {
  return values[at] ?? 0
}
