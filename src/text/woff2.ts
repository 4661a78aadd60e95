import { setTimeout } from 'node:timers/promises'
import decoder from 'wawoff2/build/decompress_binding.js'

const pollMs = 1

/** Resolves when `unpackFont` may be called. Polled: the decoder has one ready callback, which other users may have taken. */
export const woff2Ready = (async () => {
  while (decoder.decompress === undefined) await setTimeout(pollMs)
})()

const signature = 'wOF2'

/** A font file to the plain font; that of a WOFF2 file is in memory of the decoder that the next call overwrites. */
export function unpackFont(file: Uint8Array): Uint8Array {
  const isPacked = [...signature].every((letter, at) => file[at] === letter.charCodeAt(0))
  if (!isPacked) return file
  const font = decoder.decompress?.(file)
  if (!font) throw new Error('This is not a WOFF2 font, or the decoder has not started')
  return font
}
