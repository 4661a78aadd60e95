import LineBreaker from 'linebreak'
import { southEastAsianBreaks } from './south-east-asian.ts'

/** A place where a line may end: `offset` is where the next one starts. The higher the penalty, the worse. */
export interface Break {
  readonly offset: number
  readonly penalty: number
  /** A hyphen appears when the line ends here. */
  readonly hyphen: boolean
}

const penalties = {
  space: 0,
  phrase: 2,
  word: 4,
  punctuation: 10,
  compound: 12,
  particle: 20,
  softHyphen: 30,
  insideWord: 40,
  separator: 42,
  camelCase: 45,
  insideHangul: 90,
} as const

const letter = '[A-Za-z0-9&\\u00C0-\\u024F\\u0370-\\u03FF\\u0400-\\u0482\\u048A-\\u04FF]'
/** Words as they stand in plain prose, with signs where they belong: only spaces break such a text. */
const prose = new RegExp(
  `^(?:["'(\u2018\u201C]*${letter}(?:[.,:;'\u2019]*${letter})*%?[.,:;!?)"'\u2019\u201D]*(?: |$))*$`,
)
/** Unicode sees no end of a line between a quotation mark and a bracket. */
const quoteBeforeBracket = /["'\u2018-\u201D] ["'\u2018-\u201D]*\(/
const longWord = /[^ ]{13}/
const cjk = /[\u2E80-\u9FFF\uF900-\uFAFF\uFF00-\uFFEF\u{20000}-\u{3FFFF}]/u
const kana = /[\u3041-\u3096\u30A1-\u30FC]/
const hangul = /^[\u1100-\u11FF\u3130-\u318F\uAC00-\uD7AF]/
const shortHiragana = /^[\u3041-\u3096]{1,3}$/
const words = new Intl.Segmenter('ja', { granularity: 'word' })

/** Every opportunity to break inside a cleaned text, in order: UAX 14, dictionaries where it has none, identifiers. */
export function breaksOf(text: string): Break[] {
  const isProse = prose.test(text) && !longWord.test(text) && !quoteBeforeBracket.test(text)
  return isProse ? spacesOf(text) : allBreaksOf(text)
}

/** `breaksOf` without the fast path for plain prose. */
export function allBreaksOf(text: string): Break[] {
  const found = new Map<number, Break>()
  function add(offset: number, penalty: number, hyphen = false) {
    if (offset > 0 && offset < text.length && !found.has(offset))
      found.set(offset, { offset, penalty, hyphen })
  }
  addUnicodeBreaks(text, add)
  for (const offset of southEastAsianBreaks(text)) add(offset, penalties.word)
  addIdentifierBreaks(text, add)
  return [...found.values()].sort((a, b) => a.offset - b.offset)
}

function spacesOf(text: string): Break[] {
  const breaks: Break[] = []
  for (let at = text.indexOf(' '); at >= 0; at = text.indexOf(' ', at + 1)) {
    breaks.push({ offset: at + 1, penalty: penalties.space, hyphen: false })
  }
  return breaks
}

function addUnicodeBreaks(
  text: string,
  add: (offset: number, penalty: number, hyphen?: boolean) => void,
): void {
  const cjkWords = cjk.test(text) ? segmentStarts(text) : undefined
  const japanese = kana.test(text)
  const breaker = new LineBreaker(text)
  for (let next = breaker.nextBreak(); next !== null; next = breaker.nextBreak()) {
    const offset = next.position
    const before = text[offset - 1] ?? ''
    const after = text.slice(offset, offset + 2)
    if (before === ' ' || before === '\u200B') add(offset, penalties.space)
    else if (before === '\u00AD') add(offset, penalties.softHyphen, true)
    else if (hangul.test(before) && hangul.test(after)) add(offset, penalties.insideHangul)
    else if (cjkWords !== undefined && (cjk.test(before) || cjk.test(after))) {
      add(offset, cjkPenalty(before, cjkWords.get(offset), japanese))
    } else add(offset, penalties.punctuation)
  }
}

/** Each dictionary word of the text by the offset where it starts. */
function segmentStarts(text: string): Map<number, string> {
  return new Map(Array.from(words.segment(text), ({ index, segment }) => [index, segment]))
}

/** Phrases end before a new content word; particles and endings cling to what they follow. */
function cjkPenalty(before: string, word: string | undefined, japanese: boolean): number {
  if (/[、。，．！？：；…」』）】》〉]/.test(before)) return penalties.space
  if (word === undefined) return penalties.insideWord
  if (shortHiragana.test(word)) return penalties.particle
  if (!japanese) return penalties.word
  return /[\u3041-\u3096]/.test(before) ? penalties.phrase : penalties.compound
}

/** Long identifiers and addresses may break where a programmer would, once nothing better is left. */
function addIdentifierBreaks(text: string, add: (offset: number, penalty: number) => void): void {
  for (const { 0: word, index } of text.matchAll(/[^ ]+/g)) {
    if (!longWord.test(word)) continue
    for (const match of word.matchAll(/(?<=\w[_.=&@:;,~|+])(?=\w)/g))
      add(index + match.index, penalties.separator)
    for (const match of word.matchAll(
      /(?<=[a-z\u00DF-\u00FF\u03B1-\u03C9\u0430-\u045F])(?=[A-Z\u00C0-\u00DE\u0391-\u03A9\u0400-\u042F])/g,
    ))
      add(index + match.index, penalties.camelCase)
  }
}
