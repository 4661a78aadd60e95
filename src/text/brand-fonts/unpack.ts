import { brotliDecompressSync } from 'node:zlib'
import { unpackFont } from '../woff2.ts'
import { fontBytesMax } from './font-limits.ts'
import { FontRefused } from './font-refused.ts'
import { viewOf } from './sfnt.ts'

const trueType = 0x00010000
const appleTrueType = 0x74727565
const openType = 0x4f54544f
const woff2 = 0x774f4632
const refused: Readonly<Record<number, string>> = {
  2001684038: 'is WOFF; fonts are WOFF2, TTF or OTF',
  1953784678: 'is a collection of fonts; only a single font can be used',
  1954115633: 'is a PostScript font; fonts are WOFF2, TTF or OTF',
}
/** What unpacking may need beside what is kept: tables that are left out afterwards. */
const unpackedBytesMax = 2 * fontBytesMax
const headBytes = 48

/** Whether a file begins as a font does that can be used. @throws FontRefused */
export function checkSignature(file: Uint8Array): void {
  if (file.length < 12)
    throw new FontRefused(file.length === 0 ? 'is empty' : 'is not a font: WOFF2, TTF or OTF')
  const signature = viewOf(file).getUint32(0)
  if ([trueType, appleTrueType, openType].includes(signature)) return
  if (signature !== woff2) throw new FontRefused(refused[signature] ?? 'is not a font: WOFF2, TTF or OTF')
  if (file.length < headBytes) throw new FontRefused('is damaged: it ends within its first bytes')
  const flavor = viewOf(file).getUint32(4)
  if (![trueType, appleTrueType, openType].includes(flavor))
    throw new FontRefused(refused[flavor] ?? 'is not a font: WOFF2, TTF or OTF')
}

/**
 * A font file to a plain font. What a WOFF2 file unpacks to is known before it is unpacked as a font: its stream is
 * expanded to what the directory declares and no further, and must end there.
 * @throws FontRefused
 */
export function unpack(file: Uint8Array): Uint8Array {
  checkSignature(file)
  const view = viewOf(file)
  if (view.getUint32(0) !== woff2) return file
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
  let at = headBytes
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
