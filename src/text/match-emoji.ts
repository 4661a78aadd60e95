import { createWordList } from '../lib/words.ts'
import { emojiNamesFile, readFontFileSync } from './font-files.ts'

const joiner = '\u200D'
const textSelector = '\uFE0E'
const emojiSelector = '\uFE0F'
const possible = /\u20E3|[\u00A9\u00AE\u203C-\u3299\u{1F000}-\u{1FAFF}]/u
/** Signs that stand in a text as letters do, whatever a keyboard adds. */
const letters = /^[\u00A9\u00AE\u2122]/u
const pictureByDefault = /^\p{Emoji_Presentation}/u
const asksForPicture = /[\uFE0F\u20E3\u{1F3FB}-\u{1F3FF}]|^\p{Emoji}.*\u200D/u
const invisible = /[\uFE0E\uFE0F\u{E0020}-\u{E007F}]/gu
const regionalIndicator = /^\p{Regional_Indicator}$/u
const skinTone = /[\u{1F3FB}-\u{1F3FF}]/gu

/** No picture of the pack is joined of more parts: longer chains, which a caller may send, are not looked up. */
export const joinedPartsMax = 4

export function mayHavePictures(text: string): boolean {
  return possible.test(text)
}

let names: ReturnType<typeof readNames> | undefined

/**
 * The pack's name of the picture for the start of a grapheme, and the `length` that it stands for; undefined when it is text. An
 * unknown sequence falls apart into the longest known ones, an unknown skin tone or flag into what it was made from.
 * @param force a picture even where text is the default, because no font has the character.
 */
export function matchEmoji(
  grapheme: string,
  force = false,
): Readonly<{ name: string; length: number }> | undefined {
  if (!possible.test(grapheme) || grapheme.includes(textSelector) || letters.test(grapheme)) return undefined
  if (!force && !pictureByDefault.test(grapheme) && !asksForPicture.test(grapheme)) return undefined
  const parts = grapheme.split(joiner)
  for (let count = Math.min(parts.length, joinedPartsMax); count > 0; count--) {
    const sequence = parts.slice(0, count).join(joiner)
    const name = nameOf(sequence) ?? nameOf(sequence.replace(skinTone, ''))
    if (name !== undefined)
      return { name, length: Math.min(grapheme.length, sequence.length + (count < parts.length ? 1 : 0)) }
  }
  const first = String.fromCodePoint(grapheme.codePointAt(0) ?? 0)
  return regionalIndicator.test(first) && first !== grapheme ? matchEmoji(first) : undefined
}

function nameOf(sequence: string) {
  names ??= readNames()
  return names(keyOf(sequence.replaceAll(emojiSelector, ''))) ?? names(keyOf(sequence.replace(invisible, '')))
}

function readNames() {
  const byKey: Readonly<Record<string, string>> = JSON.parse(
    new TextDecoder().decode(readFontFileSync(emojiNamesFile)),
  )
  const keys = createWordList(Object.keys(byKey))
  const values = createWordList([...new Set(Object.values(byKey))])
  const valueIndices = Uint16Array.from(Object.values(byKey), values.indexOf)
  return (key: string) => {
    const at = keys.indexOf(key)
    return at < 0 ? undefined : values.at(valueIndices[at] ?? 0)
  }
}

function keyOf(sequence: string): string {
  return Array.from(sequence, (character) =>
    (character.codePointAt(0) ?? 0).toString(16).padStart(4, '0'),
  ).join('-')
}
