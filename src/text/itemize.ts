import { LRUCache } from 'lru-cache'
import { memo, weakMemo } from '../lib/memo.ts'
import type { BrandFace } from './brand-fonts/brand-font.ts'
import { codeMarks } from './clean-text.ts'
import { embeddingLevels, withSignsAsLetters } from './direction.ts'
import { matchEmoji } from './emoji.ts'
import { type FontChoice, fontChoice, otherAlphabets } from './font-choice.ts'
import type { FontFile } from './font-files.ts'
import { graphemesOf } from './graphemes.ts'
import { type Item, ItemList } from './item-list.ts'
import { cjkMarks } from './spacing.ts'
import type { Direction, Family } from './types.ts'
import { isApostrophe, isWordLetter } from './word-letters.ts'

export interface Itemized {
  readonly items: readonly Item[]
  /** Offsets at which a grapheme ends; undefined when every UTF-16 unit is one. */
  readonly graphemeEnds: readonly number[] | undefined
}

export interface ItemizeRequest {
  readonly text: string
  readonly family: Family
  readonly lang: string | undefined
  readonly direction: Direction
  readonly brand?: BrandFace | undefined
  /** The text that this one was cut from: a part takes the fonts that it has in the whole. */
  readonly context?: string | undefined
  /** True if words between backticks are set in the monospaced family. */
  readonly hasCode?: boolean | undefined
}

const invisible = /^\p{Default_Ignorable_Code_Point}+$/u
/** These stand alone: nothing joins or kerns across their edges, so one of each in the cache is enough. */
const solitary = /^[\u3000-\u30FF\u3400-\u9FFF\uAC00-\uD7A3\uFF00-\uFF60\u{20000}-\u{3FFFF}]/u

/** Itemizes with a cache of the latest texts that are not plain: `prepare`, `fit` and a theme's refits need the same one. */
export function createItemizer(bytesMax: number) {
  const cache = new LRUCache<string, Itemized>({
    maxSize: bytesMax,
    sizeCalculation: ({ items, graphemeEnds = [] }, key) =>
      items.length * 80 + graphemeEnds.length * 8 + key.length * 2 + 200,
  })
  return (request: ItemizeRequest): Itemized => {
    const { text, family, lang, direction, brand, context = text, hasCode } = request
    const isCoded = hasCode === true && codeMarks(context).length > 0
    const isPlain =
      !isCoded &&
      direction === 'ltr' &&
      (context === text || itemizePlain(context, family, brand) !== undefined)
    const plain = isPlain ? itemizePlain(text, family, brand) : undefined
    if (plain !== undefined) return { items: plain, graphemeEnds: undefined }
    if (context !== text) return itemize(request)
    const look = `${family},${isCoded ? 'code,' : ''}${lang},${direction},${text}`
    const key = brand === undefined ? look : `${brand.key},${look}`
    const itemized = cache.get(key) ?? itemize(request)
    cache.set(key, itemized)
    return itemized
  }
}

/** Splits a cleaned text where the font, the direction or the kind of content changes. */
export function itemize(request: ItemizeRequest): Itemized {
  const { text, family, lang, direction, brand, context = text } = request
  const marks = new Set(request.hasCode === true ? codeMarks(context) : [])
  const monospaced = marks.size > 0 ? fontChoice('mono', context, lang) : undefined
  let isInCode = false
  const fonts = fontChoice(family, context, lang, brand)
  const list = new ItemList(embeddingLevels(withSignsAsLetters(text), direction))

  function add(grapheme: string, choice = fonts): void {
    if (grapheme === ' ') {
      list.add(1, { kind: 'space' })
      return
    }
    if (invisible.test(grapheme)) {
      list.addInvisible(grapheme.length)
      return
    }
    const emoji = matchEmoji(grapheme)
    if (emoji === undefined) addLetter(grapheme, choice.ofGrapheme(grapheme))
    else {
      list.add(emoji.length, { kind: 'emoji', name: emoji.name })
      if (emoji.length < grapheme.length) add(grapheme.slice(emoji.length), choice)
    }
  }

  function addLetter(grapheme: string, file: FontFile | undefined, isAlone = solitary.test(grapheme)): void {
    if (file !== undefined) {
      list.addLetter(grapheme.length, file, isAlone)
      return
    }
    const name = matchEmoji(grapheme, true)?.name
    list.add(grapheme.length, name === undefined ? { kind: 'missing' } : { kind: 'emoji', name })
  }

  const graphemes = graphemesOf(text)
  const hanMarks = fonts.hasHanMarks ? cjkMarks(graphemes) : undefined
  const torn =
    brand &&
    tornWords(graphemes, (grapheme) => fonts.ofGrapheme(grapheme)?.packageName === brand.file.packageName)
  const ours = torn !== undefined && torn.size > 0 ? fontChoice(family, context, lang) : fonts
  for (let at = 0; at < graphemes.length; ) {
    const end = wordEnd(graphemes, at)
    const own = isInCode && monospaced !== undefined ? monospaced : fonts
    if (marks.has(list.graphemeEnds.at(-1) ?? 0)) {
      list.add(1, { kind: 'mark' })
      isInCode = !isInCode
      at++
    } else if (hanMarks?.has(at)) {
      const mark = graphemes[at++] ?? ''
      // Dashes join into one.
      addLetter(mark, fonts.ofHanMark(mark), mark !== '—')
    } else if (end === at) {
      add(graphemes[at] ?? '', torn?.has(at) && !isInCode ? ours : own)
      at++
    } else {
      const word = graphemes.slice(at, end)
      const files = own.ofWord(word)
      for (const [index, grapheme] of word.entries()) {
        if (invisible.test(grapheme)) list.addInvisible(grapheme.length)
        else addLetter(grapheme, files[index])
      }
      at = end
    }
  }
  return { items: list.items, graphemeEnds: list.graphemeEnds }
}

