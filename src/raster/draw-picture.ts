import { LRUCache } from 'lru-cache'
import { rowBytes } from './bitmap.ts'
import { rasterCacheBytes } from './cache-bytes.ts'
import { decodePng, drawPremultiplied } from './draw-svg.ts'
import type { BackedBitmap } from './pixel-canvas.ts'
import { areaAverage, type Pixels } from './pixels.ts'
import { release } from './release.ts'
import type { PictureLayer } from './scene.ts'

/** The emoji pack's grid. */
const viewBox = 36

/** Emoji and logos by name and size, because a brand's logo is on all of its cards. */
const drawn = new LRUCache<string, Pixels>({
  maxSize: rasterCacheBytes.pictures,
  sizeCalculation: ({ rgba }, key) => rgba.length + key.length * 2 + 200,
})

function cached(key: string, draw: () => Pixels): Pixels {
  const pixels = drawn.get(key) ?? draw()
  drawn.set(key, pixels)
  return pixels
}

/** A logo in another size than its own, because resvg takes too few of its pixels where it makes it smaller. */
export function logoPixels({ key, png }: PictureLayer, widthPx: number, heightPx: number): Pixels {
  return cached(`logo ${key} ${widthPx} ${heightPx}`, () => {
    const whole = decodePng(png)
    const scaled = areaAverage(whole, { widthPx, heightPx })
    if (scaled.rgba !== whole.rgba) release(whole.rgba)
    return scaled
  })
}

/** @param body the picture's SVG fragment on a 36 × 36 view box */
export function emojiPixels(name: string, body: string, sidePx: number): Pixels {
  return cached(`emoji ${name} ${sidePx}`, () => {
    const size = `width="${sidePx}" height="${sidePx}" viewBox="0 0 ${viewBox} ${viewBox}"`
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" ${size}>${body}</svg>`
    return { widthPx: sidePx, heightPx: sidePx, rgba: drawPremultiplied(svg).pixels }
  })
}

/** Draws a picture into an opaque bitmap, on whole pixels; what lies outside is cut off. */
export function drawPicture(bitmap: BackedBitmap, picture: Pixels, left: number, top: number): void {
  const { rows, widthPx, heightPx, backdrop } = bitmap
  const { rgba } = picture
  const stride = rowBytes(widthPx, 3)
  const fromX = Math.max(0, -left)
  const toX = Math.min(picture.widthPx, widthPx - left)
  const toY = Math.min(picture.heightPx, heightPx - top)
  for (let y = Math.max(0, -top); y < toY; y++) {
    backdrop?.uncover(top + y, left + fromX, left + toX)
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
