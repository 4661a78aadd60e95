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

/** A place where a line may end and the next one start, the text's own start and end among them. Lengths in 1/1000 em of advances. */
interface Stop {
  readonly offset: number
  readonly hyphen: boolean
  /** Up to the end of a line that ends here. */
  readonly end: number
  /** Up to the start of a line that starts here. */
  readonly start: number
  /** Extra cost of breaking here. */
  readonly price: number
  /** No line to here starts before this stop. */
  readonly floor: number
}

/** The cheapest lines up to a stop. */
interface Way {
  readonly cost: number
  readonly stop: Stop
  readonly before: Way | undefined
}

/** Breaks a paragraph at many widths, in 1/1000 em of advances: who builds the lines checks ink. */
export class LineBreaker {
  private readonly text: string
  private readonly stops: readonly Stop[]
  /** The greatest width between two neighbouring stops. */
  private readonly widest: number
  /** The widest space that a line may hide at its end. */
  private readonly gap: number

  /**
   * @param tail room behind the last line.
   * @param forced offsets of breaks at which a line ends in any case.
   */
  constructor(paragraph: Paragraph, breaks: readonly Break[], tail = 0, forced: readonly number[] = []) {
    this.text = paragraph.text
    this.stops = stopsOf(paragraph, breaks, tail, forced)
    let [widest, gap, last] = [0, 0, 0]
    for (const [at, { start, end }] of this.stops.entries()) {
      if (at > 0) widest = Math.max(widest, end - last)
      gap = Math.max(gap, start - end)
      last = start
    }
    this.widest = widest
    this.gap = gap
  }

  /** The fewest lines, at most `linesMax`, with the least raggedness and the cheapest breaks; undefined where there are none. */
  linesWithin(widthMax: number, linesMax: number): LineRange[] | undefined {
    const { stops, widest, gap } = this
    const [first] = stops
    const last = stops.length - 1
    const length = stops[last]?.end ?? 0
    if (first === undefined || widest > widthMax || length > (widthMax + gap) * linesMax) return undefined
    let ways: readonly (Way | undefined)[] = [{ cost: 0, stop: first, before: undefined }]
    for (let lines = 1; lines <= linesMax; lines++) {
      const end = this.endLine(last, ways, widthMax)
      if (end !== undefined) return this.rangesTo(end)
      const next: (Way | undefined)[] = [undefined]
      for (let at = 1; at < last; at++) next.push(this.endLine(at, ways, widthMax))
      ways = next
    }
    return undefined
  }

  /** The cheapest way to end one more line at a stop; undefined where there is none. */
  private endLine(at: number, ways: readonly (Way | undefined)[], widthMax: number): Way | undefined {
    const { stops } = this
    const stop = stops[at]
    if (stop === undefined) return undefined
    const { end, price, floor } = stop
    let [origin, least]: [Way | undefined, number] = [undefined, Infinity]
    for (let from = at - 2; from >= floor; from--) {
      const width = end - (stops[from]?.start ?? 0)
      if (width > widthMax) break
      const before = ways[from]
      if (before === undefined) continue
      const cost = before.cost + (1 - width / widthMax) ** 2
      if (cost >= least) continue
      least = cost
      origin = before
    }
    // The line from the stop before comes last: it may be a lone word, whose price takes time, and seldom is the cheapest.
    const nearest = at > floor ? ways[at - 1] : undefined
    const width = end - (nearest?.stop.start ?? 0)
    if (nearest !== undefined && width <= widthMax) {
      let cost = nearest.cost + (1 - width / widthMax) ** 2
      if (cost <= least) cost += this.lonePrice(nearest.stop, stop)
      if (cost <= least) {
        least = cost
        origin = nearest
      }
    }
    return origin && { cost: least + price, stop, before: origin }
  }

  /** The extra cost of a line that is one word. */
  private lonePrice({ offset: start }: Stop, { offset: end }: Stop): number {
    const { text } = this
    return end < text.length ? priceOf(loneWordPenalty(text, start, trimEnd(text, end))) : 0
  }

  private rangesTo({ stop, before }: Way): LineRange[] {
    if (before === undefined) return []
    const end = trimEnd(this.text, stop.offset)
    return [...this.rangesTo(before), { start: before.stop.offset, end, hyphen: stop.hyphen }]
  }
}

function stopsOf(
  paragraph: Paragraph,
  breaks: readonly Break[],
  tail: number,
  forced: readonly number[],
): readonly Stop[] {
  const { text, advances, marks } = paragraph
  const stops: Stop[] = [
    { offset: 0, hyphen: false, end: 0, start: marks?.starts.get(0) ?? 0, price: 0, floor: 0 },
  ]
  let floor = 0
  for (const { offset, penalty, hyphen } of breaks) {
    const end = trimEnd(text, offset)
    stops.push({
      offset,
      hyphen,
      end: (advances[end] ?? 0) - (marks?.ends.get(end) ?? 0) + (hyphen ? paragraph.hyphen().advance : 0),
      start: (advances[offset] ?? 0) + (marks?.starts.get(offset) ?? 0),
      price: priceOf(penalty),
      floor,
    })
    if (forced.includes(offset)) floor = stops.length - 1
  }
  const offset = text.length
  const end = trimEnd(text, offset)
  const length = (advances[end] ?? 0) - (marks?.ends.get(end) ?? 0) + tail
  stops.push({
    offset,
    hyphen: false,
    end: length,
    start: advances[offset] ?? 0,
    price: 0,
    floor,
  })
  return stops
}

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
