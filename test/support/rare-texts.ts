import { fontFilesFor } from '../../src/text/coverage/lookup.ts'
import type { FontFile } from '../../src/text/font-files.ts'

/** Blocks of Han and Hangul. */
const blocks = [
  [0x3400, 0x9fff],
  [0xac00, 0xd7a3],
] as const

/** A text of so many characters of a group of fonts, of as many files as there may be: the first of each, the second of each, … */
export function rareText(group: 'sc' | 'tc' | 'ja' | 'ko', length: number, filesMax = Infinity): string {
  const byFile = new Map<FontFile, string[]>()
  for (const [first, last] of blocks)
    for (let point = first; point <= last; point++) {
      const [file] = fontFilesFor(group, point)
      if (file !== undefined) byFile.set(file, [...(byFile.get(file) ?? []), String.fromCodePoint(point)])
    }
  const lists = [...byFile.values()].slice(0, filesMax)
  let text = ''
  for (let at = 0; text.length < length; at++)
    text += lists[at % lists.length]?.[Math.floor(at / lists.length)] ?? ''
  return text
}