/** The end of the word at `start`, which is `start` if there is none. Apostrophes and joiners between two letters belong to it. */
function wordEnd(graphemes: readonly string[], start: number): number {
  let end = start
  for (let at = start; at < graphemes.length; at++) {
    const grapheme = graphemes[at] ?? ''
    const code = grapheme.codePointAt(0) ?? 0
    // Keycaps are pictures whose first character is a digit.
    const isPicture = grapheme.length > 1 && matchEmoji(grapheme) !== undefined
    if (isWordLetter(code) && !isPicture) end = at + 1
    else if (end !== at || end === start || !(isApostrophe(code) || invisible.test(grapheme))) break
  }
  return end
}

/** Letters, marks and digits of the scripts that are no alphabets of `isWordLetter`. */
const letter = /^[\p{L}\p{M}\p{Nd}]/u
/** These stand alone, in whichever font has them. */
const standsAlone = /^[\u3000-\u30FF\u3400-\u9FFF\uFF00-\uFF60\u{20000}-\u{3FFFF}]/u

/** Words that a brand's font has in part are set wholly in ours, in scripts whose letters join, stack or carry each other. */
function tornWords(
  graphemes: readonly string[],
  isBrands: (grapheme: string) => boolean,
): ReadonlySet<number> {
  const torn = new Set<number>()
  for (let start = 0; start < graphemes.length; ) {
    let end = start
    while (end < graphemes.length && isJoined(graphemes[end] ?? '')) end++
    const word = graphemes.slice(start, end)
    if (!word.every(isBrands)) for (let at = start; at < end; at++) torn.add(at)
    start = Math.max(end, start + 1)
  }
  return torn
}

function isJoined(grapheme: string): boolean {
  return letter.test(grapheme) && !standsAlone.test(grapheme) && !isWordLetter(grapheme.codePointAt(0) ?? 0)
}

/** Latin, Greek and Cyrillic letters, digits and signs: each a grapheme by itself, left to right, never a picture. */
const plain = /[\u0020-\u007E\u00A0-\u00AC\u00AE-\u02FF\u0370-\u0482\u048A-\u052F\u1E00-\u1FFF\u2010-\u2027]/
const end = 0x2028
const space = 0x20
const wordLetters = Uint8Array.from({ length: end }, (_, code) => (isWordLetter(code) ? 1 : 0))
/** Texts of each look whose plain items are kept: a card has six, which are prepared and then fitted. */
const recentMax = 16

const plainItemsOf = weakMemo((choice: FontChoice) =>
  memo((text: string) => itemizeWith(choice, text) ?? false, recentMax),
)

/** Fast path of `itemize` for plain characters whose words have one face each, as in most texts; undefined for any other. */
export function itemizePlain(text: string, family: Family, brand?: BrandFace): Item[] | undefined {
  return plainItemsOf(plainChoice(text, family, brand))(text) || undefined
}

function plainChoice(text: string, family: Family, brand: BrandFace | undefined): FontChoice {
  const isOther = family.startsWith('serif') && otherAlphabets.test(text)
  return (isOther ? otherChoicesOf : latinChoicesOf)(brand ?? ours)(family)
}

const ours = {}
const latinChoicesOf = choicesBy('')
const otherChoicesOf = choicesBy('Я')

/** @param sample no text of a caller, because scripts beside its letters would choose the fonts of all later texts */
function choicesBy(sample: string) {
  return weakMemo((brand: BrandFace | typeof ours) =>
    memo((family: Family) => fontChoice(family, sample, undefined, 'key' in brand ? brand : undefined)),
  )
}

/** The font of each plain character of a look, once it was asked for; none where `itemize` must decide. */
const tableOf = weakMemo(({ ofGrapheme, ofLetter }: FontChoice) => {
  const files: (FontFile | undefined)[] = []
  const isKnown = new Uint8Array(end)
  return {
    files,
    find(code: number): FontFile | undefined {
      if (code >= end || isKnown[code] === 1) return undefined
      isKnown[code] = 1
      const character = String.fromCharCode(code)
      if (plain.test(character))
        files[code] = isLetter(character, 0) ? ofLetter(character) : ofGrapheme(character)
      return files[code]
    },
  }
})

function itemizeWith(choice: FontChoice, text: string): Item[] | undefined {
  const { files, find } = tableOf(choice)
  const items: Item[] = []
  let before: FontFile | undefined
  for (let start = 0, end = 1; start < text.length; start = end++) {
    const code = text.charCodeAt(start)
    const file = files[code] ?? find(code)
    if (file === undefined) return undefined
    if (code === space) {
      items.push({ kind: 'space', start, end, level: 0 })
      before = undefined
      continue
    }
    const isOtherFace = before !== undefined && before.packageName !== file.packageName
    if (isOtherFace && isInWord(text, start - 1) && isInWord(text, start)) return undefined
    for (; end < text.length; end++) {
      const next = text.charCodeAt(end)
      if (next === space || (files[next] ?? find(next)) !== file) break
    }
    items.push({ kind: 'word', start, end, level: 0, file })
    before = file
  }
  return items
}

function isInWord(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  return wordLetters[code] === 1 || (isApostrophe(code) && isLetter(text, at - 1) && isLetter(text, at + 1))
}

function isLetter(text: string, at: number): boolean {
  return wordLetters[text.charCodeAt(at)] === 1
}
