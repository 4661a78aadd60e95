import type { FontFile } from './coverage/lookup.ts'
import { createFontChoice } from './font-choice.ts'
import type { Item, WordItem } from './item.ts'
import type { Family } from './types.ts'

/** Latin, Greek and Cyrillic letters, digits and signs: each a grapheme by itself, left to right, never a picture. */
const ranges: readonly (readonly [first: number, last: number])[] = [
  [0x20, 0x7e],
  [0xa0, 0xac],
  [0xae, 0x2ff],
  [0x370, 0x482],
  [0x48a, 0x52f],
  [0x1e00, 0x1fff],
  [0x2010, 0x2027],
]

const space = 0x20
const end = 0x2028

/** The font of each plain character; no entry where `itemize` must decide. */
type FontTable = readonly (FontFile | undefined)[]

const tables = new Map<Family, FontTable>()

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

function createTable(family: Family): FontTable {
  const fontOf = createFontChoice(family, '', undefined)
  const table = new Array<FontFile | undefined>(end).fill(undefined)
  for (const [first, last] of ranges) {
    for (let code = first; code <= last; code++) table[code] = fontOf(String.fromCharCode(code))
  }
  tables.set(family, table)
  return table
}
