import { Buffer } from 'node:buffer'
import { LRUCache } from 'lru-cache'
import { areaAverage } from './area-average.ts'
import { type Bitmap, rowBytes } from './bitmap.ts'
import { rasterCacheBytes } from './cache-bytes.ts'
import { drawPremultiplied } from './draw-svg.ts'
import type { Placement } from './fill-path.ts'
import { release } from './release.ts'
import type { PictureLayer } from './scene.ts'

/** Premultiplied RGBA, four bytes a pixel. */
interface Pixels {
  readonly widthPx: number
  readonly heightPx: number
  readonly rgba: Uint8Array
}

/** Pictures by key and size, because a brand's logo is on all of its cards. */
const scaled = new LRUCache<string, Pixels>({
  maxSize: rasterCacheBytes.logos,
  sizeCalculation: ({ rgba }, key) => rgba.length + key.length * 2 + 200,
})

/** Draws a picture into an opaque bitmap, on whole pixels; what lies outside is cut off. */
export function drawPicture(bitmap: Bitmap, layer: PictureLayer, { x, y, scaleX, scaleY }: Placement): void {
  const width = Math.max(1, Math.round(layer.widthPx * scaleX))
  const height = Math.max(1, Math.round(layer.heightPx * scaleY))
  composite(bitmap, pixelsOf(layer, width, height), Math.round(x), Math.round(y))
}

function pixelsOf(layer: PictureLayer, widthPx: number, heightPx: number): Pixels {
  const key = `${layer.key} ${widthPx} ${heightPx}`
  const cached = scaled.get(key)
  if (cached) return cached
  const { pixels, width, height } = drawPremultiplied(wholePicture(layer))
  const drawn = { widthPx, heightPx, rgba: areaAverage(pixels, width, height, widthPx, heightPx) }
  release(pixels)
  scaled.set(key, drawn)
  return drawn
}

/** In its own size, because resvg takes too few of its pixels where it makes it smaller. */
function wholePicture({ png }: PictureLayer): string {
  const view = new DataView(png.buffer, png.byteOffset, png.byteLength)
  const size = `width="${view.getUint32(16)}" height="${view.getUint32(20)}"`
  const href = `data:image/png;base64,${Buffer.from(png).toString('base64')}`
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size}><image ${size} href="${href}"/></svg>`
}

function composite({ rows, widthPx, heightPx }: Bitmap, picture: Pixels, left: number, top: number): void {
  const { rgba } = picture
  const stride = rowBytes(widthPx, 3)
  const fromX = Math.max(0, -left)
  const toX = Math.min(picture.widthPx, widthPx - left)
  const toY = Math.min(picture.heightPx, heightPx - top)
  for (let y = Math.max(0, -top); y < toY; y++) {
    let from = (y * picture.widthPx + fromX) * 4
    let to = (top + y) * stride + 1 + (left + fromX) * 3
    for (let x = fromX; x < toX; x++, from += 4, to += 3) {
      const rest = 255 - (rgba[from + 3] as number)
      if (rest === 255) continue
      for (let channel = 0; channel < 3; channel++) {
        const under = Math.round(((rows[to + channel] as number) * rest) / 255)
        rows[to + channel] = Math.min(255, (rgba[from + channel] as number) + under)
      }
    }
  }
}
