import { brotliDecompressSync } from 'node:zlib'
import { LRUCache } from 'lru-cache'
import { fromOklch, parseHex, relativeLuminance, toHex, toOklch } from '../lib/color.ts'
import { createWordList } from '../lib/words.ts'
import { textCacheBytes } from './cache-bytes.ts'
import { packedEmoji } from './emoji.generated.ts'
import { emojiFile, readFontRangeSync } from './font-files.ts'

const onDark = '-on-dark'
const colors = /#[\da-f]{6}\b|#[\da-f]{3}\b/gi
/** The relative luminance below which a colour has no contrast of 2 on our dark backgrounds. */
const darkMax = 0.058
/** The relative luminance from which on letters are there for a dark background. */
const lightMin = 0.18
const lightness = 0.82

function inForm(name: string): string {
  if (!name.endsWith(onDark)) return readBody(name)
  return readBody(name.slice(0, -onDark.length)).replace(colors, (color) => {
    const parsed = parseHex(color)
    return parsed === undefined ? color : toHex(fromOklch({ ...toOklch(parsed), l: lightness }))
  })
}

function luminanceOf(color: string): number {
  return relativeLuminance(parseHex(color) ?? { r: 0, g: 0, b: 0 })
}

const viewBoxPx = 36
const bodies = new LRUCache<string, string>({
  maxSize: textCacheBytes.emojiBodies,
  sizeCalculation: (body) => body.length + 100,
})

/** The name of the form that shows beside letters in `#rrggbb`: pictures of nothing but dark colours have a light one. */
export function emojiBeside(name: string, letters: string): string {
  if (luminanceOf(letters) < lightMin) return name
  const inks = emojiBody(name).body.match(colors) ?? ['#ffffff']
  return inks.every((color) => luminanceOf(color) < darkMax) ? name + onDark : name
}

/** SVG elements on a square of `viewBoxPx`. Ids start with `idPrefix`, which must differ between pictures in one document. */
export function emojiBody(name: string, idPrefix = '') {
  const body = bodies.get(name) ?? inForm(name)
  bodies.set(name, body)
  const named = body.includes('id="') ? body.replace(/(id="|url\(#|href="#)/g, `$1${idPrefix}`) : body
  return { body: named, viewBoxPx }
}

/** Read from its place in the pack, which is 10 MB: a process may never draw more than a few pictures. */
function readBody(name: string): string {
  table ??= unpack()
  const at = table.names.indexOf(name)
  if (at < 0) throw new Error(`No emoji is called ${name}`)
  const [start = 0, length = 0, heightPx = 0] = table.places.subarray(at * 3, at * 3 + 3)
  const bytes = readFontRangeSync(emojiFile, start, new Uint8Array(length))
  const body: string = JSON.parse(new TextDecoder().decode(bytes))
  const down = (viewBoxPx - heightPx) / 2
  return down === 0 ? body : `<g transform="translate(0 ${Number(down.toFixed(3))})">${body}</g>`
}

let table: ReturnType<typeof unpack> | undefined

/** Every picture: the code points of its emoji, its name, and the start, length and height of its body. */
function unpack() {
  const rows: readonly (readonly [string, string, number, number, number])[] = JSON.parse(
    brotliDecompressSync(Buffer.from(packedEmoji, 'base64')).toString(),
  )
  return {
    keys: createWordList(rows.map(([key]) => key)),
    names: createWordList(rows.map(([, name]) => name)),
    places: Float64Array.from(rows.flatMap(([, , ...place]) => place)),
  }
}

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

function nameOf(sequence: string): string | undefined {
  table ??= unpack()
  const { keys, names } = table
  const at = keys.indexOf(keyOf(sequence.replaceAll(emojiSelector, '')))
  const found = at < 0 ? keys.indexOf(keyOf(sequence.replace(invisible, ''))) : at
  return found < 0 ? undefined : names.at(found)
}

function keyOf(sequence: string): string {
  return Array.from(sequence, (character) =>
    (character.codePointAt(0) ?? 0).toString(16).padStart(4, '0'),
  ).join('-')
}
