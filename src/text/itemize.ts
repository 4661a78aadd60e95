import { LRUCache } from 'lru-cache'
import type { BrandFace } from './brand-fonts/brand-face.ts'
import { tornWords } from './brand-fonts/torn-words.ts'
import { cjkMarks } from './cjk-marks.ts'
import type { FontFile } from './coverage/lookup.ts'
import { proseLevels } from './direction.ts'
import { createFontChoice } from './font-choice.ts'
import { graphemesOf } from './graphemes.ts'
import type { Item } from './item-list.ts'
import { ItemList } from './item-list.ts'
import { itemizePlain } from './itemize-plain.ts'
import { matchEmoji } from './match-emoji.ts'
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
  /** Stands before the fonts of the family. */
  readonly brand?: BrandFace | undefined
  /** The text that this one was cut from: a part takes the fonts that it has in the whole. */
  readonly context?: string | undefined
}

export type Itemizer = ReturnType<typeof createItemizer>

const invisible = /^\p{Default_Ignorable_Code_Point}+$/u
/** These stand alone: nothing joins or kerns across their edges, so one of each in the cache is enough. */
const solitary = /^[\u3000-\u30FF\u3400-\u9FFF\uAC00-\uD7A3\uFF00-\uFF60\u{20000}-\u{3FFFF}]/u

const dash = '—'

/** Itemizes with a cache of the latest texts that are not plain: `prepare`, `fit` and a theme's refits need the same one. */
export function createItemizer(bytesMax: number) {
  const cache = new LRUCache<string, Itemized>({
    maxSize: bytesMax,
    sizeCalculation: ({ items, graphemeEnds = [] }, key) =>
      items.length * 80 + graphemeEnds.length * 8 + key.length * 2 + 200,
  })
  const plainOnes = createRecent(itemizePlain)
  return (request: ItemizeRequest): Itemized => {
    const { text, family, lang, direction, brand, context = text } = request
    const isPlain =
      direction === 'ltr' && (context === text || plainOnes(context, family, brand) !== undefined)
    const plain = isPlain ? plainOnes(text, family, brand) : undefined
    if (plain !== undefined) return { items: plain, graphemeEnds: undefined }
    if (context !== text) return itemize(request)
    const look = `${family},${lang},${direction},${text}`
    const key = brand === undefined ? look : `${brand.key},${look}`
    const itemized = cache.get(key) ?? itemize(request)
    cache.set(key, itemized)
    return itemized
  }
}

/** Texts of each family whose plain items are kept: a card has six, which are prepared and then fitted. */
const recentMax = 16

function createRecent<T>(make: (text: string, family: Family, brand?: BrandFace) => T) {
  const ours = new Map<Family, Map<string, T>>()
  const brands = new WeakMap<BrandFace, typeof ours>()

  function behind(brand: BrandFace): typeof ours {
    const families = brands.get(brand) ?? new Map<Family, Map<string, T>>()
    brands.set(brand, families)
    return families
  }

  return (text: string, family: Family, brand?: BrandFace): T => {
    const families = brand === undefined ? ours : behind(brand)
    const recent = families.get(family)
    const cached = recent?.get(text)
    if (cached !== undefined) return cached
    const made = make(text, family, brand)
    // A new map: what one held that was cleared stays until a full garbage collection.
    if (recent === undefined || recent.size >= recentMax) families.set(family, new Map([[text, made]]))
    else recent.set(text, made)
    return made
  }
}

/** Splits a cleaned text where the font, the direction or the kind of content changes. */
export function itemize(request: ItemizeRequest): Itemized {
  const { text, family, lang, direction, brand, context = text } = request
  const fonts = createFontChoice(family, context, lang, brand)
  const list = new ItemList(proseLevels(text, direction))

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
  const ours = torn !== undefined && torn.size > 0 ? createFontChoice(family, context, lang) : fonts
  for (let at = 0; at < graphemes.length; ) {
    const end = wordEnd(graphemes, at)
    if (hanMarks?.has(at)) {
      const mark = graphemes[at++] ?? ''
      // Dashes join into one.
      addLetter(mark, fonts.ofHanMark(mark), mark !== dash)
    } else if (end === at) {
      add(graphemes[at] ?? '', torn?.has(at) ? ours : fonts)
      at++
    } else {
      const word = graphemes.slice(at, end)
      const files = fonts.ofWord(word)
      for (const [index, grapheme] of word.entries()) {
        if (invisible.test(grapheme)) list.addInvisible(grapheme.length)
        else addLetter(grapheme, files[index])
      }
      at = end
    }
  }
  return { items: list.items, graphemeEnds: list.graphemeEnds }
}

/**
 * Where the word that starts here ends: at its own place where none starts. An apostrophe or an invisible character between
 * two letters belongs to it.
 */
function wordEnd(graphemes: readonly string[], start: number): number {
  let end = start
  for (let at = start; at < graphemes.length; at++) {
    const grapheme = graphemes[at] ?? ''
    const code = grapheme.codePointAt(0) ?? 0
    if (isWordLetter(code) && !isPicture(grapheme)) end = at + 1
    else if (end !== at || end === start || !(isApostrophe(code) || invisible.test(grapheme))) break
  }
  return end
}

/** Keycaps are pictures whose first character is a digit. */
function isPicture(grapheme: string): boolean {
  return grapheme.length > 1 && matchEmoji(grapheme) !== undefined
}
