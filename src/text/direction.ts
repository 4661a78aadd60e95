import { paragraphLevel, resolveLevels } from './bidi/levels.ts'
import type { Direction } from './types.ts'

const rightToLeft =
  /[\u0590-\u08FF\u200F\u202B\u202E\u2067\uFB1D-\uFDFF\uFE70-\uFEFF\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]/u

/** Direction of the first strong character (rules P2 and P3 of UAX 9); left to right when there is none. */
export function baseDirection(text: string): Direction {
  if (!rightToLeft.test(text)) return 'ltr'
  return paragraphLevel(text) === 1 ? 'rtl' : 'ltr'
}

/** Embedding level of every UTF-16 unit, or undefined when all of them are 0. */
export function embeddingLevels(text: string, base: Direction): Uint8Array | undefined {
  if (base === 'ltr' && !rightToLeft.test(text)) return undefined
  return resolveLevels(text, base === 'rtl' ? 1 : 0)
}

/** Rule L2: the order in which items with these levels stand from left to right. */
export function visualOrder(levels: readonly number[]): number[] {
  const order = levels.map((_, index) => index)
  const lowest = Math.min(...levels.map((level) => level | 1))
  for (let level = Math.max(0, ...levels); level >= lowest; level--) {
    for (let start = 0; start < order.length; start++) {
      let end = start
      while (end < order.length && (levels[end] ?? 0) >= level) end++
      if (end - start > 1) order.splice(start, end - start, ...order.slice(start, end).reverse())
      start = Math.max(start, end)
    }
  }
  return order
}
