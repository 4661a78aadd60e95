const mebibyte = 2 ** 20
/** What the other caches hold when they are full: fonts and words 19, pictures of the drawing worker 15, past calls 4, and what lies between. */
const otherCachesMb = 44

/** The share of `CACHE_MB` that finished answers get, in bytes: what the other caches leave, at least five sixteenths. */
export function answerBytes(cacheMb: number): number {
  return Math.max(cacheMb - otherCachesMb, (cacheMb * 5) / 16) * mebibyte
}
