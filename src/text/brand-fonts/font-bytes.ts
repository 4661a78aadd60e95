import type { CardFont } from './brand-font.ts'

/** All of a font. Rejects where the database does not answer. */
export async function fontBytes(font: CardFont): Promise<Uint8Array> {
  return 'bytes' in font ? font.bytes : font.read()
}
