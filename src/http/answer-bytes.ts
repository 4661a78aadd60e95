const mebibyte = 2 ** 20
/** What the other caches hold when they are full: fonts and words 19, pictures of the raster worker 15, parsed requests 4, and overhead. */
const otherCachesMb = 44

/** Returns the bytes of `CACHE_MB` for rendered assets: what the other caches leave, at least five sixteenths. */
export function answerBytes(cacheMb: number): number {
  return Math.max(cacheMb - otherCachesMb, (cacheMb * 5) / 16) * mebibyte
}
