/** What the text engine keeps at most to use it again, in bytes. Together with brands' fonts it is HarfBuzz's memory. */
export const textCacheBytes = {
  /** Faces of our own fonts. */
  fonts: 8 * 2 ** 20,
  /** Faces of brands' fonts. They must hold all fonts of one card: two of the largest that are allowed. */
  brandFonts: 16 * 2 ** 20,
  glyphs: 4 * 2 ** 20,
  words: 4 * 2 ** 20,
  items: 2 ** 20,
  emojiBodies: 2 ** 20,
} as const
