import { isLabel, isUnit } from './units.ts'

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
export function isNumberOfName(before: string, after: string, rest: string): boolean {
  if (!numberAtStart.test(after) || phraseEnd.test(before) || !letter.test(before)) return false
  const end = rest.indexOf(' ')
  const next = end < 0 ? rest : rest.slice(0, end)
  return name.test(before) || !(number.test(after) && (letterAtStart.test(next) || isUnit(next)))
}

/** Whether the break is between a number and the noun that it counts. */
export function isCount(textBefore: string, before: string, after: string): boolean {
  const words = textBefore.trimEnd()
  const last = words.slice(words.lastIndexOf(' ') + 1)
  if (!counts(before, after) || isLabel(last)) return false
  if (!name.test(last) || phraseEnd.test(last)) return true
  return smallLetter.test(after) && after.length >= lettersOfNoun
}

function counts(word: string, next: string): boolean {
  return number.test(word) && !year.test(word) && (letterAtStart.test(next) || isUnit(next))
}
