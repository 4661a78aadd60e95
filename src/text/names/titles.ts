import { primaryLanguage, words } from '../../lib/words.ts'
import nameParts from '../data/name-parts.json' with { type: 'json' }
import titles from '../data/titles.json' with { type: 'json' }

/** Titles and forms of address by language, in lower case, without dots, quotation marks inside words straight (`ד"ר`). */
interface Titles {
  /** With a dot or without. */
  readonly words?: string
  /** Only with a dot: without it they are names or other words. */
  readonly dotted?: string
  /** Only when the caller says the language: elsewhere people have these names. */
  readonly ownOnly?: string
}

const languages: Readonly<Record<string, Titles>> = titles

/** Titles written together with the name, longest first; a letter must follow that can start a name. */
const attached: readonly RegExp[] = [
  /^(?:นางสาว|เด็กชาย|เด็กหญิง|คุณหญิง|นาย|นาง|คุณ)(?=[\u0E01-\u0E2E\u0E40-\u0E44].)/,
  /^(?:ທ່ານ|ທ້າວ|ນາງ)(?=[\u0E81-\u0EAE\u0EC0-\u0EC4].)/,
  /^(?:ဒေါက်တာ|ဒေါ်|ဦး)(?=[\u1000-\u1021\u1025-\u102A].)/,
  /^(?:株式会社|有限会社|合同会社|주식회사)(?=.)/u,
]

/** Doctors of many faculties: `MUDr.`, `PharmDr.`. */
const facultyDoctor = /^\p{Lu}\p{L}{0,5}Dr\.?$/u
const isOneLetter = /^\p{L}\p{M}*$/u
const smallLetter = /^\p{Ll}/u

function merged(kind: keyof Titles) {
  return new Set(Object.values(languages).flatMap((titles) => wordsOf(titles[kind])))
}

function wordsOf(list = ''): string[] {
  return list.split(' ').filter((word) => word !== '')
}

const titleWords = merged('words')
const dotted = merged('dotted')

const ownWords = new Map(
  Object.entries(languages).map(([lang, { ownOnly }]) => [lang, new Set(wordsOf(ownOnly))]),
)

/** Tells titles, with a dot or, as in Arabic and Hindi, a slash or circle behind (`د/`, `पं०`); those that are names elsewhere only with the tag of their language. */
export type IsTitle = (word: string) => boolean

export function titlesOf(lang: string | undefined): IsTitle {
  const own = ownWords.get(primaryLanguage(lang))
  return (word) => {
    const key = keyOf(word)
    if (titleWords.has(key) || own?.has(key)) return true
    const isAbbreviation = /[.॰]|[/०]$/.test(word) && (isDotted(key, word) || isChain(word))
    return isAbbreviation || facultyDoctor.test(word)
  }
}

/** One letter is a title only where it is no initial: small, or of a script without capitals. */
function isDotted(key: string, word: string): boolean {
  if (!dotted.has(key)) return false
  return !isOneLetter.test(key) || smallLetter.test(word) || key.toUpperCase() === key
}

/** `Dipl.-Ing.`, `Univ.-Prof.Dr.`: titles joined by dots and hyphens. */
function isChain(word: string): boolean {
  const parts = word.split(/[./-]/).filter((part) => part !== '')
  return parts.every((part) => titleWords.has(keyOf(part)) || isDotted(keyOf(part), part))
}

const plain = /^[a-z]+$/

function keyOf(word: string): string {
  const key = word.toLowerCase()
  if (plain.test(key)) return key
  return key
    .replace(/[.:॰]|[/०]$/g, '')
    .replace(/[״“”„]/g, '"')
    .replace(/[׳’]/g, "'")
    .replace(/^["'(]+/, '')
}

/** The word without titles in front: `ดร.สมชาย`, `د.أحمد`, `นายสมชาย`. */
export function splitTitle(word: string, isTitle: IsTitle): readonly string[] {
  if (isTitle(word)) return [word]
  for (let dot = word.lastIndexOf('.', charsMax); dot > 0; dot = word.lastIndexOf('.', dot - 1)) {
    const title = word.slice(0, dot + 1)
    const name = word.slice(dot + 1)
    if (/^\p{L}[\p{L}\p{M}]/u.test(name) && isTitle(title)) return [title, ...splitTitle(name, isTitle)]
  }
  return [word]
}

const charsMax = 24

/** Without a title that is written together with the name and never gives an initial. */
export function dropAttachedTitle(word: string): string {
  const found = attached.find((pattern) => pattern.test(word))
  return found === undefined ? word : word.replace(found, '')
}

const suffixes = new Set(words(nameParts.suffixes))
/** Legal forms and honorifics: they give no initial even beside one word. */
const addenda = new Set(words(nameParts.addenda))
/** Honorifics that are families as well: with a capital beside one other word they are a family, as in `John Bey`. */
const alsoFamilies = new Set(words('ji bey ag hanim sahib saheb'))
/** Words behind a full name: more likely a degree only where they are in capitals or have dots, as in `John Doe, MA`. */
const alsoNames = new Set(words('ma ba be pe'))
const roman = /^X{0,3}(?:IX|IV|VI{0,3}|I{2,3})$/

/** A word at the end of a name never gives an initial; a lone `V` or `X` is a name. */
export function isAddendum(word: string): boolean {
  return addenda.has(suffixKey(word)) || (word.length > 1 && roman.test(word))
}

/** Behind a comma: there a word that is also a name is more likely a degree. */
const degrees = new Set([
  ...suffixes,
  ...addenda,
  ...alsoNames,
  ...words('dr prof meng beng mphil edd dba mfa frs cfa hons'),
])
/** Capitals behind a full name: more likely a degree than another name. */
const abbreviation = /^(?:\p{Lu}\.?){2,5}$/u
const dottedInitials = /^(?:\p{Lu}\.)+$/u
/** `S.Kom.`, `M.Sc.`, `Ph.D.`: two parts or more. */
const dottedDegree = /^\p{Lu}\p{L}{0,4}\.(?:\p{L}{1,5}\.?){1,3}$/u

function suffixKey(word: string): string {
  return word.toLowerCase().replaceAll('.', '').replace(/[״“”]/g, '"')
}

/** Words behind a comma are no given name. */
export function isDegree(word: string, isFullName: boolean): boolean {
  if (alsoNames.has(word.toLowerCase()) && /^\p{Lu}\p{Ll}/u.test(word)) return false
  return degrees.has(suffixKey(word)) || (isFullName && (abbreviation.test(word) || dottedDegree.test(word)))
}

/** Drops generations, degrees, legal forms and honorifics at the end, as long as a name is left. */
export function dropSuffixes(name: readonly string[]): readonly string[] {
  const [, second = ''] = name
  const isFamily =
    name.length === 2 && alsoFamilies.has(second.toLowerCase()) && /^\p{Lu}\p{Ll}/u.test(second)
  const lastWord = isFamily
    ? 1
    : name.findLastIndex((word, at) => !isAddendum(word) && !(at > 0 && word === 'Co.'))
  const named = lastWord >= 0 ? name.slice(0, lastWord + 1) : name
  const last = named.findLastIndex((word) => !suffixes.has(suffixKey(word)) && !isAddendum(word))
  const kept = last >= 1 ? named.slice(0, last + 1) : named
  const isShouted = kept.every((word) => word === word.toUpperCase())
  const names = kept.slice(0, -1).filter((word) => !dottedInitials.test(word))
  return names.length > 1 && !isShouted && abbreviation.test(kept.at(-1) ?? '') ? kept.slice(0, -1) : kept
}
