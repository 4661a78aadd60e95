import type { FontFile } from './coverage/lookup.ts'
import { createFontChoice } from './font-choice.ts'
import type { Item, WordItem } from './item-list.ts'
import type { Family } from './types.ts'

/** Latin, Greek and Cyrillic letters, digits and signs: each a grapheme by itself, left to right, never a picture. */
const plain = /[\u0020-\u007E\u00A0-\u00AC\u00AE-\u02FF\u0370-\u0482\u048A-\u052F\u1E00-\u1FFF\u2010-\u2027]/
const end = 0x2028
const space = 0x20

/** The font of each plain character of a family; no entry where `itemize` must decide. */
const tables = new Map<Family, readonly (FontFile | undefined)[]>()

/**
 * Fast path of `itemize`: the same items for a text of plain characters, undefined for any other text. Most texts need
 * no search for graphemes, directions, emoji and fonts.
 */
export function itemizePlain(text: string, family: Family): Item[] | undefined {
  const table = tables.get(family) ?? createTable(family)
  const items: Item[] = []
  let word: { -readonly [Key in keyof WordItem]: WordItem[Key] } | undefined
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    const file = table[code]
    if (file === undefined) return undefined
    if (code === space) {
      items.push({ kind: 'space', start: at, end: at + 1, level: 0 })
      word = undefined
    } else if (word?.file === file) {
      word.end = at + 1
    } else {
      word = { kind: 'word', start: at, end: at + 1, level: 0, file }
      items.push(word)
    }
  }
  return items
}

function createTable(family: Family): readonly (FontFile | undefined)[] {
  const fontOf = createFontChoice(family, '', undefined)
  const characters = Array.from({ length: end }, (_, code) => String.fromCharCode(code))
  const table = characters.map((character) => (plain.test(character) ? fontOf(character) : undefined))
  tables.set(family, table)
  return table
}
