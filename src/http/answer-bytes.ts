const mebibyte = 2 ** 20
/** What the text engine and the drawing worker keep when they are busy: fonts, words, backgrounds, emoji. */
const otherCachesMb = 32

/** The share of `CACHE_MB` that finished answers get, in bytes: what the other caches leave, at least half. */
export function answerBytes(cacheMb: number): number {
  return Math.max(cacheMb - otherCachesMb, cacheMb / 2) * mebibyte
}
