/** A font that somebody brought for their cards. Equal keys mean equal fonts. */
export type CardFont = BrandFont | StoredFont

export interface BrandFont {
  /** The SHA-256 of `bytes`, in hex. */
  readonly key: string
  /** As the engine loads it: sfnt or WOFF2. */
  readonly bytes: Uint8Array<ArrayBuffer>
}

/** A font in the database. Its bytes are held by nobody but the engine, which reads them again after it dropped them. */
export interface StoredFont {
  readonly key: string
  /** What the check found out about it, as `factsText` returns it. */
  readonly facts: string | undefined
  read(): Promise<Uint8Array>
}
