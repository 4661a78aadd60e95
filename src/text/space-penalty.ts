import { primaryLanguage } from '../lib/words.ts'
import { beyondAscii, boundPenalty, penalties } from './break-penalties.ts'
import commonWords from './data/common-words.json' with { type: 'json' }
import functionWords from './data/function-words.json' with { type: 'json' }
import words from './data/units.json' with { type: 'json' }

const wordLengthMax = 7
/** Longer words are bound to none. */
const boundLengthMax = 12
/** Signs between spaces, and runs of them, that end a line and start none. */
const spacedSigns = /^(?:[-|¦=·•∙⋅/\\+×~→…]|[-|=<>~+*/\\:.&!→]{2,3})$/
const dash = /^[\u2010-\u2015]/
const openingMarks = /^["'“„«‘¿¡([]+/
const closingMarks = /(?<![.,:;!?…»”])[.,:;!?…»”]+$/
const otherDigit = /[\p{Nd}백천만억조]/u

/** Rates lines that end at the space before an offset. Most texts are plain prose: hardly a regular expression for them. */
export function createSpaceJudge(text: string, lang: string | undefined) {
  const { before: leaningBefore, after: leaningAfter, initials } = leaningWords(lang)
  const isAscii = !beyondAscii.test(text)
  return (offset: number): number => {
    const start = text.lastIndexOf(' ', offset - 2) + 1
    const found = text.indexOf(' ', offset)
    const end = found < 0 ? text.length : found
    if (mayBeDigit(text, offset - 2) || mayBeDigit(text, offset) || isRoman(text.charCodeAt(offset))) {
      const penalty = numberPenalty(text, start, offset, end)
      if (penalty > 0) return penalty
    }
    const first = text.charCodeAt(offset)
    if (!isSmallLetter(first)) {
      const isSign = end - offset < 4 && end < text.length && spacedSigns.test(text.slice(offset, end))
      if (isSign || dash.test(text.charAt(offset))) return penalties.spacedSign
    }
    const isShort = offset - 1 - start <= wordLengthMax
    const last = isShort ? leaning(text.slice(start, offset - 1), leaningBefore) : 0
    const isEnclitic =
      end - offset <= wordLengthMax &&
      initials.has(first) &&
      leaningAfter.has(text.slice(offset, end).replace(closingMarks, ''))
    const penalty = Math.max(last, isEnclitic ? penalties.clitic : 0)
    if (isAscii) return penalty
    const before = text.slice(Math.max(start, offset - 1 - boundLengthMax), offset - 1)
    return Math.max(penalty, boundPenalty(before, text.slice(offset, Math.min(end, offset + boundLengthMax))))
  }
}

/** The penalty of a space beside what may be a number; 0 where that is none. */
function numberPenalty(text: string, start: number, offset: number, end: number): number {
  const [before, after] = [text.slice(start, offset - 1), text.slice(offset, end)]
  const last = text.slice(text.lastIndexOf(' ', start - 2) + 1, Math.max(0, start - 1))
  const isOfName = counted.test(after) && number.test(before) && isLatinName(last)
  if (!isOfName && isInNumber(before, after)) return penalties.number
  const isOther = isNumberOfName(before, after, text.slice(end + 1))
  return isOther || (!isOfName && isCount(last, before, after)) ? penalties.count : 0
}

/** True if a number may start with the letter: I, V, X. */
function isRoman(code: number): boolean {
  return code === 0x49 || code === 0x56 || code === 0x58
}

function mayBeDigit(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  if (code < 0x660) return code >= 0x30 && code <= 0x39
  return code < 0x1e00 || code > 0x2fff ? otherDigit.test(text.charAt(at)) : false
}

function isSmallLetter(code: number): boolean {
  return code >= 0x61 && code <= 0x7a
}

/** The penalty of a line that ends with this word. */
function leaning(word: string, before: LeaningWords['before']): number {
  const found = before.get(word)
  if (found !== undefined) return found
  if (word.endsWith('.')) return isAbbreviation(word) ? penalties.abbreviation : 0
  if (isSmallLetter(word.charCodeAt(0))) return 0
  return before.get(word.replace(openingMarks, '').toLowerCase()) ?? 0
}

/** Numbers that name what stands before them (`Lesson 3`, `Symfony 7`) or count what stands behind them (`8 hours`). */

const number = /^[+−-]?\p{Nd}[\p{Nd}.,:'’/–-]*\p{Nd}$|^\p{Nd}$/u
/** Roman numbers of one letter are more often something else. */
const numberAtStart = /^[+−-]?\p{Nd}|^[IVX]{2,5}(?![\p{L}\p{N}])/u
const year = /^(?:19|20)\p{Nd}{2}$/u
const letter = /\p{L}/u
const letterAtStart = /^["'“„«(]*\p{L}/u
/** A Roman number of one letter, which is one only behind a noun that has numbers. */
const romanLetter = /^[IVX](?![\p{L}\p{N}])/u
const smallNumber = /^\p{Nd}{1,3}$/u
/** A noun that is counted, in English. */
const plural = /[^s]s[.,:;!?]*$/i
const englishVerb = /^[A-Za-z]{4,}ed$|^[A-Za-z]{4,}ing$/
const latin = /[A-Za-z]/
const smallLetter = /^["'“„«(]*\p{Ll}/u
/** A capital, or signs and digits that only names have. */
const name = /^["'“„«([]*\p{Lu}|^.+(?:\p{Lu}|[+#])|^\p{L}+\.\p{L}+$/u
const phraseEnd = /[.,:;!?…。，：；！？、)\]»”–—|/-]$/u
/** Words of up to three letters behind the number of a name are seldom nouns: `Symfony 7 and`. */
const lettersOfNoun = 4

/** True if the break is before the number of a name, or before one that counts nothing. */
function isNumberOfName(before: string, after: string, rest: string): boolean {
  const isNumbered = numberedNouns.has(before.toLowerCase())
  if (!numberAtStart.test(after) && !(isNumbered && romanLetter.test(after))) return false
  if (phraseEnd.test(before) || !letter.test(before)) return false
  const end = rest.indexOf(' ')
  const next = end < 0 ? rest : rest.slice(0, end)
  if (isNumbered || (name.test(before) && !isHerald(before))) return true
  return !(number.test(after) && (letterAtStart.test(next) || isUnit(next)))
}

/** True if the break is between a number and the noun that it counts. `last` is the word before both. */
function isCount(last: string, before: string, after: string): boolean {
  if (!counts(before, after) || isLabel(last) || numberedNouns.has(last.toLowerCase())) return false
  if (!name.test(last) || phraseEnd.test(last) || isHerald(last)) return true
  if (after.length < lettersOfNoun) return false
  return smallLetter.test(after) || (smallNumber.test(before) && plural.test(after))
}

/** True if a word before a number says that something is counted, in Title Case too: `Top 10 Tricks`. */
function isHerald(word: string): boolean {
  return heralds.has(withoutMarks(word).toLowerCase()) || englishVerb.test(word)
}

/** True if a word is one of those that say nothing alone: articles, prepositions, abbreviations. */
export function isFunctionWord(word: string): boolean {
  return common.has(word.toLowerCase()) || (word.endsWith('.') && isAbbreviation(word))
}

/** True if a number behind the word belongs to it, whatever script follows. */
function isLatinName(word: string): boolean {
  return latin.test(word) && name.test(word) && !phraseEnd.test(word) && !isHerald(word) && !isLabel(word)
}

function counts(word: string, next: string): boolean {
  return number.test(word) && !year.test(word) && (letterAtStart.test(next) || isUnit(next))
}

/**
 * Units and multipliers, which a line break may not separate from their number. Symbols of units are those of the SI
 * brochure and of ISO 4217, multipliers the words for a thousand, a million and above in the languages that write
 * them apart (CLDR's long compact numbers).
 */
const units = new Set(words.units.split(' '))
const labels = new Set(words.labels.split(' '))
const numberedNouns = new Set(words.numberedNouns.split(' '))
const abbreviations = new Set(words.abbreviations.split(' '))
const common = new Set(Object.values(commonWords).flatMap((list) => list.split(' ')))
const heralds = new Set([...words.heralds.split(' '), ...common])

/** True if the dot of a word ends no sentence: `vs.`, `Eq.`, the initial of a name. */
function isAbbreviation(word: string): boolean {
  const bare = word.replace(openingMarks, '').slice(0, -1)
  return initial.test(bare) || abbreviations.has(bare.toLowerCase())
}

const initial = /^\p{Lu}$/u

/** Scripts whose counters follow a number, with or without a space. */
const counted =
  /^[\u0E00-\u0EFF\u1000-\u109F\u1100-\u11FF\u1780-\u17FF\u3041-\u30FF\u3130-\u318F\u4E00-\u9FFF\uAC00-\uD7AF]/
/** Korean numbers may end on a multiplier. */
const digitAtEnd = /\p{Nd}[백천만억조]?$/u
const digitAtStart = /^[+\-−]?\p{Nd}/u
/** Signs that make an ordinal or an estimate of the number behind them. */
const ordinalPrefix = /[第제约約近超每共全]$/u
const group = /^\p{Nd}{3}(?!\p{Nd})/u
const shortNumber = /(?<!\p{Nd})\p{Nd}{1,3}$/u

/** True if a space stands inside a number or between it and its unit, label or counter. */
function isInNumber(before: string, after: string): boolean {
  if (digitAtEnd.test(before)) return isUnit(after) || (group.test(after) && shortNumber.test(before))
  return digitAtStart.test(after) && isLabel(before)
}

/** True if a word behind a number is its unit or, in some scripts, its counter. */
function isUnit(word: string): boolean {
  return counted.test(word) || units.has(withoutMarks(word).toLowerCase())
}

/** True if the word says that a number follows: `No.`, `§`. */
function isLabel(word: string): boolean {
  return ordinalPrefix.test(word) || labels.has(withoutMarks(word).toLowerCase())
}

const marksAround = /^["'“”„«»()[\]]+|(?<![.,:;!?"'“”«»()[\]])[.,:;!?"'“”«»()[\]]+$/gu

/** A word without the brackets, quotes and stops around it; signs that are units stay. */
function withoutMarks(word: string): string {
  return word.replace(marksAround, '')
}

/**
 * Words that lean on a neighbour, by language (the primary part of a tag): a line does not end on an article or a
 * preposition of one letter, and does not start with an enclitic. Articles are the full paradigms of each grammar;
 * one-letter words are those that the typographic rules of the language name (ČSN 01 6910 for Czech, PN-83/P-55366 for
 * Polish, Milchin's handbook for Russian); enclitics are particles and postpositions written apart.
 */
type FunctionWords = Readonly<Partial<Record<'articles' | 'oneLetter' | 'enclitics', string>>>

const languages: Readonly<Record<string, FunctionWords>> = functionWords

type LeaningWords = ReturnType<typeof leaningWordsOf>

const none = leaningWordsOf([])
const byLanguage = new Map(Object.entries(languages).map(([lang, words]) => [lang, leaningWordsOf([words])]))
const all = leaningWordsOf(Object.values(languages))

/** The leaning words of a language; of all languages when it is not said, because a false one costs a reader nothing. */
function leaningWords(lang: string | undefined): LeaningWords {
  if (lang === undefined) return all
  const primary = primaryLanguage(lang)
  return byLanguage.get(primary === 'no' ? 'nb' : primary) ?? none
}

function leaningWordsOf(lists: readonly FunctionWords[]) {
  function words(name: keyof FunctionWords) {
    return lists.flatMap((list) => list[name]?.split(' ') ?? [])
  }
  /** Penalties of lines that end on a word. */
  const before: ReadonlyMap<string, number> = new Map([
    ...words('articles').map((word) => [word, penalties.article] as const),
    ...words('oneLetter').map((word) => [word, penalties.clitic] as const),
  ])
  /** Words that do not start a line. */
  const after: ReadonlySet<string> = new Set(words('enclitics'))
  const initials: ReadonlySet<number> = new Set(Array.from(after, (word) => word.charCodeAt(0)))
  return { before, after, initials }
}
