/**
 * Costs of ending a line at a place. Below `fairPenalty` a reader notices nothing; from there on another break, or a
 * slightly smaller size, is better; from `poorPenalty` on every smaller size is better.
 */
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
