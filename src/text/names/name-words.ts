import { words } from '../../lib/words.ts'
import nameParts from '../data/name-parts.json' with { type: 'json' }
import { conjunction, hasInitial, isRole, personalName } from './byline.ts'
import { dropAttachedTitle, dropSuffixes, type IsTitle, isDegree, splitTitle, titlesOf } from './titles.ts'

/**
 * The words of a name that may give an initial, given name first. Titles, particles, generations, degrees, nicknames and remarks
 * in brackets give none, unless the name has nothing else.
 * @param lang some words are titles in one language and names in others
 */
export function nameWords(name: string, lang?: string): readonly string[] {
  const isTitle = titlesOf(lang)
  const words = splitWords(inReadingOrder(personalName(name)), isTitle)
  const named = dropParticles(dropSuffixes(dropTitles(words, isTitle)))
  const own = inOneScript(dropOrdinals(named))
  // Arabic names of a servant of God are one name of two words: `محمد عبد الله` is م and ع.
  const [first = '', ...others] = own.length < 3 ? own : own.filter((_, index) => own[index - 1] !== 'عبد')
  const bare = [dropAttachedTitle(first), ...others].map((word) => dropJoinedArticle(word, lang))
  const only = bare[0]
  if (bare.length === 1 && only !== undefined) return splitSingle(only)
  // `J.R.R.` is three names.
  return bare.flatMap((word) =>
    /^(?:\p{Lu}\.){2,}$/u.test(word) ? word.split('.').filter(hasInitial) : [word],
  )
}

/** A firm of several families: `Smith, Jones & Co`. */
const firm = /\s&\s/u
/** Scripts of languages in which no name is written "Family, Given". */
const familyFirst = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u
/** Particles with a capital that begin other names as well: `Ben Smith`, `Van Morrison`, `Di Wang`, `Le Monde`. */
const givenOrParticle =
  /^(?:Al|Ben|Des|San|Abu|Van|Von|El|La|Le|Les|The|Di|Da|Do|Del|Lo|Bin|Ed|Con|In|An|Ten|Y)\s\p{Lu}\p{Ll}/u
/** The given names of an author's reference: `Lovelace, A. K., Hopper, G.` */
const givenInitials = /^(?:\p{Lu}\.[\s-]?)+$/u

/** The person named first before commas: "Family, Given" is turned around, degrees and roles are dropped. */
function inReadingOrder(name: string): string {
  if (!/[,،，、]/u.test(name)) return name
  const [first = '', ...rest] = name
    .split(/[,،，、]/u)
    .map((part) => part.trim())
    .filter(hasInitial)
  if (firm.test(name) && !first.includes(' ')) return [first, ...rest].join(' ')
  const isFullName = first.includes(' ') && first !== first.toUpperCase()
  const [given, ...others] = rest.filter(
    (part) => !part.split(' ').every((word) => isDegree(word, isFullName)),
  )
  if (given === undefined || !isFamily(first, given)) return first
  return givenInitials.test(given) || others.every(isRole) ? `${given} ${first}` : first
}

/** A family's name stands before the comma: one word without particles and generations. */
function isFamily(first: string, given: string): boolean {
  if (familyFirst.test(first) || isRole(given) || conjunction.test(given)) return false
  if (givenOrParticle.test(first) && given.includes(' ')) return false
  const joined = first.replace(/(?<=[^ ]) [yei] [^ ]+$/iu, '')
  const [, ...more] = dropParticles(joined.split(' '), true)
  return more.every((word) => isDegree(word, false))
}

/** Titles with a slash stay whole, as `ዶ/ር` and `a/l` do. */
function splitWords(name: string, isTitle: IsTitle): string[] {
  return name
    .split(/[\s_|・&]+/u)
    .flatMap((word) => (isTitle(word) || particles.has(word) ? [word] : word.split(/(?<=\/)/)))
    .flatMap((word) => splitTitle(word, isTitle))
    .filter(hasInitial)
}

/** Scripts in which one character stands for a person, who needs no title beside it. */
export const singleInitial =
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}]/u

function dropTitles(words: readonly string[], isTitle: IsTitle): readonly string[] {
  const [first = '', second = ''] = words
  // "The Reverend Jane Doe", "de heer Jan Jansen".
  const article = isTitle(second) && particles.has(first.toLowerCase()) ? 1 : 0
  const kept = words.findIndex((word, index) => index >= article && !isTitle(word))
  // "The Rust Release Team".
  if (kept <= 0) return first === 'The' && words.length > 2 ? words.slice(1) : words
  return words.length - kept >= 2 || singleInitial.test(words[kept] ?? '') ? words.slice(kept) : words
}

