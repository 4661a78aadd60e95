import { type Rgb, relativeLuminance } from '../../../lib/color.ts'
import { type Bitmap, rowBytes } from '../../../raster/bitmap.ts'
import { fillPath } from '../../../raster/fill-path.ts'
import type { CardLogo } from '../brand/card-logo.ts'
import { logoInk } from './logo-ink.ts'

/** Of the longer side of the drawing that colours are read from. */
const sidePx = 40

const known = new WeakMap<CardLogo, readonly number[]>()

/**
 * The WCAG luminances along a logo's outline, a sample for each pixel of a small drawing: they meet the ground, and must stand out
 * from it. What lies on other shapes of the logo is none of the card's business.
 */
export function outlineLuminances(logo: CardLogo): readonly number[] {
  const luminances = known.get(logo) ?? sampled(logo).map(relativeLuminance)
  known.set(logo, luminances)
  return luminances
}

/** A pixel is opaque where it has the same colour on black and on white. */
function sampled(logo: CardLogo): readonly Rgb[] {
  if (logo.kind === 'pixels') return []
  const onBlack = drawn(logo, 0)
  const onWhite = drawn(logo, 255)
  const { widthPx, heightPx } = onBlack
  function colorAt(x: number, y: number): Rgb | undefined {
    if (x < 0 || y < 0 || x >= widthPx || y >= heightPx) return undefined
    const at = y * rowBytes(widthPx, 3) + 1 + x * 3
    const [r = 0, g = 0, b = 0] = onBlack.rows.subarray(at, at + 3)
    return (onWhite.rows[at] ?? 0) - r < 64 ? { r, g, b } : undefined
  }
  const colors: Rgb[] = []
  for (let y = 0; y < heightPx; y++)
    for (let x = 0; x < widthPx; x++) {
      const color = colorAt(x, y)
      const isInside = colorAt(x - 1, y) && colorAt(x + 1, y) && colorAt(x, y - 1) && colorAt(x, y + 1)
      if (color && !isInside) colors.push(color)
    }
  return colors
}

function drawn(logo: CardLogo & { readonly kind: 'shapes' }, background: number): Bitmap {
  const { left, top, right, bottom } = logoInk(logo)
  const scale = sidePx / Math.max(right - left, bottom - top)
  const widthPx = Math.max(1, Math.round((right - left) * scale))
  const heightPx = Math.max(1, Math.round((bottom - top) * scale))
  const rows = new Uint8Array(rowBytes(widthPx, 3) * heightPx).fill(background)
  const bitmap: Bitmap = { widthPx, heightPx, channels: 3, rows }
  const placement = { x: -left * scale, y: -top * scale, scaleX: scale, scaleY: scale }
  for (const { d, fill, opacity } of logo.shapes) fillPath(bitmap, d, placement, fill, opacity)
  return bitmap
}
