import { constants, deflateSync } from 'node:zlib'
/** The largest file that networks take for a picture in a link, in bytes. */
export const networkBytesMax = 600_000

/** Encodings of one picture beside the last, which is taken when none of these is small enough. */
const triesMax = 4

/** Encodes by the first setting, else the best whose file is not too large, guessed by the last file; at last by the last one. */
export async function encodeWithin<Setting extends { readonly size: number }>(
  settings: readonly Setting[],
  encode: (setting: Setting) => Uint8Array<ArrayBuffer> | Promise<Uint8Array<ArrayBuffer>>,
  bytesMax = networkBytesMax,
): Promise<Uint8Array<ArrayBuffer>> {
  let index = 0
  const last = settings.length - 1
  for (let tries = 1; ; tries++) {
    const setting = settings[index] as Setting
    const bytes = await encode(setting)
    if (bytes.byteLength <= bytesMax || index === last) return bytes
    const goal = setting.size * (bytesMax / bytes.byteLength) * 0.97
    const next = settings.findIndex(({ size }, place) => place > index && size <= goal)
    index = next < 0 || tries === triesMax ? last : next
  }
}

/** The size of a JPEG or WebP at a quality, beside the same one at 82: about. Below 90 a JPEG keeps one colour for four pixels. */
const lossySizes = [
  '100:4.5 95:2.7 92:2 89:1.45 86:1.2 82:1 78:0.86 72:0.74',
  '65:0.64 55:0.54 45:0.46 35:0.38 25:0.3 15:0.2 8:0.13 1:0.1',
]
  .flatMap((row) => row.split(' '))
  .map((pair) => pair.split(':').map(Number))
  .map(([quality = 0, size = 0]) => ({ quality, size }))

export function qualitiesFrom(quality: number) {
  const above = lossySizes.findLast((each) => each.quality >= quality)
  return [{ quality, size: above?.size ?? 1 }, ...lossySizes.filter((each) => each.quality < quality)]
}

/** Level 6 saves 2 to 6 % and takes a third more time. Filtered pixels hardly repeat: frequency alone codes them. */
const kinds = { rows: { level: 5 }, filtered: { level: 5, strategy: constants.Z_HUFFMAN_ONLY } } as const

/** Output comes in pieces of so many bytes. How many there are decides where blocks end, and so what the bytes are. */
const chunkSize = 256 * 1024

export const deflateSettings = JSON.stringify({ ...kinds, chunkSize })

export function deflate(data: Uint8Array, kind: keyof typeof kinds = 'rows'): Uint8Array {
  return deflateSync(data, { ...kinds[kind], chunkSize })
}
