/**
 * Whether a file is as our encoder writes one: all before its pixels is byte for byte what `own` has there, a JPEG of the
 * same size and quality that we have just encoded; the rest is codes of pixels to the end, without a marker in between and
 * without anything behind. Such a file carries nothing but a picture, and to encode it again would only make it worse.
 */
export function isOwnJpeg(file: Uint8Array, own: Uint8Array): boolean {
  const start = scanStart(own)
  if (start === undefined || file.length < start + 2) return false
  for (let at = 0; at < start; at++) if (file[at] !== own[at]) return false
  const end = file.length - 2
  for (let at = start; at < end; at++) {
    // Within codes a byte of 255 is followed by a 0.
    if (file[at] === 0xff && file[at + 1] !== 0) return false
  }
  return file[end] === 0xff && file[end + 1] === endOfImage
}

const endOfImage = 0xd9
const startOfScan = 0xda

/** Where the codes of the only scan begin; undefined where the segments before it cannot be read. */
function scanStart(jpeg: Uint8Array): number | undefined {
  for (let at = 2; at + 4 <= jpeg.length; ) {
    const lengthBytes = ((jpeg[at + 2] as number) << 8) | (jpeg[at + 3] as number)
    const next = at + 2 + lengthBytes
    if (jpeg[at] !== 0xff) return undefined
    if (jpeg[at + 1] === startOfScan) return next
    at = next
  }
  return undefined
}
