import { penalties } from './break-penalties.ts'
import type { Break } from './breaks.ts'
import type { Paragraph } from './paragraph.ts'
import { isFunctionWord } from './space-penalty.ts'

/** One line as offsets into the text, spaces at its edges left out. */
export interface LineRange {
  readonly start: number
  readonly end: number
  readonly hyphen: boolean
}

/** Breaks a paragraph at many widths, in 1/1000 em of advances: who builds the lines checks ink. Memory is used again. */
export class LineBreaker {
  private text = ''
  private breaks: readonly Break[] = []
  /** Number of stops: the breaks, and the text's own start and end. */
  private count = 0
  /** ends[stop] and starts[stop]: advances up to the end of a line that ends there, and to the start of one that starts there. */
  private ends = new Float64Array(0)
  private starts = new Float64Array(0)
  /** prices[stop]: extra cost of breaking there. */
  private prices = new Float64Array(0)
  /** lonePrices[stop]: extra cost of a line from the stop before. */
  private lonePrices = new Float64Array(0)
  /** floors[stop]: no line to the stop starts before this one. */
  private floors = new Uint16Array(0)
  /** costs[stop]: cost of the lines before the stop. `nextCosts` is for one line more. */
  private costs = new Float64Array(0)
  private nextCosts = new Float64Array(0)
  /** origins[lines][stop]: first stop of the last line. */
  private readonly origins: Uint16Array[] = []
  /** The greatest width between two neighbouring stops. */
  private widest = 0
  /** The widest space that a line may hide at its end. */
  private gap = 0
  /** True if `starts` never decrease: then a line that starts later is never the longer one. */
  private isAscending = true
  /** The last stop at which the lines so far can end. */
  private reach = 0

  /**
   * @param tail room behind the last line.
   * @param forced offsets of breaks at which a line ends in any case.
   */
  prepare(paragraph: Paragraph, breaks: readonly Break[], tail = 0, forced: readonly number[] = []): void {
    const { text, advances, marks } = paragraph
    const count = breaks.length + 2
    const last = count - 1
    if (count > this.ends.length) {
      const room = 2 * count
      this.ends = new Float64Array(room)
      this.starts = new Float64Array(room)
      this.prices = new Float64Array(room)
      this.lonePrices = new Float64Array(room)
      this.floors = new Uint16Array(room)
      this.costs = new Float64Array(room)
      this.nextCosts = new Float64Array(room)
      this.origins.length = 0
    }
    const { ends, starts, prices, lonePrices, floors } = this
    starts[0] = marks.startOf(0)
    let floor = 0
    let from = 0
    for (let at = 1; at < last; at++) {
      const { offset, penalty, hyphen } = breaks[at - 1] ?? noBreak
      const end = trimEnd(text, offset)
      ends[at] = value(advances, end) - marks.endOf(end) + (hyphen ? paragraph.hyphen().advance : 0)
      starts[at] = value(advances, offset) + marks.startOf(offset)
      prices[at] = priceOf(penalty)
      lonePrices[at] = priceOf(loneWordPenalty(text, from, end))
      floors[at] = floor
      if (forced.includes(offset)) floor = at
      from = offset
    }
    floors[last] = floor
    lonePrices[last] = 0
    const end = trimEnd(text, text.length)
    ends[last] = value(advances, end) - marks.endOf(end) + tail
    starts[last] = value(advances, text.length)
    prices[last] = 0
    this.text = text
    this.breaks = breaks
    this.count = count
    let widest = 0
    let gap = value(starts, 0) - value(ends, 0)
    let isAscending = true
    for (let at = 1; at < count; at++) {
      const startBefore = value(starts, at - 1)
      widest = Math.max(widest, value(ends, at) - startBefore)
      if (value(starts, at) < startBefore) isAscending = false
      gap = Math.max(gap, value(starts, at) - value(ends, at))
    }
    this.widest = widest
    this.gap = Math.max(0, gap)
    this.isAscending = isAscending
  }

