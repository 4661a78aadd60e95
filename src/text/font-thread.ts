import { parentPort } from 'node:worker_threads'
import { lowerPriority } from '../lib/own-process.ts'
import { type FontFile, readFontFileSync } from './font-files.ts'
import { createHarfBuzz, glyphOutline, type HarfBuzz } from './harfbuzz.ts'
import { unpackFont, woff2Ready } from './woff2.ts'

/** A font to unpack, and letters that will be drawn with it. */
export interface FontOrder {
  readonly file: FontFile
  readonly letters: string
  readonly wasm: WebAssembly.Module
}

let harfbuzz: HarfBuzz | undefined

/**
 * The program of the thread that unpacks fonts for the main one, started by `text-drawer.ts` only. It also draws the letters once:
 * what HarfBuzz runs for a script the first time is compiled then, for Devanagari in 30 ms, and threads share compiled code.
 */
lowerPriority()
parentPort?.on('message', (order: FontOrder) =>
  unpack(order).then(
    (bytes) => parentPort?.postMessage(bytes, [bytes.buffer]),
    () => parentPort?.postMessage(undefined),
  ),
)

async function unpack({ file, letters, wasm }: FontOrder): Promise<Uint8Array<ArrayBuffer>> {
  await woff2Ready
  const bytes = Uint8Array.from(unpackFont(readFontFileSync(file)))
  harfbuzz ??= createHarfBuzz(wasm)
  const face = harfbuzz.createFace(bytes)
  const font = face.font({})
  const request = { text: letters, start: 0, end: letters.length, lang: '', separate: false }
  for (const { id } of font.shape({ ...request, direction: 'ltr' })) glyphOutline(font, id)
  face.free()
  return bytes
}
