import { type Rgb, toHex } from '../../../lib/color.ts'
import { type Pixels, rowBytes } from '../../../raster/bitmap.ts'
import { decodePng } from '../../../raster/draw-svg.ts'
import { encodePng } from '../../../raster/encode-png.ts'
import type { PixelsLogo } from '../brand/card-logo.ts'

/** Pixels of less opacity have too few steps to tell a colour by. */
const opacityMin = 64
/** How far a channel may be from that of the first pixel. */
const channelSlack = 24
/** A logo has few inks: those of two schemes and of brands' backgrounds. */
const inksMax = 8

interface Mask {
  readonly color: Rgb | undefined
  readonly tinted: Map<string, PixelsLogo>
}

const masks = new WeakMap<PixelsLogo, Mask>()

/** The one colour of a logo of pixels, such as a wordmark on nothing; undefined where it has several or no transparency. */
export function maskColor(logo: PixelsLogo): Rgb | undefined {
  return maskOf(logo).color
}

/** The logo in another colour, with its own transparency. */
export function tintedPixels(logo: PixelsLogo, color: Rgb): PixelsLogo {
  const { tinted } = maskOf(logo)
  const fill = toHex(color)
  const cached = tinted.get(fill)
  if (cached !== undefined) return cached
  const made = { ...logo, key: `${logo.key} ${fill}`, png: pngIn(logo, color) }
  if (tinted.size >= inksMax) tinted.clear()
  tinted.set(fill, made)
  return made
}

function maskOf(logo: PixelsLogo): Mask {
  const mask = masks.get(logo) ?? { color: singleColor(decodePng(logo.png)), tinted: new Map() }
  masks.set(logo, mask)
  return mask
}

function singleColor({ rgba }: Pixels): Rgb | undefined {
  let first: Rgb | undefined
  let hasHoles = false
  for (let at = 0; at < rgba.length; at += 4) {
    const alpha = rgba[at + 3] ?? 0
    if (alpha < opacityMin) {
      hasHoles = true
      continue
    }
    const share = 255 / alpha
    const color = {
      r: (rgba[at] ?? 0) * share,
      g: (rgba[at + 1] ?? 0) * share,
      b: (rgba[at + 2] ?? 0) * share,
    }
    first ??= color
    if (
      Math.max(Math.abs(color.r - first.r), Math.abs(color.g - first.g), Math.abs(color.b - first.b)) >
      channelSlack
    )
      return undefined
  }
  return hasHoles ? first : undefined
}

function pngIn(logo: PixelsLogo, { r, g, b }: Rgb): PixelsLogo['png'] {
  const { widthPx, heightPx, rgba } = decodePng(logo.png)
  const rows = new Uint8Array(rowBytes(widthPx, 4) * heightPx)
  for (let y = 0, from = 3, to = 0; y < heightPx; y++) {
    to++
    for (let x = 0; x < widthPx; x++, from += 4, to += 4) rows.set([r, g, b, rgba[from] ?? 0], to)
  }
  return encodePng({ widthPx, heightPx, channels: 4, rows })
}
