import titles from '../data/titles.json' with { type: 'json' }

/**
 * Titles, degrees before the name and forms of address, by language. Words are lower case, without dots, and with the
 * straight form of quotation marks that stand inside a word (`ד"ר`).
 */
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

function merged(kind: keyof Titles): ReadonlySet<string> {
  return new Set(Object.values(languages).flatMap((titles) => wordsOf(titles[kind])))
}

function wordsOf(list = ''): string[] {
  return list.split(' ').filter((word) => word !== '')
}

const words = merged('words')
const dotted = merged('dotted')

const ownWords = new Map(
  Object.entries(languages).map(([lang, { ownOnly }]) => [lang, new Set(wordsOf(ownOnly))]),
)

/** Tells titles, with a dot or, as in Arabic and Hindi, a slash or circle behind (`د/`, `पं०`); those that are names elsewhere only with the tag of their language. */
export type IsTitle = (word: string) => boolean

export function titlesOf(lang: string | undefined): IsTitle {
  const own = ownWords.get(lang?.slice(0, lang.search(/-|$/)).toLowerCase() ?? '')
  return (word) => {
    const key = keyOf(word)
    if (words.has(key) || own?.has(key)) return true
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
  return parts.every((part) => words.has(keyOf(part)) || isDotted(keyOf(part), part))
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

/** Longest title in front of a name. */
const charsMax = 24

/** Without a title that is written together with the name and never gives an initial. */
export function dropAttachedTitle(word: string): string {
  const found = attached.find((pattern) => pattern.test(word))
  return found === undefined ? word : word.replace(found, '')
}
