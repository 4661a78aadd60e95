/** The largest file that networks take for a picture in a link, in bytes. */
export const networkBytesMax = 600_000

/**
 * How large a JPEG or WebP is at a quality, beside the same one at 82: about, for pictures of every kind. Below 90 a JPEG
 * keeps one colour for four pixels.
 */
const sizes: readonly (readonly [quality: number, size: number])[] = [
  [95, 2.7],
  [92, 2],
  [89, 1.45],
  [86, 1.2],
  [82, 1],
  [78, 0.86],
  [72, 0.74],
  [65, 0.64],
  [55, 0.54],
  [45, 0.46],
  [35, 0.38],
  [25, 0.3],
  [15, 0.2],
  [8, 0.13],
]
const triesMax = 4

/** A guess by bands of rows is up to half too large: only one beyond this is believed. */
const guessTolerance = 1.5

/**
 * Encodes in the quality that is asked for, or in the best one of which the file is not too large: a guess by the size of
 * the last one, four times at most, then the lowest. `guessBytes`, where it costs much less than encoding, says how large
 * the file will be about, so that a quality which is far too high is not tried.
 */
export async function encodeWithin(
  encode: (quality: number) => Promise<Uint8Array<ArrayBuffer>>,
  quality: number,
  bytesMax: number = networkBytesMax,
  guessBytes?: (quality: number) => Promise<number>,
): Promise<Uint8Array<ArrayBuffer>> {
  const guess = (await guessBytes?.(quality)) ?? 0
  let tried =
    guess > bytesMax * guessTolerance ? (lowerQuality(quality, guess, bytesMax) ?? quality) : quality
  for (let tries = 0; tries < triesMax; tries++) {
    const bytes = await encode(tried)
    if (bytes.byteLength <= bytesMax) return bytes
    const next = lowerQuality(tried, bytes.byteLength, bytesMax)
    if (next === undefined) break
    tried = next
  }
  return encode(1)
}

/** The best quality with which a file that is too large should fit. */
function lowerQuality(tried: number, bytes: number, bytesMax: number): number | undefined {
  const goal = sizeAt(tried) * (bytesMax / bytes) * 0.97
  return sizes.find(([lower, size]) => lower < tried && size <= goal)?.[0]
}

/** Between two lines of the table. */
function sizeAt(quality: number): number {
  const below = sizes.findIndex(([each]) => each <= quality)
  const [low, lowSize] = sizes.at(below) ?? [1, 0.1]
  const [high, highSize] = below > 0 ? (sizes[below - 1] ?? [low, lowSize]) : [low, lowSize]
  return high === low ? lowSize : lowSize + ((highSize - lowSize) * (quality - low)) / (high - low)
}