/** `20th`, `80s`, `1.`: numbers as words, which give no initial where two other words do. */
const ordinal = /^\p{Nd}+(?:st|nd|rd|th|er|re|[eè]me|e|de|ste|o|a|º|ª|s|'s|’s|-?[йяеа]|-?го|\.)$/iu

function dropOrdinals(words: readonly string[]): readonly string[] {
  const rest = words.filter((word) => !ordinal.test(word))
  return rest.filter((word) => /\p{L}/u.test(word)).length >= 2 ? rest : words
}

/** A name repeated in a second script behind the first gives no initial: `Jackie Chan 成龙`. */
function inOneScript(words: readonly string[]): readonly string[] {
  const isAscii = words.every((word) => ascii.test(word))
  const script = isAscii ? undefined : scripts.find((pattern) => pattern.test(words[0] ?? ''))
  const rest =
    script === undefined ? words : words.filter((word) => script.test(word) || !anyScript.test(word))
  return rest.length >= 2 ? rest : words
}

const scripts: readonly RegExp[] = [
  /^[^\p{L}]*\p{Script=Latin}/u,
  /^[^\p{L}]*\p{Script=Cyrillic}/u,
  /^[^\p{L}]*\p{Script=Greek}/u,
  /^[^\p{L}]*\p{Script=Arabic}/u,
  /^[^\p{L}]*\p{Script=Hebrew}/u,
  /^[^\p{L}]*\p{Script=Devanagari}/u,
]
const ascii = /^[!-~]*$/
const anyScript = /\p{L}/u

/** The parts of a name of one word: `JD` and `JFK` are initials, `Jean-Luc` and `jane.doe` two names, `BOB` is one. */
function splitSingle(word: string): readonly string[] {
  if (/^\p{Lu}{2,3}$/u.test(word) && !syllabic.test(word)) return isShouted(word) ? [word] : Array.from(word)
  const parts = word.split(/[-‐‑.·]+/u).filter((part) => hasInitial(part) && !honorific.test(part))
  return parts.length > 1 ? parts : [word]
}

/** Its syllables count as capitals. */
const syllabic = /\p{Script=Cherokee}/u

/** Joined to a name by a hyphen: `Tanaka-san`. */
const honorific = /^(?:san|sama|kun|chan|sensei|ssi|nim|ji|shi)$/u

/** Three capitals can be pronounced, which tells a name in capitals from initials. */
function isShouted(word: string): boolean {
  return word.length === 3 && /[AEIOUYΑΕΗΙΟΥΩАЕИІОУЫЭЮЯ]/u.test(word.normalize('NFD'))
}

/** Small words between the parts of a name, in Latin, Greek, Cyrillic and scripts without capitals. */
const particles = new Set(words(nameParts.particles))
/** Particles that are also given names, at the start of a name. */
const givenParticles = new Set(words('al ben des san abu בן'))

/**
 * Only particles in small letters, unless the whole name is in capitals: `Van Morrison` keeps his. `isAnyCase` is for the family
 * of `De La Cruz, Juan`.
 */
function dropParticles(name: readonly string[], isAnyCase = false): readonly string[] {
  const isShouted = name.length > 2 && name.every((word) => word === word.toUpperCase())
  const rest = name.filter((word, index) => {
    const spelling = isShouted || isAnyCase ? word.toLowerCase() : word
    return !particles.has(spelling) || (index === 0 && givenParticles.has(spelling))
  })
  return rest.length > 0 ? rest : name
}

/** `al-`, `аль-` and `d’` in small letters before a capital. */
const smallArticle = /^(?:\p{Ll}{1,3}[-‐‑](?=\p{Lu})|\p{Ll}{1,5}['’ʼ](?=\p{Lu}))/u
/** The Arabic article in capitals, before consonants that it takes on as well: `Al-Sayed`, `Ash-Sharif`. */
const arabicArticle =
  /^(?:[AE]l|A[sz](?=-[SZ])|A[drnt](?=-[DRNT])|Ash(?=-Sh)|Ath(?=-Th)|Adh(?=-Dh)|[АЭ]ль|А[рснтзд](?=-[РСНТЗД]))[-‐‑](?=\p{Lu})/u
const arabicLetters = /^ال(?=\p{L}{2})/u
/** Names in which the same two letters are no article, without hamza and with either form of ya. */
const withoutArticle =
  /^ال(?:ل[ّ]?ه|ياس|يسا|ينا|يزابيث?ت?|يكا|يكس|يشا|يف|هام|هه|ها|كس|كسندر|كساندر|كسي|برت|برتو|فريد|فرد|فونسو?|ان|ن|ما|ماس|ماز|مير|ميرا|سا|ناز|وند|تون|تاي|دار|دوس)$/u
/** Languages that write in Arabic letters but have no such article. */
const otherLanguages = /^(?:fa|ug|ku|ckb|sd|ps|ms)\b/i

/** The word without an article or elided particle in front that is no part of its initial. */
function dropJoinedArticle(word: string, lang = ''): string {
  if (arabicLetters.test(word)) {
    const isName = withoutArticle.test(word.replaceAll('ی', 'ي')) || otherLanguages.test(lang)
    return isName ? word : word.replace(arabicLetters, '')
  }
  return word.replace(smallArticle, '').replace(arabicArticle, '')
}
