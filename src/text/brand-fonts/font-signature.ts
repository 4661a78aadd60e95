import { listOf } from '../../lib/human-format.ts'
import { FontRefused, fontFormats } from './font-limits.ts'

export const woff2 = 'wOF2'
export const woff2HeadBytes = 48

/** TrueType in two spellings, and OpenType with PostScript outlines. */
const plain = ['\0\x01\0\0', 'true', 'OTTO']
export const fontFormatLabels = listOf(fontFormats.map((format) => format.toUpperCase()))
const noFont = `is not a font: ${fontFormatLabels}`
const refused = new Map([
  ['wOFF', `is WOFF; fonts are ${fontFormatLabels}`],
  ['ttcf', 'is a collection of fonts; only a single font can be used'],
  ['typ1', `is a PostScript font; fonts are ${fontFormatLabels}`],
])

/** Refuses what does not begin as a font does that can be used. @throws FontRefused */
export function checkSignature(file: Uint8Array): void {
  if (file.length < 12) throw new FontRefused(file.length === 0 ? 'is empty' : noFont)
  const signature = signatureOf(file)
  if (plain.includes(signature)) return
  if (signature !== woff2) throw new FontRefused(refused.get(signature) ?? noFont)
  if (file.length < woff2HeadBytes) throw new FontRefused('is damaged: it ends within its first bytes')
  const flavor = signatureOf(file.subarray(4))
  if (!plain.includes(flavor)) throw new FontRefused(refused.get(flavor) ?? noFont)
}

export function signatureOf(file: Uint8Array): string {
  return String.fromCharCode(...file.subarray(0, 4))
}
