import { brotliDecompressSync } from 'node:zlib'
import { packedWords } from './khmer/words.generated.ts'

/** Thai and Burmese word boundaries are the same in every engine that we run on, so their dictionaries serve. */
const dictionaryScripts = /[\u0E01-\u0E4E\u1000-\u109F\uA9E0-\uA9FF\uAA60-\uAA7F]+/g
const words = new Intl.Segmenter('th', { granularity: 'word' })

/** The engines' Lao dictionaries differ, and equal texts must give equal bytes: syllables instead. */
const lao = /[\u0E81-\u0EDF]+/g
const laoSyllables = laoSyllable()
const khmer = /[\u1780-\u17DD]+/g
/** Syllables of Khmer words that no list has. */
const khmerSyllables = khmerSyllable()
/** Makers of nouns, and the negation: their word goes on. */
const khmerPrefix = /^(?:ការ|ភាព|អ្នក|សេចក្តី|សេចក្ដី|មិន)$/
/** Makers of nouns and adjectives, quantifiers and the negation: their word goes on. */
const thaiPrefix = /^(?:การ|ความ|ผู้|นัก|ชาว|น่า|ทุก|แต่ละ|ไม่)$/
/** The dictionary of Burmese tears words that it does not know: beside a space, that is the better place. */
const burmese = /^[\u1000-\u109F]/
const nearMax = 16
/** Words that end the verb (`เรียนรู้`) or the sentence before them. */
const thaiEnclitic = /^(?:ว่า|รู้|กัน|ครับ|ค่ะ|คะ|นะ)$/
const any = /[\u0E00-\u0EFF\u1000-\u109F\u1780-\u17FF\uA9E0-\uA9FF\uAA60-\uAA7F]/

interface Boundary {
  readonly offset: number
  /** A dictionary's word, a part of a word that the dictionary knows alone, or a guessed syllable. */
  readonly start: 'word' | 'part' | 'syllable'
}

/** Boundaries inside runs of scripts that write no spaces between words. */
export function southEastAsianBreaks(text: string): readonly Boundary[] {
  if (!any.test(text)) return []
  const boundaries: Boundary[] = []
  for (const { 0: run, index } of text.matchAll(dictionaryScripts)) {
    let last = ''
    for (const { index: at, segment } of words.segment(run)) {
      const isPart = thaiPrefix.test(last) || thaiEnclitic.test(segment)
      const isNearSpace =
        burmese.test(segment) &&
        text.slice(Math.max(0, index + at - nearMax), index + at + nearMax).includes(' ')
      if (at > 0)
        boundaries.push({ offset: index + at, start: isNearSpace ? 'syllable' : isPart ? 'part' : 'word' })
      last = segment
    }
  }
  for (const { 0: run, index } of text.matchAll(lao))
    boundaries.push(...syllablesOf(run, index, laoSyllables))
  for (const { 0: run, index } of text.matchAll(khmer)) boundaries.push(...khmerBoundaries(run, index))
  return boundaries
}

/** Where syllables start within a run, but not at its own start. */
function syllablesOf(run: string, offset: number, syllable: RegExp): readonly Boundary[] {
  return Array.from(run.matchAll(syllable), ({ index }) => index)
    .filter((index) => index > 0)
    .map((index) => ({ offset: offset + index, start: 'syllable' }))
}

function khmerBoundaries(run: string, offset: number): readonly Boundary[] {
  const boundaries: Boundary[] = []
  let last = ''
  for (const { start, end, isKnown } of khmerWords(run)) {
    const word = run.slice(start, end)
    const isPart = !isKnown || khmerPrefix.test(last)
    if (start > 0) boundaries.push({ offset: offset + start, start: isPart ? 'part' : 'word' })
    if (!isKnown) boundaries.push(...syllablesOf(word, offset + start, khmerSyllables))
    last = word
  }
  return boundaries
}

