import type { BrandFace } from './brand-fonts/brand-face.ts'
import type { FontFile } from './coverage/lookup.ts'
import { createFontChoice, otherAlphabets } from './font-choice.ts'
import type { Item } from './item-list.ts'
import type { Family } from './types.ts'
import { isApostrophe, isWordLetter } from './word-letters.ts'

/** Latin, Greek and Cyrillic letters, digits and signs: each a grapheme by itself, left to right, never a picture. */
const plain = /[\u0020-\u007E\u00A0-\u00AC\u00AE-\u02FF\u0370-\u0482\u048A-\u052F\u1E00-\u1FFF\u2010-\u2027]/
const end = 0x2028
const space = 0x20

type Tables = Map<string, ReturnType<typeof createTable>>

/** The font of each plain character of a family, once it was asked for; none where `itemize` must decide. */
const tables: Tables = new Map()
const brandTables = new WeakMap<BrandFace, Tables>()
const wordLetters = Uint8Array.from({ length: end }, (_, code) => (isWordLetter(code) ? 1 : 0))

/**
 * Fast path of `itemize`: the same items for a text of plain characters whose words have one face each, undefined for any
 * other text. Most texts need no search for graphemes, directions, emoji and fonts.
 */
export function itemizePlain(text: string, family: Family, brand?: BrandFace): Item[] | undefined {
  const isOther = family.startsWith('serif') && otherAlphabets.test(text)
  const table = tableOf(family, isOther, brand)
  const { files } = table
  const items: Item[] = []
  let before: FontFile | undefined
  for (let start = 0, end = 1; start < text.length; start = end++) {
    const code = text.charCodeAt(start)
    const file = files[code] ?? table.find(code)
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
      if (next === space || (files[next] ?? table.find(next)) !== file) break
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

/** @param isOther whether the text has letters of the other alphabets, with which serif faces are others. */
function tableOf(family: Family, isOther: boolean, brand: BrandFace | undefined) {
  const known: Tables = brand === undefined ? tables : (brandTables.get(brand) ?? new Map())
  if (brand !== undefined) brandTables.set(brand, known)
  const key = isOther ? `${family} of other alphabets` : family
  // No text of a caller, because scripts beside those letters would choose the fonts of all later texts.
  const table = known.get(key) ?? createTable(family, isOther ? 'Я' : '', brand)
  known.set(key, table)
  return table
}

function createTable(family: Family, sample: string, brand: BrandFace | undefined) {
  const { ofGrapheme, ofLetter } = createFontChoice(family, sample, undefined, brand)
  // There may be many brands, with few characters each: room for all of them is made for ours only.
  const files = brand === undefined ? new Array<FontFile | undefined>(end) : []
  const isKnown = new Uint8Array(end)
  const table = {
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
  return table
}
