import { LRUCache } from 'lru-cache'
import { backgroundSvg } from './background-svg.ts'
import type { Bitmap } from './bitmap.ts'
import { rasterCacheBytes } from './cache-bytes.ts'
import { drawSvg } from './draw-svg.ts'
import type { Scene } from './scene.ts'
import { zlibCompress, zlibExpand } from './zlib.ts'

type Rows = Uint8Array<ArrayBuffer>

const unpackedBytesMax = rasterCacheBytes.unpackedBackgrounds
/** The latest backgrounds, uncompressed. */
const unpackedCache = new LRUCache<string, Rows>({
  maxSize: unpackedBytesMax,
  sizeCalculation: (rows) => rows.length,
})

/** Many more, compressed to 4 to 90 KB: unpacking takes one ms where drawing takes 20 to 40. */
const packedCache = new LRUCache<string, readonly Uint8Array[]>({
  maxSize: rasterCacheBytes.packedBackgrounds,
  sizeCalculation: (bands) => bands.reduce((bytes, band) => bytes + band.length + 100, 200),
})
/** Unpacking in small bands allocates no buffer of the picture's size. */
const bandBytes = 60_000

/** A photograph of which one is more than the cache takes, until `dropLargeBackground`. */
let large: KeptBackground | undefined

/** Paints the scene's background over all rows of a bitmap, opaque. */
export function paintBackground(scene: Scene, { rows, widthPx, heightPx }: Bitmap): void {
  const kept = keptBackground(scene, widthPx)
  if (kept) {
    rows.set(kept.rows)
    return
  }
  const key = keyOf(scene, widthPx)
  const bands = packedCache.get(key)
  if (bands) unpack(bands, rows)
  else {
    const drawn = draw(scene, widthPx, heightPx)
    rows.set(drawn.rows)
    // A picture hardly gets smaller, and takes longer to pack than to draw.
    if (scene.background.picture === undefined) packedCache.set(key, pack(rows))
    else if (rows.length > unpackedBytesMax) {
      large = { key, rows: drawn.rows }
      return
    }
  }
  keep(key, rows)
}

/** The rows of the background that was painted last, and its key; undefined when they are too many to be kept. */
export function keptBackground(scene: Scene, widthPx: number): KeptBackground | undefined {
  const key = keyOf(scene, widthPx)
  const rows = unpackedCache.get(key)
  if (rows) return { key, rows }
  return large?.key === key ? large : undefined
}

/** To be called when a picture is encoded: a large photograph is kept for as long as it may be painted over again. */
export function dropLargeBackground(): void {
  large = undefined
}

export interface KeptBackground {
  /** Equal keys mean equal rows. */
  readonly key: string
  readonly rows: Uint8Array
}

function keyOf({ background }: Scene, widthPx: number): string {
  return `${widthPx} ${background.key}`
}

/** Keeps a copy of the rows, in the buffer of the one that it replaces: fresh memory each time would pile up. */
function keep(key: string, rows: Rows): void {
  const isFull = unpackedCache.calculatedSize + rows.length > unpackedBytesMax
  const oldest = isFull ? unpackedCache.pop() : undefined
  const copy = oldest?.length === rows.length ? oldest : new Uint8Array(rows.length)
  copy.set(rows)
  unpackedCache.set(key, copy)
}

function pack(rows: Rows): readonly Uint8Array[] {
  const count = Math.ceil(rows.length / bandBytes)
  return Array.from({ length: count }, (_, i) =>
    Uint8Array.from(zlibCompress(rows.subarray(i * bandBytes, (i + 1) * bandBytes), 4)),
  )
}

function unpack(bands: readonly Uint8Array[], rows: Rows): void {
  for (const [i, band] of bands.entries()) rows.set(zlibExpand(band), i * bandBytes)
}

function draw({ background, widthPx, heightPx }: Scene, toWidthPx: number, toHeightPx: number): Bitmap {
  const size = `width="${toWidthPx}" height="${toHeightPx}" viewBox="0 0 ${widthPx} ${heightPx}"`
  const head = `<svg xmlns="http://www.w3.org/2000/svg" ${size} preserveAspectRatio="none">`
  const drawn = drawSvg(`${head}${backgroundSvg(background)}</svg>`)
  if (drawn.channels !== 3) throw new Error(`background ${background.key} leaves transparent pixels`)
  return drawn
}
