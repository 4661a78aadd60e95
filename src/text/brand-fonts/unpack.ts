import { brotliDecompressSync } from 'node:zlib'
import { unpackFont } from '../woff2.ts'
import { fontBytesMax } from './font-limits.ts'
import { FontRefused } from './font-refused.ts'
import { checkSignature, signatureOf, woff2, woff2HeadBytes } from './font-signature.ts'
import { viewOf } from './sfnt.ts'

/** What unpacking may need beside what is kept: tables that are left out afterwards. */
const unpackedBytesMax = 2 * fontBytesMax

/**
 * A font file to a plain font. What a WOFF2 file unpacks to is known before it is unpacked as a font: its stream is
 * expanded to what the directory declares and no further, and must end there.
 * @throws FontRefused
 */
export function unpack(file: Uint8Array): Uint8Array {
  checkSignature(file)
  const view = viewOf(file)
  if (signatureOf(file) !== woff2) return file
  const { declared, original, streamStart } = readDirectory(view)
  const streamLength = view.getUint32(20)
  if (view.getUint32(8) !== file.length || streamStart + streamLength > file.length)
    throw new FontRefused('is damaged: it is shorter or longer than it says')
  if (declared > unpackedBytesMax || original > unpackedBytesMax || view.getUint32(16) > unpackedBytesMax)
    throw new FontRefused(`unpacks to more than ${unpackedBytesMax / 2 ** 20} MiB`)
  expand(file.subarray(streamStart, streamStart + streamLength), declared)
  const font = unpackQuietly(file)
  if (font === undefined) throw new FontRefused('is damaged: it cannot be unpacked')
  if (font.length > unpackedBytesMax)
    throw new FontRefused(`unpacks to more than ${unpackedBytesMax / 2 ** 20} MiB`)
  return font
}

/** Sums of the lengths of the tables as they lie in the stream, and unpacked. */
function readDirectory(view: DataView) {
  let at = woff2HeadBytes
  function base128(): number {
    let value = 0
    for (let index = 0; index < 5; index++) {
      const byte = view.getUint8(at++)
      value = value * 128 + (byte & 0x7f)
      if (byte < 128) return value
    }
    throw new RangeError('a number without an end')
  }
  const count = view.getUint16(12)
  const [glyf, loca, custom] = [10, 11, 63]
  let declared = 0
  let original = 0
  try {
    for (let index = 0; index < count; index++) {
      const flags = view.getUint8(at++)
      const tag = flags & 63
      if (tag === custom) at += 4
      const version = flags >> 6
      const length = base128()
      original += length
      const isTransformed = tag === glyf || tag === loca ? version === 0 : version !== 0
      declared += isTransformed ? base128() : length
    }
  } catch {
    throw new FontRefused('is damaged: its directory of tables is not as WOFF2 says')
  }
  return { declared, original, streamStart: at }
}

function expand(stream: Uint8Array, bytes: number): void {
  let expanded: Uint8Array
  try {
    expanded = brotliDecompressSync(stream, { maxOutputLength: Math.max(1, bytes) })
  } catch {
    throw new FontRefused('is damaged: it unpacks to more than it says, or not at all')
  }
  if (expanded.length !== bytes) throw new FontRefused('is damaged: it unpacks to less than it says')
}

/** Undefined for what the decoder refuses; it throws where it aborts. */
function unpackQuietly(file: Uint8Array): Uint8Array | undefined {
  try {
    return unpackFont(file)
  } catch {
    return undefined
  }
}
