import { setTimeout } from 'node:timers/promises'
import decoder from 'wawoff2/build/decompress_binding.js'

const pollMs = 1

/** Resolves when `unpackWoff2` may be called. Polled: the decoder has one ready callback, which other users may have taken. */
export const woff2Ready = (async () => {
  while (decoder.decompress === undefined) await setTimeout(pollMs)
})()

/** WOFF2 to the plain font, in memory of the decoder that the next call overwrites. */
export function unpackWoff2(woff2: Uint8Array): Uint8Array {
  const font = decoder.decompress?.(woff2)
  if (!font) throw new Error('This is not a WOFF2 font, or the decoder has not started')
  return font
}
