/** Limits of the text engine's caches, in bytes. Together with brands' fonts they are HarfBuzz's memory. */
export const textCacheBytes = {
  fonts: 8 * 2 ** 20,
  /** Faces of brands' fonts. They must hold all fonts of one card: two of the largest that are allowed. */
  brandFonts: 16 * 2 ** 20,
  glyphs: 4 * 2 ** 20,
  words: 4 * 2 ** 20,
  items: 2 ** 20,
  emojiBodies: 2 ** 20,
} as const
