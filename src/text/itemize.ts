import { LRUCache } from 'lru-cache'
import type { FontFile } from './coverage/lookup.ts'
import { embeddingLevels } from './direction.ts'
import { createFontChoice } from './font-choice.ts'
import { graphemesOf } from './graphemes.ts'
import { itemizePlain } from './itemize-plain.ts'
import { matchEmoji } from './match-emoji.ts'
import type { Direction, Family } from './types.ts'

/** Offsets count UTF-16 units. */
interface Stretch {
  readonly start: number
  readonly end: number
  /** Embedding level: odd runs from right to left. */
  readonly level: number
}

/** A stretch of one font that is shaped at once. */
export interface WordItem extends Stretch {
  readonly kind: 'word'
  readonly file: FontFile
}

export type Item =
  | WordItem
  | (Stretch & { readonly kind: 'space' | 'missing' | 'hidden' })
  | (Stretch & { readonly kind: 'emoji'; readonly name: string })

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
  /** The text that this one was cut from: a part takes the fonts that it has in the whole. */
  readonly context?: string | undefined
}

export type Itemizer = typeof itemize

const invisible = /^\p{Default_Ignorable_Code_Point}+$/u
/** These stand alone: nothing joins or kerns across their edges, so one of each in the cache is enough. */
const solitary = /^[\u3000-\u30FF\u3400-\u9FFF\uAC00-\uD7A3\uFF00-\uFF60\u{20000}-\u{3FFFF}]/u
/** Below this no letter is solitary, and of the invisible there is only the soft hyphen. */
const firstSpecial = '\u0300'
const softHyphen = '\u00AD'

/** Remembers the last texts that are not plain: each is asked for by `prepare`, by `fit`, and again when a theme refits it. */
export function createItemizer(bytesMax: number): Itemizer {
  const known = new LRUCache<string, Itemized>({
    maxSize: bytesMax,
    sizeCalculation: ({ items, graphemeEnds = [] }, key) =>
      items.length * 80 + graphemeEnds.length * 8 + key.length * 2 + 200,
  })
  return (request) => {
    const { text, family, lang, direction, context = text } = request
    const isPlain = direction === 'ltr' && (context === text || itemizePlain(context, family) !== undefined)
    const plain = isPlain ? itemizePlain(text, family) : undefined
    if (plain !== undefined) return { items: plain, graphemeEnds: undefined }
    if (context !== text) return itemize(request)
    const key = `${family},${lang},${direction},${text}`
    const itemized = known.get(key) ?? itemize(request)
    known.set(key, itemized)
    return itemized
  }
}

/** Splits a cleaned text where the font, the direction or the kind of content changes. */
export function itemize({ text, family, lang, direction, context = text }: ItemizeRequest): Itemized {
  const levels = embeddingLevels(text, direction)
  const fonts = createFontChoice(family, context, lang)
  const items: Item[] = []
  const graphemeEnds: number[] = []
  let offset = 0
  let word: { kind: 'word'; start: number; end: number; level: number; file: FontFile } | undefined

  function advance(length: number): Stretch {
    const start = offset
    offset += length
    graphemeEnds.push(offset)
    return { start, end: offset, level: levels?.[start] ?? 0 }
  }

  function add(
    length: number,
    content: { kind: 'space' | 'missing' | 'hidden' } | { kind: 'emoji'; name: string },
  ): void {
    word = undefined
    items.push({ ...content, ...advance(length) })
  }

  function addLetter(grapheme: string, file: FontFile, alone: boolean): void {
    const { start, end, level } = advance(grapheme.length)
    if (!alone && word?.file === file && word.level === level) {
      word.end = end
      return
    }
    const item = { kind: 'word' as const, start, end, level, file }
    items.push(item)
    word = alone ? undefined : item
  }

  function addSpecial(grapheme: string): void {
    if (invisible.test(grapheme)) {
      if (word === undefined) add(grapheme.length, { kind: 'hidden' })
      else word.end = advance(grapheme.length).end
      return
    }
    const emoji = matchEmoji(grapheme)
    if (emoji !== undefined) {
      add(emoji.length, { kind: 'emoji', name: emoji.name })
      if (emoji.length < grapheme.length) addSpecial(grapheme.slice(emoji.length))
      return
    }
    const file = fonts.fileFor(grapheme)
    if (file !== undefined) addLetter(grapheme, file, solitary.test(grapheme))
    else addUnknown(grapheme)
  }

  function addUnknown(grapheme: string): void {
    const emoji = matchEmoji(grapheme, true)
    add(grapheme.length, emoji === undefined ? { kind: 'missing' } : { kind: 'emoji', name: emoji.name })
  }

  for (const grapheme of graphemesOf(text)) {
    if (grapheme === ' ') {
      add(1, { kind: 'space' })
      continue
    }
    const plain = grapheme.length === 1 && grapheme < firstSpecial && grapheme !== softHyphen
    const file = plain ? fonts.fileFor(grapheme) : undefined
    if (file !== undefined) addLetter(grapheme, file, false)
    else addSpecial(grapheme)
  }
  return { items, graphemeEnds }
}
