import LineBreaker from 'linebreak'
import { penalties } from './break-penalties.ts'
import { nameAfterSpace, tearsName } from './direction.ts'
import { cjk, createEastAsianJudge } from './east-asian-breaks.ts'
import { southEastAsianBreaks } from './south-east-asian.ts'
import { createSpaceJudge } from './space-penalty.ts'

/** A place where a line may end: `offset` is where the next one starts. The higher the penalty, the worse. */
export interface Break {
  readonly offset: number
  readonly penalty: number
  /** A hyphen appears when the line ends here. */
  readonly hyphen: boolean
}

const letter = '[A-Za-z0-9&\\u00C0-\\u024F\\u0370-\\u03FF\\u0400-\\u0482\\u048A-\\u04FF]'
/** Words as they stand in plain prose, with signs where they belong: only spaces break such a text. */
const prose = new RegExp(
  `^(?:["'(\u2018\u201C]*${letter}+(?:[.,:;'\u2019]+${letter}+)*%?[.,:;!?)"'\u2019\u201D]*(?: |$))*$`,
)
/** Unicode sees no end of a line between a quotation mark and a bracket. */
const quoteBeforeBracket = /["'\u2018-\u201D] ["'\u2018-\u201D]*\(/
const longWord = /[^ ]{13}/
const hangul = /[\u1100-\u11FF\u3130-\u318F\uAC00-\uD7AF]/
/** A full-width opening bracket behind a letter that is not full-width: the older line breaking classes bind the two. */
const bracketBehindLetter = /(?<=[\p{L}\p{Nd}])(?=[（「『【《〈［｛〔])/gu
const bracketPenalty = 14
/** Dashes start no line, and a sign before a letter is a part of it, as in `<!DOCTYPE`. */
const startsWithMark = /^[\u2010-\u2015\u2E3A\u2E3B]/
const tornSign = /![A-Za-z\u00C0-\u04FF]/
const spacedDash = / [-\u2013\u2014|] /

/** Every place to break a cleaned text, in order. `lang`: whose articles and particles count; every language's when absent. */
export function breaksOf(text: string, lang?: string): readonly Break[] {
  if (latest?.text !== text || latest.lang !== lang) {
    const isProse = prose.test(text) && !longWord.test(text) && !quoteBeforeBracket.test(text)
    latest = { text, lang, breaks: isProse ? spacesOf(text, lang) : allBreaksOf(text, lang) }
  }
  return latest.breaks
}

/** Cached, because a title is fitted twice: its letter spacing follows from its size. */
let latest:
  | { readonly text: string; readonly lang: string | undefined; readonly breaks: readonly Break[] }
  | undefined

/** `breaksOf` without the fast path for plain prose. */
export function allBreaksOf(text: string, lang?: string): Break[] {
  const found = new Map<number, Break>()
  function add(offset: number, penalty: number, hyphen = false) {
    if (offset > 0 && offset < text.length && !found.has(offset) && !tearsQuote(text, offset))
      found.set(offset, { offset, penalty, hyphen })
  }
  addUnicodeBreaks(text, lang, add)
  for (const { offset, start } of southEastAsianBreaks(text)) add(offset, southEastAsianPenalties[start])
  addIdentifierBreaks(text, add)
  for (const { index } of text.matchAll(bracketBehindLetter)) add(index, bracketPenalty)
  const judgeSpace = createSpaceJudge(text, lang)
  for (const { index } of text.matchAll(nameAfterSpace)) add(index, judgeSpace(index))
  return [...found.values()].sort((a, b) => a.offset - b.offset)
}

/** The breaks of plain prose: its spaces. */
function spacesOf(text: string, lang: string | undefined): Break[] {
  const judge = createSpaceJudge(text, lang)
  const breaks: Break[] = []
  for (let offset = text.indexOf(' ') + 1; offset > 0; offset = text.indexOf(' ', offset) + 1)
    breaks.push({ offset, penalty: judge(offset), hyphen: false })
  return breaks
}

type Add = (offset: number, penalty: number, hyphen?: boolean) => void

function addUnicodeBreaks(text: string, lang: string | undefined, add: Add): void {
  const judgeSpace = createSpaceJudge(text, lang)
  const judge = cjk.test(text) ? createEastAsianJudge(text, lang) : undefined
  const breaker = new LineBreaker(text)
  for (let next = breaker.nextBreak(); next !== null; next = breaker.nextBreak()) {
    const offset = next.position
    const before = text[offset - 1] ?? ''
    const after = text.slice(offset, offset + 2)
    if (before === ' ') add(offset, judgeSpace(offset))
    else if (before === '\u200B') add(offset, penalties.space)
    else if (before === '\u00AD') add(offset, penalties.softHyphen, true)
    else if (startsWithMark.test(after) || tornSign.test(text.slice(offset - 1, offset + 1))) continue
    // Korean words carry their particles, also behind Latin letters, digits and brackets: they stay whole.
    else if (hangul.test(before) || hangul.test(after.slice(0, 1)))
      add(offset, separators.test(before) ? penalties.punctuation : penalties.insideHangul)
    else if (judge !== undefined && (cjk.test(before) || cjk.test(after))) add(offset, judge(offset))
    else if (!tearsName(text, offset)) addMarkBreak(text, offset, add)
  }
}

function addMarkBreak(text: string, offset: number, add: Add): void {
  const penalty = markPenalty(text.slice(0, offset), text.slice(offset))
  const end = text.indexOf(' ', offset)
  const word = text.slice(text.lastIndexOf(' ', offset - 1) + 1, end < 0 ? text.length : end)
  // A phrase that ends at a dash is better than a part of a compound.
  if (penalty === penalties.punctuation && text[offset - 1] === '-' && spacedDash.test(text))
    add(offset, penalties.shortPart)
  else if (!word.startsWith('@')) add(offset, penalty)
  else if (longWord.test(word)) add(offset, Math.max(penalty, penalties.separator))
}

const partEnd =
  /[:?!][”"»)’]*(?= )|[：？！](?=.)|[\u2014\u2E3A]+(?! |$)|(?<= )(?:[-\u2013\u2014|]|[-|=<>~→]{2,3})(?= )/gu
/** Parts of fewer letters are none. */
const partMin = 2

const partsMax = 3
/** A comma about the middle makes two parts, too. */
const comma = /[,;،؛](?= )|[，；](?=.)/gu
const [middleMin, middleMax] = [0.4, 0.6]

/** Where the parts of a title of two start, behind its colon, question mark, dash or bar; none where it has many. */
export function partStarts(text: string): readonly number[] {
  const starts = startsBehind(partEnd, text)
  if (starts.length > 0) return starts.length > partsMax ? [] : starts
  return startsBehind(comma, text).filter(
    (start) => start > text.length * middleMin && start < text.length * middleMax,
  )
}

function startsBehind(mark: RegExp, text: string): readonly number[] {
  return Array.from(text.matchAll(mark), ({ 0: { length }, index }) => {
    const end = index + length
    return text[end] === ' ' ? end + 1 : end
  }).filter((start) => start > partMin && start < text.length - partMin)
}

const southEastAsianPenalties = {
  word: penalties.unspacedWord,
  part: penalties.compound,
  syllable: penalties.syllable,
} as const

/** Long identifiers and addresses may break where a programmer would, once nothing better is left. */
function addIdentifierBreaks(text: string, add: Add): void {
  for (const { 0: word, index } of text.matchAll(/[^ ]+/g)) {
    if (!longWord.test(word)) continue
    for (const match of word.matchAll(/(?<=\w[_.=&@:;,~|+])(?<!\d[.,](?=\d))(?=\w)/g))
      add(index + match.index, penalties.separator)
    for (const match of word.matchAll(
      /(?<=[a-z\u00DF-\u00FF\u03B1-\u03C9\u0430-\u045F])(?=[A-Z\u00C0-\u00DE\u0391-\u03A9\u0400-\u042F])/g,
    ))
      add(index + match.index, penalties.camelCase)
  }
}

const hyphens = /[-\u2010]$/
const slash = /\/$/
const separators = /[-\u2010\u2013\u2014/·,:…~]$/
const partBefore = /(?<![\p{L}\p{M}'’])[\p{L}\p{M}'’]*(?=[-\u2010/]$)/u
const partAfter = /^[\p{L}\p{M}'’]*/u
const frenchPronoun = /^(?:elles?|nous|vous|leur|même|mêmes)(?![\p{L}])/iu
const numberRange = /\p{Nd}[\u2013\u2014-]$/u
const lettersMin = 4
/** Letters of words that stay together around a slash: `CI/CD`, `and/or`. */
const slashedMax = 4

/** The penalty of a break without a space between marks and letters of scripts that write spaces. */
export function markPenalty(before: string, after: string): number {
  if (numberRange.test(before) && /^\p{Nd}/u.test(after)) return penalties.number
  const isHyphen = hyphens.test(before)
  if (!isHyphen && !slash.test(before)) return penalties.punctuation
  const shortest = Math.min(partBefore.exec(before)?.[0].length ?? 0, partAfter.exec(after)?.[0].length ?? 0)
  if (!isHyphen) return shortest > slashedMax ? penalties.punctuation : penalties.separator
  return shortest < lettersMin || frenchPronoun.test(after) ? penalties.shortPart : penalties.punctuation
}

/** True if a lone quotation mark would be torn from what it encloses: between spaces, `«` always opens and `»` always closes. */
export function tearsQuote(text: string, offset: number): boolean {
  if (text[offset - 1] !== ' ') return false
  return (
    /^[»›](?=[ .,:;!?…)]|$)/.test(text.slice(offset, offset + 2)) ||
    /(?:^|[ (’'])[«‹] $/.test(text.slice(Math.max(0, offset - 3), offset)) ||
    /^[ๆໆៗฯ]/.test(text.slice(offset, offset + 1))
  )
}
