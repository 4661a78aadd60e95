import { LRUCache } from 'lru-cache'
import { fromOklch, parseHex, relativeLuminance, toHex, toOklch } from '../lib/color.ts'
import { createCpuBudget } from '../lib/cooperative-scheduler.ts'
import { drained } from '../lib/json.ts'
import { createWordList } from '../lib/words.ts'
import { textCacheBytes } from './cache-bytes.ts'
import { emojiFile, emojiNamesFile, readFontFileSync, readFontRangeSync } from './font-files.ts'

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
const bodyKey = '"body"'
const backslash = 0x5c
const quote = 0x22
const bodies = new LRUCache<string, string>({
  maxSize: textCacheBytes.emojiBodies,
  sizeCalculation: (body) => body.length + 100,
})
let places: ReturnType<typeof compact> | undefined

/** Without places `emojiBody` looks through the whole pack, which takes some 40 ms. */
export function hasEmojiPlaces(): boolean {
  return places !== undefined
}

/** Looks through the pack in short turns of the event loop. */
export async function loadEmojiPlaces(): Promise<void> {
  places ??= compact(await createCpuBudget().run(index()))
}

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

function readBody(name: string): string {
  places ??= compact(drained(index()))
  const place = places(name)
  if (place === undefined) throw new Error(`No emoji is called ${name}`)
  const body: string = JSON.parse(
    new TextDecoder().decode(readFontRangeSync(emojiFile, place.start, new Uint8Array(place.length))),
  )
  const down = (viewBoxPx - place.heightPx) / 2
  return down === 0 ? body : `<g transform="translate(0 ${Number(down.toFixed(3))})">${body}</g>`
}

/** Longer than any picture in the pack. */
const windowBytes = 2 ** 19

/**
 * The place of each body in the file. The pack is 10 MB, of which a process may never draw more than a few pictures, so its bytes
 * are scanned instead of parsed, and only some of them are in memory at a time: a step for each picture.
 */
function* index(): Generator<void, Places> {
  const found: Places = new Map()
  const room = new Uint8Array(windowBytes)
  for (let from = 0; ; ) {
    const { length } = readFontRangeSync(emojiFile, from, room)
    const scanned = yield* scan(Buffer.from(room.buffer, 0, length), from, found)
    if (length < windowBytes) return found
    if (scanned === 0) throw new Error('A picture is larger than the window that looks for it.')
    from += scanned
  }
}

type Places = Map<string, { readonly start: number; readonly length: number; readonly heightPx: number }>

function compact(found: Places) {
  const names = createWordList([...found.keys()])
  const numbers = [...found.values()].flatMap(({ start, length, heightPx }) => [start, length, heightPx])
  const placed = Float64Array.from(numbers)
  return (name: string) => {
    const at = names.indexOf(name)
    const [start = 0, length = 0, heightPx = 0] = placed.subarray(at * 3, at * 3 + 3)
    return at < 0 ? undefined : { start, length, heightPx }
  }
}

/** Notes the pictures that are whole in a window of the file. Returns where the last of them ends. */
function* scan(bytes: Buffer, from: number, found: Places): Generator<void, number> {
  let scanned = 0
  for (let at = bytes.indexOf(bodyKey); at >= 0; at = bytes.indexOf(bodyKey, scanned)) {
    const nameEnd = bytes.lastIndexOf('"', at - 1)
    const name = bytes.toString('latin1', bytes.lastIndexOf('"', nameEnd - 1) + 1, nameEnd)
    const start = bytes.indexOf('"', at + bodyKey.length)
    const end = closingQuote(bytes, start) + 1
    const close = bytes.indexOf('}', end)
    if (start < 0 || end === 0 || close < 0) break
    const height = bytes.toString('latin1', end, close).match(/"height":\s*([\d.]+)/)?.[1]
    found.set(name, { start: from + start, length: end - start, heightPx: Number(height ?? viewBoxPx) })
    scanned = close
    yield
  }
  return scanned
}

/** Walks by itself: a body is full of escaped quotes, and a search for each of them would leave its garbage. */
function closingQuote(bytes: Buffer, opening: number): number {
  for (let at = opening + 1; at < bytes.length; at += 1) {
    if (bytes[at] === quote) return at
    if (bytes[at] === backslash) at += 1
  }
  return -1
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
