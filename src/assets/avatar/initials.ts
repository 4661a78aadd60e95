import { capitals } from '../../lib/capitals.ts'
import { nameWords } from './name-words.ts'

export interface InitialsOptions {
  /** How many, 1 to 3; when absent the number that is usual for the script. */
  readonly length?: number
  /** Capitals, as far as the script has them. */
  readonly uppercase: boolean
  /** BCP 47; Turkish, for example, has its own capital of `i`. */
  readonly lang?: string
}

const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' })
/** Two plain Latin words, both with a capital: the rules below can only choose the two capitals. */
const plainName = /^[A-Z][a-z]+ [A-Z][a-z]+$/
const wholeName =
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}]/u
const joining = /[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Mongolian}\p{Script=Nko}\p{Script=Mandaic}]$/u
const picture = /\p{Emoji_Presentation}|\p{Extended_Pictographic}/u
const zeroWidthNonJoiner = '\u200C'

/** The letters that stand for a name, in logical order; empty when it has neither letter, digit nor emoji. */
export function initials(name: string, options: InitialsOptions): string {
  if (options.length === undefined && plainName.test(name)) return plainInitials(name)
  const words = nameWords(name)
  const lettered = words.filter((word) => /\p{L}/u.test(word))
  const sources = (lettered.length >= 2 ? lettered : words.filter((word) => /[\p{L}\p{N}]/u.test(word))).map(
    lettersOf,
  )
  const chosen = choose(
    sources.filter((letters) => letters.length > 0),
    options.length,
  )
  if (chosen.length === 0) return firstPicture(name)
  return chosen.map((letter) => (options.uppercase ? capital(letter, options.lang) : letter)).reduce(join)
}

function plainInitials(name: string): string {
  return name.charAt(0) + name.charAt(name.indexOf(' ') + 1)
}

/** First and last word; with three, the one after the first as well; missing letters come from the last word. */
function choose(words: readonly (readonly string[])[], length: number | undefined): string[] {
  const firsts = words.flatMap(([letter]) => letter ?? [])
  const count = length ?? (wholeName.test(firsts[0] ?? '') || firsts.length === 1 ? 1 : 2)
  const [first, ...others] = firsts
  const last = others.pop()
  if (first === undefined || count === 1) return first === undefined ? [] : [first]
  const chosen = [first, ...others.slice(0, count - 2), ...(last === undefined ? [] : [last])]
  return [...chosen, ...(words.at(-1)?.slice(1) ?? [])].slice(0, count)
}

/** Thai and Lao write some vowels before the consonant that they belong to. */
const letter = /^(?![\u0E40-\u0E44\u0EC0-\u0EC4])[\p{Lu}\p{Ll}\p{Lt}\p{Lo}\p{N}]/u

/** The grapheme clusters of a word that can be an initial: `श्री` is one. */
function lettersOf(word: string): string[] {
  const clusters = Array.from(graphemes.segment(word), ({ segment }) => segment)
  return clusters.filter((cluster) => letter.test(cluster))
}

/** One letter stays one letter: `ß` becomes `ẞ`, not `SS`. */
function capital(cluster: string, lang: string | undefined): string {
  if (cluster === 'ß') return 'ẞ'
  const upper = capitals(cluster, lang)
  return Array.from(graphemes.segment(upper)).length === 1 ? upper : cluster
}

/** Letters that would run into one word are kept apart. */
function join(text: string, next: string): string {
  return joining.test(text) && joining.test(next) ? text + zeroWidthNonJoiner + next : text + next
}

function firstPicture(name: string): string {
  for (const { segment } of graphemes.segment(name)) if (picture.test(segment)) return segment
  return ''
}
