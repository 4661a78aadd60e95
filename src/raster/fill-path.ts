import { parseHex } from '../lib/color.ts'
import type { BackedBitmap } from './backdrop.ts'
import { rowBytes } from './bitmap.ts'
import { eachCoveredStretch } from './coverage.ts'
import { EdgeList } from './edge-list.ts'
import { addPathEdges, type Placement } from './path-edges.ts'

/**
 * Edges have 15 shades between nothing and full, each at most 8 of 255 from the exact one. That does not show
 * (resvg strays further), and makes PNGs of text a fifth to a half smaller: shades are what compresses worst.
 */
const shades = 15

/** Reused by every fill: painting is synchronous. */
const edges = new EdgeList()

/**
 * Fills the SVG path `d` (non-zero winding, antialiased) into an opaque bitmap.
 * @param fill `#rrggbb`
 * @param opacity 0 to 1
 * @throws RangeError when `d` or the colour cannot be read, or the bitmap is not opaque.
 */
export function fillPath(
  bitmap: BackedBitmap,
  d: string,
  placement: Placement,
  fill: string,
  opacity = 1,
): void {
  if (bitmap.channels !== 3) throw new RangeError('paths are filled into opaque bitmaps only')
  const color = parseHex(fill)
  if (color === undefined) throw new RangeError(`${fill} is not a colour`)
  const { r: red, g: green, b: blue } = color
  const { rows, widthPx, heightPx, backdrop, behind } = bitmap
  const bytesPerRow = rowBytes(widthPx, 3)
  const alphaPerShade = (255 * opacity) / shades
  const alphas = Uint8Array.from({ length: shades + 1 }, (_, shade) => shade * alphaPerShade + 0.5)
  edges.clear()
  addPathEdges(edges, d, placement)
  eachCoveredStretch(edges, widthPx, heightPx, (y, row, from, to) => {
    backdrop?.uncover(rows, y, from, to)
    behind?.touched.mark(y, from, to)
    let at = y * bytesPerRow + 1 + from * 3
    for (let x = from; x < to; x++, at += 3) {
      const alpha = alphas[((row[x] as number) * shades + 0.5) | 0] as number
      if (alpha === 0) continue
      if (alpha >= 255) {
        rows[at] = red
        rows[at + 1] = green
        rows[at + 2] = blue
      } else {
        rows[at] = mix(rows[at] as number, red, alpha)
        rows[at + 1] = mix(rows[at + 1] as number, green, alpha)
        rows[at + 2] = mix(rows[at + 2] as number, blue, alpha)
      }
    }
  })
}

/** `under` seen through `over` at `alpha` of 255, rounded; the shifts divide by 255. */
function mix(under: number, over: number, alpha: number): number {
  const sum = under * (255 - alpha) + over * alpha + 128
  return (sum + (sum >> 8)) >> 8
}
