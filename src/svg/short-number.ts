import { roundTo } from '../lib/round-to.ts'

/** A number as SVG needs it: at most so many decimals, and no zero before the point. */
export function shortNumber(value: number, decimals = 2): string {
  const text = String(roundTo(value, decimals))
  if (text.startsWith('0.')) return text.slice(1)
  return text.startsWith('-0.') ? `-${text.slice(2)}` : text
}
