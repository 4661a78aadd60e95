/** A font that somebody brought for their cards. */
export interface BrandFont {
  /** The SHA-256 of `bytes`, in hex: equal keys mean equal fonts. */
  readonly key: string
  /** As the engine loads it: sfnt or WOFF2. */
  readonly bytes: Uint8Array<ArrayBuffer>
}
