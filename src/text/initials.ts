import { capitals } from '../lib/capitals.ts'
import { graphemesOf } from './graphemes.ts'
import { nameWords } from './name-words.ts'

export interface InitialsOptions {
  /** How many, 1 to 3; when absent the number that is usual for the script. */
  readonly length?: number
  /** False keeps the case of the name. */
  readonly uppercase?: boolean
  /** BCP 47; Turkish, for example, has its own capital of `i`. */
  readonly lang?: string
}

/**
 * The initials of a person's name, in logical order, on cards and on avatars. A name without letter or digit gives its
 * first emoji, or an empty string.
 */
export function initials(name: string, { length, uppercase = true, lang }: InitialsOptions = {}): string {
  if (length === undefined && plainName.test(name)) return plainInitials(name)
  const words = nameWords(name)
  const withLetters = words.filter((word) => /\p{L}/u.test(word))
  const sources = withLetters.length >= 2 ? withLetters : words.filter((word) => /[\p{L}\p{N}]/u.test(word))
  const letters = sources.map(lettersOf).filter((found) => found.length > 0)
  const chosen = choose(letters, length)
  if (chosen.length === 0) return firstEmoji(name)
  return chosen.map((letter) => (uppercase ? capital(letter, lang) : letter)).reduce(join)
}

/** Two plain Latin words, both with a capital: a fast path, since the rules can only choose the two capitals. */
const plainName = /^[A-Z][a-z]+ [A-Z][a-z]+$/

function plainInitials(name: string): string {
  return name.charAt(0) + name.charAt(name.indexOf(' ') + 1)
}

/** Scripts in which one character stands for a person. */
const singleInitial =
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}]/u

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
  return graphemesOf(word)
    .filter((cluster) => letter.test(cluster))
    .map((cluster) => (pointed.test(cluster) ? cluster.normalize('NFC').replace(/\p{Mn}/gu, '') : cluster))
    .map((cluster) => cluster.replace(toneMarks, ''))
}

/** Scripts that write vowels as points, to say how to read a whole word: letters that stand alone have none. */
const pointed = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}]/u
/** Thai and Lao. */
const toneMarks = /[\u0E48-\u0E4B\u0EC8-\u0ECB]/g

/** One letter stays one letter: `ß` becomes `ẞ`, not `SS`. */
function capital(cluster: string, lang: string | undefined): string {
  if (cluster === 'ß') return 'ẞ'
  const upper = capitals(cluster, lang)
  return graphemesOf(upper).length === 1 ? upper : cluster
}

/** Scripts whose letters join to their neighbours. */
const joining = /[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Mongolian}\p{Script=Nko}\p{Script=Mandaic}]$/u
const zeroWidthNonJoiner = '\u200C'

/** Two initials must not join into one word. */
function join(text: string, next: string): string {
  return joining.test(text) && joining.test(next) ? text + zeroWidthNonJoiner + next : text + next
}

const emoji = /\p{Emoji_Presentation}|\p{Extended_Pictographic}/u

function firstEmoji(name: string): string {
  return graphemesOf(name).find((cluster) => emoji.test(cluster)) ?? ''
}
