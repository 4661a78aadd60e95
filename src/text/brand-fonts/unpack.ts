import { isWoff2, unpackFont } from '../woff2.ts'
import { fontBytesMax } from './font-limits.ts'
import { FontRefused } from './font-refused.ts'
import { checkSignature } from './font-signature.ts'
import { viewOf } from './sfnt.ts'

/** Limit of the unpacked font, which may have tables that are left out afterwards. */
const unpackedBytesMax = 2 * fontBytesMax

/**
 * A font file to a plain font. The decoder bounds what a WOFF2 file unpacks to by a hundred times its size.
 * @throws FontRefused
 */
export function unpack(file: Uint8Array): Uint8Array {
  checkSignature(file)
  if (!isWoff2(file)) return file
  const view = viewOf(file)
  if (view.getUint32(8) !== file.length)
    throw new FontRefused('is damaged: it is shorter or longer than it says')
  checkLength(view.getUint32(16))
  const font = rebuild(file)
  checkLength(font.length)
  return font
}

function checkLength(bytes: number): void {
  if (bytes > unpackedBytesMax)
    throw new FontRefused(`unpacks to more than ${unpackedBytesMax / 2 ** 20} MiB`)
}

function rebuild(file: Uint8Array): Uint8Array {
  try {
    return unpackFont(file)
  } catch {
    throw new FontRefused('is damaged: it cannot be unpacked')
  }
}
