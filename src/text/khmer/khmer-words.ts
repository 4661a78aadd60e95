import { brotliDecompressSync } from 'node:zlib'
import { narrow, startsIn } from './khmer-letters.ts'
import { packedWords } from './words.generated.ts'

export interface KhmerWord {
  readonly start: number
  readonly end: number
  /** False for a stretch that the list does not know: a name, or a mistake. */
  readonly isKnown: boolean
}

/** The words in their order, each between two line feeds. */
let list: string | undefined

/** UTF-16 units of the longest word, with a sign of repetition. */
const lengthMax = 20
/** The cost of a cluster that is in no word; that of a word is 1. */
const unknownCost = 3
const repetition = '\u17D7'

/**
 * The words of a run of Khmer letters: as few as possible, by a list that is part of the program because the dictionaries
 * of the engines differ.
 */
export function khmerWords(run: string): readonly KhmerWord[] {
  list ??= `\n${brotliDecompressSync(Buffer.from(packedWords, 'base64')).toString('latin1')}\n`
  const narrowRun = narrow(run)
  const inner = startsIn(run).filter((start) => start > 0)
  const stops = [0, ...inner, run.length]
  const costs = [0, ...new Array<number>(stops.length - 1).fill(Infinity)]
  const origins = stops.map((): KhmerWord => ({ start: 0, end: 0, isKnown: false }))
  for (const [at, start] of stops.entries()) {
    for (let next = at + 1; next < stops.length; next++) {
      const end = stops[next] ?? 0
      if (end - start > lengthMax && next > at + 1) break
      const isKnown = isWord(list, narrowRun.slice(start, run[end - 1] === repetition ? end - 1 : end))
      if (!isKnown && next > at + 1) continue
      const cost = (costs[at] ?? 0) + (isKnown ? 1 : unknownCost)
      if (cost >= (costs[next] ?? 0)) continue
      costs[next] = cost
      origins[next] = { start, end, isKnown }
    }
  }
  return joined(stops, origins)
}

/** The words on the cheapest way to the end; neighbours that are unknown are one. */
function joined(stops: readonly number[], origins: readonly KhmerWord[]): readonly KhmerWord[] {
  const found: KhmerWord[] = []
  for (let at = stops.length - 1; at > 0; ) {
    const word = origins[at]
    if (word === undefined) break
    const after = found[0]
    if (after?.isKnown === false && !word.isKnown) found[0] = { ...word, end: after.end }
    else found.unshift(word)
    at = stops.indexOf(word.start)
  }
  return found
}

/** Whether the list has a word, by halving it. */
function isWord(words: string, word: string): boolean {
  const line = `\n${word}\n`
  for (let low = 0, high = words.length - 1; low < high; ) {
    const start = words.lastIndexOf('\n', (low + high) >> 1)
    const end = words.indexOf('\n', start + 1)
    if (start < low || end < 0) return false
    const other = words.slice(start, end + 1)
    if (other === line) return true
    if (other < line) low = end
    else high = start
  }
  return false
}
