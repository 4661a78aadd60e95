import { penalties } from './break-penalties.ts'

const hyphens = /[-\u2010]$/
const slash = /\/$/
const separators = /[-\u2010\u2013\u2014/·,:…~]$/
const partBefore = /(?<![\p{L}\p{M}'’])[\p{L}\p{M}'’]*(?=[-\u2010/]$)/u
const partAfter = /^[\p{L}\p{M}'’]*/u
const frenchPronoun = /^(?:elles?|nous|vous|leur|même|mêmes)(?![\p{L}])/iu
const numberRange = /\p{Nd}[\u2013\u2014-]$/u
const lettersMin = 4

/** The penalty of a break without a space between marks and letters of scripts that write spaces. */
export function markPenalty(before: string, after: string): number {
  if (numberRange.test(before) && /^\p{Nd}/u.test(after)) return penalties.number
  const isHyphen = hyphens.test(before)
  if (!isHyphen && !slash.test(before)) return penalties.punctuation
  const shortest = Math.min(partBefore.exec(before)?.[0].length ?? 0, partAfter.exec(after)?.[0].length ?? 0)
  const isShort = shortest < (isHyphen ? lettersMin : 2)
  return isShort || (isHyphen && frenchPronoun.test(after)) ? penalties.shortPart : penalties.punctuation
}

/** Korean words carry their particles, also behind Latin letters, digits and brackets: they stay whole. */
export function koreanPenalty(before: string): number {
  return separators.test(before) ? penalties.punctuation : penalties.insideHangul
}

/**
 * Whether a quotation mark that stands alone between spaces, as in French, would be torn from what it encloses. Alone,
 * `«` always opens and `»` always closes.
 */
export function tearsQuote(text: string, offset: number): boolean {
  if (text[offset - 1] !== ' ') return false
  return (
    /^[»›](?=[ .,:;!?…)]|$)/.test(text.slice(offset, offset + 2)) ||
    /(?:^|[ (])[«‹] $/.test(text.slice(Math.max(0, offset - 3), offset)) ||
    /^[ๆໆៗฯ]/.test(text.slice(offset, offset + 1))
  )
}
