import { LRUCache } from 'lru-cache'
import { emojiFile, readFontFileSync, readFontRangeSync } from './font-files.ts'

export interface EmojiBody {
  /** SVG elements, drawn on a square of `viewBoxPx`. */
  readonly body: string
  readonly viewBoxPx: number
}

interface Place {
  readonly start: number
  readonly length: number
  readonly heightPx: number
}

const viewBoxPx = 36
const backslash = 0x5c
const bodies = new LRUCache<string, string>({
  maxSize: 2 ** 20,
  sizeCalculation: (body) => body.length + 100,
})
let places: ReadonlyMap<string, Place> | undefined

/**
 * The picture of this name. A few bodies carry ids (clip paths, reused shapes): they start with `idPrefix`,
 * which must differ between pictures that stand in one document.
 */
export function emojiBody(name: string, idPrefix = ''): EmojiBody {
  const body = bodies.get(name) ?? readBody(name)
  bodies.set(name, body)
  const named = body.includes('id="') ? body.replace(/(id="|url\(#|href="#)/g, `$1${idPrefix}`) : body
  return { body: named, viewBoxPx }
}

function readBody(name: string): string {
  places ??= index()
  const place = places.get(name)
  if (place === undefined) throw new Error(`No emoji is called ${name}`)
  const body: string = JSON.parse(
    new TextDecoder().decode(readFontRangeSync(emojiFile, place.start, place.length)),
  )
  const down = (viewBoxPx - place.heightPx) / 2
  return down === 0 ? body : `<g transform="translate(0 ${Number(down.toFixed(3))})">${body}</g>`
}

/**
 * Where each body lies in the file. The pack is 10 MB, of which a process may never draw more than a few pictures,
 * so its bytes are scanned instead of parsed, and no string of it is kept.
 */
function index(): Map<string, Place> {
  const file = readFontFileSync(emojiFile)
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength)
  const found = new Map<string, Place>()
  for (let at = bytes.indexOf('"body"'); at >= 0; at = bytes.indexOf('"body"', at + 1)) {
    const nameEnd = bytes.lastIndexOf('"', at - 1)
    const name = bytes.toString('latin1', bytes.lastIndexOf('"', nameEnd - 1) + 1, nameEnd)
    const start = bytes.indexOf('"', at + '"body"'.length)
    const end = closingQuote(bytes, start) + 1
    const rest = bytes.toString('latin1', end, bytes.indexOf('}', end))
    const height = rest.match(/"height":\s*([\d.]+)/)?.[1]
    found.set(name, { start, length: end - start, heightPx: Number(height ?? viewBoxPx) })
  }
  return found
}

function closingQuote(bytes: Buffer, opening: number): number {
  let at = bytes.indexOf('"', opening + 1)
  while (bytes[at - 1] === backslash) at = bytes.indexOf('"', at + 1)
  return at
}
