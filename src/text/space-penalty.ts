import { penalties } from './break-penalties.ts'
import type { LeaningWords } from './function-words.ts'
import { isCount, isNumberOfName } from './number-names.ts'
import { isInNumber } from './units.ts'

const wordLengthMax = 7
const letterA = 0x61
const letterZ = 0x7a
/** Signs between spaces that end a line and start none. */
const spacedSigns = /^[-\u2010-\u2015|¦=·•∙⋅/\\+×~→]$/
const openingMarks = /^["'“„«‘¿¡([]+/
const closingMarks = /(?<![.,:;!?…»”])[.,:;!?…»”]+$/
const otherDigit = /[\p{Nd}백천만억조]/u

/** The penalty of a line that ends at the space before `offset`. Most texts are plain prose: no regular expression for them. */
export function spacePenalty(text: string, offset: number, words: LeaningWords): number {
  const start = text.lastIndexOf(' ', offset - 2) + 1
  const found = text.indexOf(' ', offset)
  const end = found < 0 ? text.length : found
  if (mayBeDigit(text, offset - 2) || mayBeDigit(text, offset) || isRoman(text.charCodeAt(offset))) {
    const [before, after] = [text.slice(start, offset - 1), text.slice(offset, end)]
    if (isInNumber(before, after)) return penalties.number
    if (isNumberOfName(before, after, text.slice(end + 1)) || isCount(text.slice(0, start), before, after))
      return penalties.count
  }
  const last = offset - 1 - start <= wordLengthMax ? leaning(text.slice(start, offset - 1), words) : 0
  if (end - offset === 1 && end < text.length && spacedSigns.test(text.charAt(offset)))
    return penalties.spacedSign
  return Math.max(last, encliticPenalty(text, offset, end, words))
}

/** Whether a number may start with the letter: I, V, X. */
export function isRoman(code: number): boolean {
  return code === 0x49 || code === 0x56 || code === 0x58
}

function mayBeDigit(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  if (code < 0x660) return code >= 0x30 && code <= 0x39
  return code < 0x1e00 || code > 0x2fff ? otherDigit.test(text.charAt(at)) : false
}

/** The penalty of a line that ends with this word. */
function leaning(word: string, { before }: LeaningWords): number {
  const found = before.get(word)
  if (found !== undefined) return found
  const first = word.charCodeAt(0)
  if (first >= letterA && first <= letterZ) return 0
  return before.get(word.replace(openingMarks, '').toLowerCase()) ?? 0
}

function encliticPenalty(
  text: string,
  offset: number,
  end: number,
  { after, initials }: LeaningWords,
): number {
  if (end - offset > wordLengthMax || !initials.has(text.charCodeAt(offset))) return 0
  return after.has(text.slice(offset, end).replace(closingMarks, '')) ? penalties.clitic : 0
}
