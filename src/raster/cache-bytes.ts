/** Limits of the drawing worker's caches, in bytes. */
export const rasterCacheBytes = {
  /** Backgrounds with a photograph: two at the usual width. */
  photographs: 5 * 2 ** 20,
  packedBackgrounds: 3 * 2 ** 20,
  /** Eight at the usual width. */
  unpackedBackgrounds: 6 * 2 ** 20,
  /** Emoji and logos. */
  pictures: 4 * 2 ** 20,
} as const
