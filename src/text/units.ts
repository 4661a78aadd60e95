import words from './data/units.json' with { type: 'json' }

/**
 * Units and multipliers, which a line break may not separate from their number. Symbols of units are those of the SI
 * brochure and of ISO 4217, multipliers the words for a thousand, a million and above in the languages that write
 * them apart (CLDR's long compact numbers).
 */
const units = new Set(words.units.split(' '))
const labels = new Set(words.labels.split(' '))

/** Scripts whose counters follow a number, with or without a space. */
const counted =
  /^[\u0E00-\u0EFF\u1000-\u109F\u1100-\u11FF\u1780-\u17FF\u3041-\u30FF\u3130-\u318F\u4E00-\u9FFF\uAC00-\uD7AF]/
/** Korean numbers may end on a multiplier. */
const digitAtEnd = /\p{Nd}[백천만억조]?$/u
const digitAtStart = /^[+\-−]?\p{Nd}/u
/** Signs that make an ordinal or an estimate of the number behind them. */
const ordinalPrefix = /[第제约約近超每共全]$/u
const group = /^\p{Nd}{3}(?!\p{Nd})/u
const shortNumber = /(?<!\p{Nd})\p{Nd}{1,3}$/u

/** Whether a space stands inside a number or between it and its unit, label or counter. */
export function isInNumber(before: string, after: string): boolean {
  if (digitAtEnd.test(before)) {
    return isUnit(after) || (group.test(after) && shortNumber.test(before))
  }
  return digitAtStart.test(after) && isLabel(before)
}

/** Whether a word behind a number is its unit or, in some scripts, its counter. */
export function isUnit(word: string): boolean {
  return counted.test(word) || units.has(withoutMarks(word).toLowerCase())
}

/** Whether the word says that a number follows: `No.`, `§`. */
export function isLabel(word: string): boolean {
  return ordinalPrefix.test(word) || labels.has(withoutMarks(word).toLowerCase())
}

const marksAround = /^["'“”„«»()[\]]+|(?<![.,:;!?"'“”«»()[\]])[.,:;!?"'“”«»()[\]]+$/gu

/** A word without the brackets, quotes and stops around it; signs that are units stay. */
function withoutMarks(word: string): string {
  return word.replace(marksAround, '')
}
