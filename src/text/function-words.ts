import { penalties } from './break-penalties.ts'
import functionWords from './data/function-words.json' with { type: 'json' }

/**
 * Words that lean on a neighbour, by language (the primary part of a tag): a line does not end on an article or a
 * preposition of one letter, and does not start with an enclitic. Articles are the full paradigms of each grammar;
 * one-letter words are those that the typographic rules of the language name (ČSN 01 6910 for Czech, PN-83/P-55366 for
 * Polish, Milchin's handbook for Russian); enclitics are particles and postpositions written apart.
 */
interface FunctionWords {
  readonly articles?: string
  readonly oneLetter?: string
  readonly enclitics?: string
}

const languages: Readonly<Record<string, FunctionWords>> = functionWords

export interface LeaningWords {
  /** Penalties of lines that end on a word. */
  readonly before: ReadonlyMap<string, number>
  /** Words that do not start a line. */
  readonly after: ReadonlySet<string>
  /** The first UTF-16 units of those. */
  readonly initials: ReadonlySet<number>
  /** A bit for each hash of a leaning word: most words are told apart from them without being cut out of the text. */
  readonly hashes: Uint8Array
}

const hashCount = 32_768

/** The next state of a word's hash after one more UTF-16 unit; 0 is the state before the first. */
export function hashStep(hash: number, code: number): number {
  return (hash * 31 + code) & (hashCount - 1)
}

/** Whether a leaning word has this hash. */
export function hasHash(hashes: Uint8Array, hash: number): boolean {
  return (((hashes[hash >> 3] ?? 0) >> (hash & 7)) & 1) === 1
}

const none = leaningWordsOf([])
const byLanguage = new Map(Object.entries(languages).map(([lang, words]) => [lang, leaningWordsOf([words])]))
const all = leaningWordsOf(Object.values(languages))

/** The leaning words of a language; of all languages when it is not said, because a false one costs a reader nothing. */
export function leaningWords(lang: string | undefined): LeaningWords {
  if (lang === undefined) return all
  const primary = lang.slice(0, lang.search(/-|$/)).toLowerCase()
  return byLanguage.get(primary === 'no' ? 'nb' : primary) ?? none
}

function leaningWordsOf(lists: readonly FunctionWords[]): LeaningWords {
  function words(name: keyof FunctionWords) {
    return lists.flatMap((list) => list[name]?.split(' ') ?? [])
  }
  const before = new Map([
    ...words('articles').map((word) => [word, penalties.article] as const),
    ...words('oneLetter').map((word) => [word, penalties.clitic] as const),
  ])
  const after = new Set(words('enclitics'))
  const initials = new Set([...after].map((word) => word.charCodeAt(0)))
  return { before, after, initials, hashes: hashesOf([...before.keys(), ...after]) }
}

function hashesOf(words: readonly string[]): Uint8Array {
  const hashes = new Uint8Array(hashCount / 8)
  for (const word of words) {
    const capitalized = word.charAt(0).toUpperCase() + word.slice(1)
    for (const spelling of [word, capitalized, word.toUpperCase()]) {
      let hash = 0
      for (let at = 0; at < spelling.length; at++) hash = hashStep(hash, spelling.charCodeAt(at))
      hashes[hash >> 3] = (hashes[hash >> 3] ?? 0) | (1 << (hash & 7))
    }
  }
  return hashes
}
