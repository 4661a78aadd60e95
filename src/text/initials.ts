import { capitals, words } from '../lib/words.ts'
import { hasGlyph } from './coverage/lookup.ts'
import nameParts from './data/name-parts.json' with { type: 'json' }
import { matchEmoji } from './emoji.ts'
import { graphemesOf } from './graphemes.ts'
import { conjunction, givenInitials, hasInitial, isRole, personalName } from './names/byline.ts'
import {
  dropAttachedTitle,
  dropSuffixes,
  type IsTitle,
  isAddendum,
  isDegree,
  splitTitle,
  titlesOf,
} from './names/titles.ts'

export interface InitialsOptions {
  /** From 1 to 3; when absent the number that is usual for the script. */
  readonly length?: number | undefined
  readonly uppercase?: boolean
  /** BCP 47; Turkish, for example, has its own capital of `i`. */
  readonly lang?: string | undefined
}

/** Initials in logical order, on cards and on avatars. A name without a letter or digit that fonts have gives its first emoji, or ''. */
export function initials(name: string, { length, uppercase = true, lang }: InitialsOptions = {}): string {
  const plain = length === undefined ? plainInitials(name) : undefined
  if (plain !== undefined) return plain
  const words = nameWords(name, lang)
  const withLetters = words.filter((word) => /\p{L}/u.test(word))
  const sources = withLetters.length >= 2 ? withLetters : words.filter((word) => /[\p{L}\p{N}]/u.test(word))
  const letters = sources.map(lettersOf).filter((found) => found.length > 0)
  const chosen = choose(letters, length)
  if (chosen.length === 0)
    return graphemesOf(name).find((cluster) => matchEmoji(cluster, true) !== undefined) ?? ''
  return joinInitials(chosen, uppercase, lang)
}

/** Initials as they are shown: in capitals unless the caller keeps the case, and apart where letters would join. */
export function joinInitials(letters: readonly string[], uppercase: boolean, lang?: string): string {
  return letters.map((letter) => (uppercase ? capital(letter, lang) : letter)).reduce(join, '')
}

const plainName = /^[A-Z][a-z]* [A-Z][a-z]*$/

/** A fast path: the rules can only choose the two capitals. */
function plainInitials(name: string): string | undefined {
  if (!plainName.test(name)) return undefined
  const second = name.indexOf(' ') + 1
  return isAddendum(name.slice(second)) ? undefined : name.charAt(0) + name.charAt(second)
}

/** First and last word; with three, the one after the first as well; missing letters come from the last word. */
function choose(words: readonly (readonly string[])[], length: number | undefined): string[] {
  const firsts = words.flatMap(([letter]) => letter ?? [])
  const count = length ?? (singleInitial.test(firsts[0] ?? '') || firsts.length === 1 ? 1 : 2)
  const [first, ...others] = firsts
  const last = others.pop()
  if (first === undefined || count === 1) return first === undefined ? [] : [first]
  const chosen = [first, ...others.slice(0, count - 2), ...(last === undefined ? [] : [last])]
  return [...chosen, ...(words.at(-1)?.slice(1) ?? [])].slice(0, count)
}

/** Thai and Lao write some vowels before the consonant that they belong to. */
const letter = /^(?![\u0E40-\u0E44\u0EC0-\u0EC4])[\p{Lu}\p{Ll}\p{Lt}\p{Lo}\p{N}]/u

/** The grapheme clusters of a word that can be an initial, such as `श्री`, without marks that initials do not have. */
function lettersOf(word: string): string[] {
  return syllablesOf(word)
    .filter((cluster) => letter.test(cluster) && hasGlyph(cluster.codePointAt(0) ?? 0))
    .map((cluster) => {
      const composed = cluster.normalize('NFC')
      const marks = pointed.find(([script]) => script.test(composed))?.[1]
      return marks === undefined ? cluster : composed.replace(marks, '')
    })
}

/** Joins a consonant to the next one; Unicode's clusters know this in some scripts only. */
const joiner = /(?:[\u094D\u09CD\u0A4D\u0ACD\u0B4D\u0C4D\u0CCD\u0D4D\u1039\u17D2]\u200D?|\u0DCA\u200D)$/

function syllablesOf(word: string): readonly string[] {
  const syllables: string[] = []
  for (const cluster of graphemesOf(word)) {
    const before = syllables.at(-1) ?? ''
    if (joiner.test(before) && /^\p{L}/u.test(cluster)) syllables[syllables.length - 1] = before + cluster
    else syllables.push(cluster)
  }
  return syllables
}

/** Marks of a whole word that lone letters lack: points, tones, stress, and vowels of Burmese, which clusters have in part. */
const pointed: readonly (readonly [script: RegExp, marks: RegExp])[] = [
  [/^[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u, /\p{Mn}/gu],
  [/^\p{Script=Thai}/u, /[\u0E47-\u0E4C\u0E4E]/g],
  [/^\p{Script=Lao}/u, /[\u0EC8-\u0ECC\u0ECE]/g],
  [/^\p{Script=Cyrillic}/u, /[\u0300\u0301]/g],
  [/^\p{Script=Myanmar}/u, /[\u102B-\u103A]/g],
]

/** One letter stays one letter: `ß` becomes `ẞ`, not `SS`. */
function capital(cluster: string, lang: string | undefined): string {
  if (cluster === 'ß') return 'ẞ'
  const upper = capitals(cluster, lang)
  return graphemesOf(upper).length === 1 ? upper : cluster
}

const joining = /[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Mongolian}\p{Script=Nko}\p{Script=Mandaic}]$/u

/** Two initials must not join into one word: a zero-width non-joiner parts them. */
function join(text: string, next: string): string {
  return joining.test(text) && joining.test(next) ? `${text}\u200C${next}` : text + next
}

/** The words of a name that may give an initial, given name first. With `lang`, words that are names elsewhere may be titles. */
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

const scripts = words('Latin Cyrillic Greek Arabic Hebrew Devanagari').map(
  (script) => new RegExp(`^[^\\p{L}]*\\p{Script=${script}}`, 'u'),
)
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

/** Only particles in small letters, unless the name is in capitals: `Van Morrison`. `isAnyCase` is for `De La Cruz, Juan`. */
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
