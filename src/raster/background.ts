import { LRUCache } from 'lru-cache'
import { backgroundSvg } from './background-svg.ts'
import { type Bitmap, rowBytes } from './bitmap.ts'
import { drawSvg } from './draw-svg.ts'
import type { Scene } from './scene.ts'
import { zlibCompress, zlibExpand } from './zlib.ts'

type Rows = Uint8Array<ArrayBuffer>

/** The latest backgrounds, uncompressed: four at the usual width. The buffer of an evicted one is used again. */
const unpackedCache = new LRUCache<string, Rows>({
  maxSize: 9 * 2 ** 20,
  sizeCalculation: (rows) => rows.length,
  dispose: (rows) => {
    spare = rows
  },
})
let spare: Rows | undefined

/** Many more, compressed to 4 to 90 KB: unpacking takes one ms where drawing takes 20 to 40. */
const packedCache = new LRUCache<string, readonly Uint8Array[]>({
  maxSize: 4 * 2 ** 20,
  sizeCalculation: (bands) => bands.reduce((bytes, band) => bytes + band.length + 100, 200),
})
/** Unpacking in small bands allocates no buffer of the picture's size. */
const bandBytes = 60_000

/** The scene's background as a bitmap's rows, opaque. Not to be changed, valid until the next call. */
export function backgroundRows(scene: Scene, widthPx: number, heightPx: number): Rows {
  const key = `${widthPx} ${scene.background.key}`
  const cached = unpackedCache.get(key)
  if (cached) return cached
  const bands = packedCache.get(key)
  const rows = bands ? unpack(bands, rowBytes(widthPx, 3) * heightPx) : draw(scene, widthPx, heightPx).rows
  // A picture hardly gets smaller, and takes longer to pack than to draw.
  if (!bands && scene.background.picture === undefined) packedCache.set(key, pack(rows))
  unpackedCache.set(key, rows)
  return rows
}

function pack(rows: Rows): readonly Uint8Array[] {
  const count = Math.ceil(rows.length / bandBytes)
  return Array.from({ length: count }, (_, i) =>
    Uint8Array.from(zlibCompress(rows.subarray(i * bandBytes, (i + 1) * bandBytes), 4)),
  )
}

function unpack(bands: readonly Uint8Array[], length: number): Rows {
  const rows = spare?.length === length ? spare : new Uint8Array(length)
  spare = undefined
  for (const [i, band] of bands.entries()) rows.set(zlibExpand(band), i * bandBytes)
  return rows
}

function draw({ background, widthPx, heightPx }: Scene, toWidthPx: number, toHeightPx: number): Bitmap {
  const size = `width="${toWidthPx}" height="${toHeightPx}" viewBox="0 0 ${widthPx} ${heightPx}"`
  const head = `<svg xmlns="http://www.w3.org/2000/svg" ${size} preserveAspectRatio="none">`
  const drawn = drawSvg(`${head}${backgroundSvg(background)}</svg>`)
  if (drawn.channels !== 3) throw new Error(`background ${background.key} leaves transparent pixels`)
  return drawn
}
