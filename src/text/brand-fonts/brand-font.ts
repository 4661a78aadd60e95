import type { FontFile } from '../coverage/lookup.ts'

/** A font uploaded for a brand. Equal keys mean equal fonts. */
export type CardFont = BrandFont | StoredFont

export interface BrandFont {
  /** The SHA-256 of `bytes`, in hex. */
  readonly key: string
  /** The font in a form that the engine loads: sfnt or WOFF2. */
  readonly bytes: Uint8Array<ArrayBuffer>
}

/** A font in the database. Its bytes are held by nobody but the engine, which reads them again after it dropped them. */
export interface StoredFont {
  readonly key: string
  /** Facts that the check found, as `factsText` returns them. */
  readonly facts: string | undefined
  read(): Promise<Uint8Array>
}

/** All of a font. Rejects where the database does not answer. */
export async function fontBytes(font: CardFont): Promise<Uint8Array> {
  return 'bytes' in font ? font.bytes : font.read()
}

export type FontSource = FontFile | CardFont

export function isBrandFont(source: FontSource): source is CardFont {
  return 'key' in source
}
