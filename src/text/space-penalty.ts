import { penalties } from './break-penalties.ts'
import type { LeaningWords } from './function-words.ts'
import { isInNumber, isLabel, isUnit } from './units.ts'

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

/** Numbers that name what stands before them (`Lesson 3`, `Symfony 7`) or count what stands behind them (`8 hours`). */

const number = /^[+−-]?\p{Nd}[\p{Nd}.,:'’/–-]*\p{Nd}$|^\p{Nd}$/u
/** Roman numbers of one letter are more often something else. */
const numberAtStart = /^[+−-]?\p{Nd}|^[IVX]{2,5}(?![\p{L}\p{N}])/u
const year = /^(?:19|20)\p{Nd}{2}$/u
const letter = /\p{L}/u
const letterAtStart = /^["'“„«(]*\p{L}/u
const smallLetter = /^["'“„«(]*\p{Ll}/u
/** A capital, or signs and digits that only names have. */
const name = /^["'“„«([]*\p{Lu}|^.+(?:\p{Lu}|[+#])|^\p{L}+\.\p{L}+$/u
/** A phrase ends here. */
const phraseEnd = /[.,:;!?…。，：；！？、)\]»”–—|/-]$/u
/** Words of up to three letters behind the number of a name are seldom nouns: `Symfony 7 and`. */
const lettersOfNoun = 4

/** Whether the break is before the number of a name, or before one that counts nothing. */
function isNumberOfName(before: string, after: string, rest: string): boolean {
  if (!numberAtStart.test(after) || phraseEnd.test(before) || !letter.test(before)) return false
  const end = rest.indexOf(' ')
  const next = end < 0 ? rest : rest.slice(0, end)
  return name.test(before) || !(number.test(after) && (letterAtStart.test(next) || isUnit(next)))
}

/** Whether the break is between a number and the noun that it counts. */
function isCount(textBefore: string, before: string, after: string): boolean {
  const words = textBefore.trimEnd()
  const last = words.slice(words.lastIndexOf(' ') + 1)
  if (!counts(before, after) || isLabel(last)) return false
  if (!name.test(last) || phraseEnd.test(last)) return true
  return smallLetter.test(after) && after.length >= lettersOfNoun
}

function counts(word: string, next: string): boolean {
  return number.test(word) && !year.test(word) && (letterAtStart.test(next) || isUnit(next))
}
