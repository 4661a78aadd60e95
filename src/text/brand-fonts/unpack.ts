import { brotliDecompressSync } from 'node:zlib'
import { drained } from '../../lib/drained.ts'
import { readWoff2Directory, type Woff2Directory } from '../woff2-directory.ts'
import { rebuildFont } from '../woff2-font.ts'
import { fontBytesMax } from './font-limits.ts'
import { FontRefused } from './font-refused.ts'
import { checkSignature, signatureOf, woff2 } from './font-signature.ts'
import { viewOf } from './sfnt.ts'

/** Limit of the unpacked font, which may have tables that are left out afterwards. */
const unpackedBytesMax = 2 * fontBytesMax

/**
 * A font file to a plain font. What a WOFF2 file unpacks to is known before it is unpacked: its stream is expanded to what
 * the directory declares and no further, and must end there.
 * @throws FontRefused
 */
export function unpack(file: Uint8Array): Uint8Array {
  checkSignature(file)
  if (signatureOf(file) !== woff2) return file
  const view = viewOf(file)
  const directory = readDirectory(file)
  if (view.getUint32(8) !== file.length || directory.stream.length !== view.getUint32(20))
    throw new FontRefused('is damaged: it is shorter or longer than it says')
  const original = directory.tables.reduce((sum, { length }) => sum + length, 0)
  if (Math.max(directory.unpackedBytes, original, view.getUint32(16)) > unpackedBytesMax)
    throw new FontRefused(`unpacks to more than ${unpackedBytesMax / 2 ** 20} MiB`)
  const font = rebuild(directory, expand(directory))
  if (font.length > unpackedBytesMax)
    throw new FontRefused(`unpacks to more than ${unpackedBytesMax / 2 ** 20} MiB`)
  return font
}

function readDirectory(file: Uint8Array): Woff2Directory {
  try {
    return readWoff2Directory(file)
  } catch {
    throw new FontRefused('is damaged: its directory of tables is not as WOFF2 says')
  }
}

function expand({ stream, unpackedBytes }: Woff2Directory): Uint8Array {
  let expanded: Uint8Array
  try {
    expanded = brotliDecompressSync(stream, { maxOutputLength: Math.max(1, unpackedBytes) })
  } catch {
    throw new FontRefused('is damaged: it unpacks to more than it says, or not at all')
  }
  if (expanded.length !== unpackedBytes) throw new FontRefused('is damaged: it unpacks to less than it says')
  return expanded
}

function rebuild(directory: Woff2Directory, expanded: Uint8Array): Uint8Array {
  try {
    return drained(rebuildFont(directory, expanded))
  } catch {
    throw new FontRefused('is damaged: it cannot be unpacked')
  }
}