/** Vowel written before, consonants, signs, and closing consonants that carry no sign of their own. */
function laoSyllable(): RegExp {
  const consonant = '[\\u0E81-\\u0EAE\\u0EDC-\\u0EDF]'
  const sign = '[\\u0EB0-\\u0EBD\\u0EC8-\\u0ECE]'
  const onset = `(?:\\u0EAB(?=${consonant}))?${consonant}\\u0EBC?(?:[\\u0EA7\\u0EA5\\u0EA3](?=${sign}))?`
  return new RegExp(`[\\u0EC0-\\u0EC4]?${onset}${sign}*(?:${consonant}(?!${sign}))*\\u0EC6?`, 'gu')
}

/** Consonants stacked by coeng, signs, and closing consonants that carry nothing but a shortening sign. */
function khmerSyllable(): RegExp {
  const consonant = '[\\u1780-\\u17B3]'
  const sign = '[\\u17B4-\\u17D1\\u17D3\\u17DD]'
  const closing = `${consonant}(?![\\u17B4-\\u17CA\\u17CC-\\u17D2])\\u17CB?`
  return new RegExp(`${consonant}(?:\\u17D2${consonant})*${sign}*(?:${closing})*\\u17D7?`, 'gu')
}

export interface KhmerWord {
  readonly start: number
  readonly end: number
  /** False for a stretch that the list does not know: a name, or a mistake. */
  readonly isKnown: boolean
}

/** The words in their order, each between two line feeds. */
let list: string | undefined

/** The cost of a cluster that is in no word; that of a word is 1. */
const unknownCost = 3
const repetition = '\u17D7'

/** The words of a run of Khmer letters, as few as possible, by a list of ours because the dictionaries of engines differ. */
export function khmerWords(run: string): readonly KhmerWord[] {
  list ??= `\n${brotliDecompressSync(Buffer.from(packedWords, 'base64')).toString('latin1')}\n`
  const narrowRun = narrow(run)
  const stops = [0, ...startsIn(run).filter((start) => start > 0), run.length]
  const costs = [0, ...new Array<number>(stops.length - 1).fill(Infinity)]
  const origins = stops.map((): KhmerWord => ({ start: 0, end: 0, isKnown: false }))
  for (const [at, start] of stops.entries()) {
    for (let next = at + 1; next < stops.length; next++) {
      const end = stops[next] ?? 0
      const text = narrowRun.slice(start, run[end - 1] === repetition ? end - 1 : end)
      const found = firstFrom(list, text)
      const isKnown = found === text
      const cost = (costs[at] ?? 0) + (isKnown ? 1 : unknownCost)
      if ((isKnown || next === at + 1) && cost < (costs[next] ?? 0)) {
        costs[next] = cost
        origins[next] = { start, end, isKnown }
      }
      if (!found.startsWith(text)) break
    }
  }
  // The words on the cheapest way to the end; neighbours that are unknown are one.
  const found: KhmerWord[] = []
  for (let at = stops.length - 1; at > 0; ) {
    const word = origins[at]
    if (word === undefined) break
    const after = found[0]
    if (after?.isKnown === false && !word.isKnown) found[0] = { ...word, end: after.end }
    else found.unshift(word)
    at = stops.indexOf(word.start)
  }
  return found
}

/** The first word of the list that is a text or comes after it, by halving the list. */
function firstFrom(words: string, text: string): string {
  let low = 0
  for (let high = words.length - 1; low < high; ) {
    const start = words.lastIndexOf('\n', (low + high) >> 1)
    const end = words.indexOf('\n', start + 1)
    if (words.slice(start + 1, end) < text) low = end
    else high = start
  }
  return words.slice(low + 1, words.indexOf('\n', low + 1))
}

/** A consonant with its signs starts here: neither a sign nor a consonant below another one. */
const cluster = /(?<!\u17D2)[\u1780-\u17B3]/g
/** The distance between the letters of the script and ASCII. */
const distance = 0x1780 - 0x20

/** Offsets at which a word or a part of it may start. */
export function startsIn(text: string): number[] {
  return Array.from(text.matchAll(cluster), ({ index }) => index)
}

/** The text with a byte for each letter, because a list of words takes half the memory so. */
export function narrow(text: string): string {
  return text.replace(/[\u1780-\u17DD]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) - distance))
}
