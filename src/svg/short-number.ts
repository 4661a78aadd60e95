import { roundTo } from '../lib/round-to.ts'

/** A number as SVG needs it: at most so many decimals, and no zero before the point. */
export function shortNumber(value: number, decimals = 2): string {
  return String(roundTo(value, decimals)).replace(/^(-?)0\./, '$1.')
}
