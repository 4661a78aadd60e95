import terms from './data/terms.json' with { type: 'json' }

/** Costs of ending a line. From `fairPenalty` on a slightly smaller size is better, from `poorPenalty` on every smaller size. */
export const penalties = {
  space: 0,
  phrase: 2,
  word: 4,
  punctuation: 10,
  /** In a script that writes spaces only between phrases, which are the better places to break. */
  unspacedWord: 16,
  /** After an article. */
  article: 24,
  /** Between two words of a compound. */
  compound: 26,
  softHyphen: 30,
  /** Before an enclitic, or after a preposition of one letter: an error in some languages. */
  clitic: 34,
  /** A syllable of a script whose words nobody marked. */
  syllable: 36,
  /** Between a number and the name before it or the word that it counts. */
  count: 37,
  /** A line of one short word that is not the last. */
  loneWord: 36,
  /** A line of one word that says nothing alone. */
  loneFunctionWord: 39,
  /** Inside a term, or before a word that cannot stand without the one before it. */
  bound: 37,
  /** After a hyphen beside a part of few letters. */
  shortPart: 38,
  /** After the dot of an abbreviation. */
  abbreviation: 39,
  separator: 42,
  /** Before a dash, bar or slash between spaces. */
  spacedSign: 43,
  /** Inside a number, or between it and its unit. */
  number: 44,
  /** Before a particle that is written together with its word. */
  particle: 45,
  camelCase: 46,
  /** At a syllable of a very long word. */
  longWord: 47,
  insideWord: 50,
  insideHangul: 90,
} as const

export const fairPenalty = 20
export const poorPenalty = 40

/** The ends of Korean words, with the beginnings of those that cannot stand without them: auxiliary verbs and postpositions. */
const auxiliaries = Object.entries(terms.koreanAuxiliaries).map(
  ([before, after]) => [new RegExp(`${before}$`), new RegExp(`^(?:${after})`)] as const,
)
/** Nouns of Korean that only stand behind an attribute, with a particle or an ending. */
const boundNoun =
  /^(?:때|수|것|거|건|걸|줄|데|뿐|만큼|대로|채|척|체|듯|바|적|지|법|중|동안|뒤|후|전)(?=$|[^가-힣]|[가-힣]{1,3}$)/
const hangulFirst = 0xac00
const hangulLast = 0xd7a3
/** Syllables that differ in their last consonant only. */
const finals = 28
/** Attributes end in n or l. */
const attributeFinals = new Set([4, 8])
const vietnameseWords = new Set(terms.vietnamese.split('|'))
const marksAround = /^[^\p{L}]+|(?<=\p{L})[^\p{L}]+$/gu

/** The penalty of a line that ends between two words, written apart, of which the second one completes the first. */
export function boundPenalty(before: string, after: string): number {
  const last = before.charCodeAt(before.length - 1)
  if (last >= hangulFirst && last <= hangulLast) {
    const isBound =
      (attributeFinals.has((last - hangulFirst) % finals) && boundNoun.test(after)) ||
      auxiliaries.some(([end, start]) => end.test(before) && start.test(after))
    return isBound ? penalties.bound : 0
  }
  if (last < 0x80 && after.charCodeAt(0) < 0x80 && !beyondAscii.test(before + after)) return 0
  const word = `${before.replace(marksAround, '')} ${after.replace(marksAround, '')}`.toLowerCase()
  return vietnameseWords.has(word) ? penalties.bound : 0
}

export const beyondAscii = /[^\0-\x7F]/

const chineseTerms = terms.chinese.split(' ')

/** Offsets inside of terms of Chinese that are written as several words of the dictionary. */
export function insideTerms(text: string): ReadonlySet<number> {
  const inside = new Set<number>()
  for (const term of chineseTerms)
    for (let at = text.indexOf(term); at >= 0; at = text.indexOf(term, at + term.length))
      for (let offset = at + 1; offset < at + term.length; offset++) inside.add(offset)
  return inside
}
