import { capitals } from '../lib/words.ts'
import { hasGlyph } from './coverage/lookup.ts'
import { graphemesOf } from './graphemes.ts'
import { matchEmoji } from './match-emoji.ts'
import { nameWords, singleInitial } from './names/name-words.ts'
import { isAddendum } from './names/titles.ts'

export interface InitialsOptions {
  /** From 1 to 3; when absent the number that is usual for the script. */
  readonly length?: number
  readonly uppercase?: boolean
  /** BCP 47; Turkish, for example, has its own capital of `i`. */
  readonly lang?: string
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

/**
 * Marks that say how to read a whole word, which letters that stand alone do not have: vowel points, tones, stress, silent letters,
 * and the vowels of Burmese, which clusters have in part only.
 */
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
