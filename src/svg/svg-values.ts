import { roundTo } from '../lib/human-format.ts'
import { escapeHtml } from '../lib/jsx/markup.ts'

/** Characters that XML 1.0 cannot carry in any form are left out; half of a surrogate pair becomes U+FFFD. */
export function escapeXml(text: string): string {
  return plain.test(text) ? text : escapeHtml(text.toWellFormed().replace(forbidden, ''))
}

/** Printable ASCII without `& < > " '`: most text, returned as it is. */
const plain = /^[ !#-%(-;=?-~]*$/
// biome-ignore lint/suspicious/noControlCharactersInRegex: XML 1.0 forbids them
const forbidden = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g

/** No coordinate that we write is larger: renderers count in floats of 32 bits. */
const magnitudeMax = 1e9

/** The nearest number that renderers can draw: 0 for NaN. Numbers that depend on an uploaded file pass through here. */
export function drawable(value: number): number {
  if (value >= -magnitudeMax && value <= magnitudeMax) return value
  return Number.isNaN(value) ? 0 : Math.sign(value) * magnitudeMax
}

/** A number as SVG takes it: finite, with at most so many decimals, and no negative zero. */
export function svgNumber(value: number, decimals = 2): string {
  return String(roundTo(drawable(value), decimals) + 0)
}

export function shortNumber(value: number, decimals = 2): string {
  return withoutLeadingZero(svgNumber(value, decimals))
}

/** A factor with six significant digits: at 10,000 units an error in the third digit is seen. */
export function shortFactor(value: number): string {
  return withoutLeadingZero(String(Number(drawable(value).toPrecision(6))))
}

function withoutLeadingZero(text: string): string {
  if (text.startsWith('0.')) return text.slice(1)
  return text.startsWith('-0.') ? `-${text.slice(2)}` : text
}
