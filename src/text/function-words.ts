import { penalties } from './break-penalties.ts'

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

const languages: Readonly<Record<string, FunctionWords>> = {
  en: { articles: 'a an the i' },
  fr: { articles: 'le la les un une des du au aux', oneLetter: 'à a y ô' },
  de: { articles: 'der die das den dem des ein eine einen einem einer eines' },
  es: { articles: 'el la los las un una unos unas al del', oneLetter: 'a e o u y' },
  pt: {
    articles: 'o a os as um uma uns umas ao aos à às do da dos das no na nos nas num numa',
    oneLetter: 'e',
  },
  it: {
    articles:
      'il lo la i gli le un uno una al allo alla ai agli alle del dello della dei degli delle dal dalla nel nella sul sulla',
    oneLetter: 'a e o è',
  },
  ca: { articles: 'el la els les un una uns unes al del', oneLetter: 'a i o' },
  nl: { articles: "de het een 't" },
  sv: { articles: 'en ett den det de', oneLetter: 'i å' },
  da: { articles: 'en et den det de', oneLetter: 'i' },
  nb: { articles: 'en ei et den det de', oneLetter: 'i å' },
  ro: { articles: 'un o', oneLetter: 'a' },
  hu: { articles: 'a az egy', oneLetter: 's' },
  el: { articles: 'ο η το οι τα τον την του της των τους τις στο στη στην στον στα ένας μια ένα έναν' },
  pl: { oneLetter: 'a i o u w z' },
  cs: { oneLetter: 'a i k o s u v z' },
  sk: { oneLetter: 'a i k o s u v z' },
  sl: { oneLetter: 'a h k o s v z' },
  hr: { oneLetter: 'a i k o s u' },
  ru: { oneLetter: 'а в и к о с у я', enclitics: 'же ж ли ль бы б' },
  uk: { oneLetter: 'а в з і й о у я', enclitics: 'же ж би б' },
  bg: { oneLetter: 'а в и о с у', enclitics: 'ли' },
  sr: { oneLetter: 'а и к о с у', enclitics: 'ли' },
  tr: { enclitics: 'mi mı mu mü midir mıdır mudur müdür ki' },
  ar: { oneLetter: 'و' },
  fa: { oneLetter: 'و', enclitics: 'را ها های' },
  ur: { enclitics: 'کا کے کی کو سے میں پر نے' },
  hi: { enclitics: 'का के की को से में पर ने ही भी तक' },
  mr: { enclitics: 'च ही' },
}

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