  /** The fewest lines, at most `linesMax`, with the least raggedness and the cheapest breaks; undefined where there are none. */
  linesWithin(widthMax: number, linesMax: number): LineRange[] | undefined {
    const { count, ends, gap } = this
    const last = count - 1
    if (this.widest > widthMax || value(ends, last) > (widthMax + gap) * linesMax) return undefined
    this.nextCosts.fill(Infinity, 0, count)
    this.nextCosts[0] = 0
    this.reach = 0
    for (let lines = 1; lines <= linesMax; lines++)
      if (this.addLine(widthMax, lines)) return this.backtrack(lines)
    return undefined
  }

  /** The cheapest way to end one more line at each stop. Returns whether the text can end with it: then no other stop counts. */
  private addLine(widthMax: number, lines: number): boolean {
    const { costs: nextCosts, nextCosts: costs } = this
    this.costs = costs
    this.nextCosts = nextCosts
    const origins = this.originsOf(lines)
    const last = this.count - 1
    if (this.endLine(last, widthMax, origins) < Infinity) return true
    nextCosts[0] = Infinity
    let reach = 0
    for (let at = 1; at < last; at++) {
      const cost = this.endLine(at, widthMax, origins)
      nextCosts[at] = cost
      if (cost < Infinity) reach = at
    }
    this.reach = reach
    return false
  }

  /** The cost of the cheapest way to end a line at a stop; infinite where there is none. */
  private endLine(at: number, widthMax: number, origins: Uint16Array): number {
    const { starts, costs, reach } = this
    const end = value(this.ends, at)
    const price = value(this.prices, at)
    const floor = value(this.floors, at)
    let least = Infinity
    // Behind `reach` no line starts. Where starts decrease, all of them are looked at: a line too long ends the search.
    const latest = this.isAscending && reach < at ? reach : at - 1
    for (let from = latest; from >= floor; from--) {
      const width = end - value(starts, from)
      if (width > widthMax) break
      const lone = from === at - 1 ? value(this.lonePrices, at) : 0
      const cost = value(costs, from) + (1 - width / widthMax) ** 2 + price + lone
      if (cost < least) {
        least = cost
        origins[at] = from
      }
    }
    return least
  }

  private originsOf(lines: number): Uint16Array {
    this.origins[lines] ??= new Uint16Array(this.ends.length)
    return this.origins[lines]
  }

  private backtrack(count: number): LineRange[] {
    const { text, breaks } = this
    const ranges = new Array<LineRange>(count)
    let at = this.count - 1
    for (let line = count; line > 0; line--) {
      const from = value(this.originsOf(line), at)
      const { offset: end, hyphen } = breaks[at - 1] ?? { offset: text.length, hyphen: false }
      const start = breaks[from - 1]?.offset ?? 0
      ranges[line - 1] = { start, end: trimEnd(text, end), hyphen }
      at = from
    }
    return ranges
  }
}

const noBreak: Break = { offset: 0, penalty: 0, hyphen: false }

function priceOf(penalty: number): number {
  return (penalty / 80) ** 2
}

/** Longer words may have a line; function words, and those before a comma, longer than the second. */
const [loneMax, longLoneMax] = [5, 8]
const cased = /^\p{Lu}?[\p{Ll}’']*,?$/u
const caseless = /^\p{Lo}{1,3}$/u

/** The penalty of a line that is one word between two spaces, and not the last. */
export function loneWordPenalty(text: string, start: number, end: number): number {
  if (end - start > longLoneMax || text[end] !== ' ' || (start > 0 && text[start - 1] !== ' ')) return 0
  const word = text.slice(start, end)
  if (word.includes(' ')) return 0
  if (isFunctionWord(word)) return penalties.loneFunctionWord
  const isShort = word.length <= loneMax || word.endsWith(',')
  return isShort && (cased.test(word) || caseless.test(word)) ? penalties.loneWord : 0
}

/** The end of what shows: a line may end with a space. */
export function trimEnd(text: string, end: number): number {
  return text[end - 1] === ' ' ? end - 1 : end
}

function value(values: Float64Array | Uint16Array, at: number): number {
  return values[at] ?? 0
}
