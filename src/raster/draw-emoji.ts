import { LRUCache } from 'lru-cache'
import { rowBytes } from './bitmap.ts'
import { rasterCacheBytes } from './cache-bytes.ts'
import { drawPremultiplied } from './draw-svg.ts'
import type { BackedBitmap } from './pixel-canvas.ts'

/** The emoji pack's grid. */
const viewBox = 36

/** Premultiplied RGBA squares by name and side. */
const squares = new LRUCache<string, Uint8Array>({
  maxSize: rasterCacheBytes.emoji,
  sizeCalculation: (pixels, key) => pixels.length + key.length * 2 + 200,
})

/**
 * Draws an emoji into an opaque bitmap, on whole pixels; what lies outside is cut off.
 * @param body the picture's SVG fragment on a 36 × 36 view box
 */
export function drawEmoji(
  bitmap: BackedBitmap,
  name: string,
  body: string,
  left: number,
  top: number,
  sidePx: number,
): void {
  const { rows, widthPx, heightPx, backdrop } = bitmap
  const pixels = squareOf(name, body, sidePx)
  const stride = rowBytes(widthPx, 3)
  const fromX = Math.max(0, -left)
  const toX = Math.min(sidePx, widthPx - left)
  const toY = Math.min(sidePx, heightPx - top)
  for (let y = Math.max(0, -top); y < toY; y++) {
    backdrop?.uncover(top + y, left + fromX, left + toX)
    let from = (y * sidePx + fromX) * 4
    let to = (top + y) * stride + 1 + (left + fromX) * 3
    for (let x = fromX; x < toX; x++, from += 4, to += 3) {
      const rest = 255 - (pixels[from + 3] as number)
      if (rest === 255) continue
      for (let channel = 0; channel < 3; channel++) {
        rows[to + channel] =
          (pixels[from + channel] as number) + Math.round(((rows[to + channel] as number) * rest) / 255)
      }
    }
  }
}

function squareOf(name: string, body: string, sidePx: number): Uint8Array {
  const key = `${name} ${sidePx}`
  const cached = squares.get(key)
  if (cached) return cached
  const size = `width="${sidePx}" height="${sidePx}" viewBox="0 0 ${viewBox} ${viewBox}"`
  const pixels = drawPremultiplied(`<svg xmlns="http://www.w3.org/2000/svg" ${size}>${body}</svg>`).pixels
  squares.set(key, pixels)
  return pixels
}
