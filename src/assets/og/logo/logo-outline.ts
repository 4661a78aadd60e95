import { type Rgb, relativeLuminance, toHex } from '../../../lib/color.ts'
import { areaAverage, type Bitmap, fitSize, type Pixels, rowBytes } from '../../../raster/bitmap.ts'
import { decodePng } from '../../../raster/draw-svg.ts'
import { encodePng } from '../../../raster/encode-png.ts'
import { fillPath, startCanvas } from '../../../raster/pixel-canvas.ts'
import { Bounds, type Box, pathBounds } from '../../../svg/bounds.ts'
import type { CardLogo, PixelsLogo, ShapesLogo } from '../brand/brand-images.ts'

export interface LogoOutline {
  /** WCAG luminances along the outline, which meets the background and must stand out from it; a sample for each pixel. */
  readonly luminances: readonly number[]
  /** The logo fills its box, like a photograph: then it is a plate by itself. */
  readonly isBox: boolean
}

const sidePx = 40
/** Opacity from which a pixel of the drawing counts as a part of the logo. */
export const opaqueMin = 192

const cache = new WeakMap<CardLogo, LogoOutline>()

export function logoOutline(logo: CardLogo): LogoOutline {
  const outline = cache.get(logo) ?? outlineOf(logo.kind === 'shapes' ? drawnShapes(logo) : drawnPixels(logo))
  cache.set(logo, outline)
  return outline
}

function outlineOf({ widthPx, heightPx, rgba }: Pixels): LogoOutline {
  function isOpaque(x: number, y: number): boolean {
    const isOnDrawing = x >= 0 && y >= 0 && x < widthPx && y < heightPx
    return isOnDrawing && (rgba[(y * widthPx + x) * 4 + 3] ?? 0) >= opaqueMin
  }
  const luminances: number[] = []
  let count = 0
  for (let y = 0; y < heightPx; y++)
    for (let x = 0; x < widthPx; x++) {
      if (!isOpaque(x, y)) continue
      count += 1
      const isInside = isOpaque(x - 1, y) && isOpaque(x + 1, y) && isOpaque(x, y - 1) && isOpaque(x, y + 1)
      if (isInside) continue
      const [r = 0, g = 0, b = 0, alpha = 255] = rgba.subarray(
        (y * widthPx + x) * 4,
        (y * widthPx + x) * 4 + 4,
      )
      const share = 255 / alpha
      luminances.push(relativeLuminance({ r: r * share, g: g * share, b: b * share }))
    }
  return { luminances, isBox: count === widthPx * heightPx }
}

function drawnPixels({ png }: PixelsLogo): Pixels {
  const pixels = decodePng(png)
  return areaAverage(pixels, fitSize(pixels, sidePx))
}

/** A small drawing on nothing. Our filler paints on what is opaque: what is the same on black and on white has no transparency. */
export function drawnShapes(logo: ShapesLogo): Pixels {
  const [onBlack, onWhite] = [drawnOn(logo, 0), drawnOn(logo, 255)]
  const { widthPx, heightPx } = onBlack
  const rgba = new Uint8Array(widthPx * heightPx * 4)
  for (let y = 0, to = 0; y < heightPx; y++)
    for (let x = 0; x < widthPx; x++, to += 4) {
      const at = y * rowBytes(widthPx, 3) + 1 + x * 3
      rgba.set(onBlack.rows.subarray(at, at + 3), to)
      rgba[to + 3] = 255 - ((onWhite.rows[at] ?? 0) - (onBlack.rows[at] ?? 0))
    }
  return { widthPx, heightPx, rgba }
}

function drawnOn(logo: ShapesLogo, background: number): Bitmap {
  const { left, top, right, bottom } = logoInk(logo)
  const scale = sidePx / Math.max(right - left, bottom - top)
  const widthPx = Math.max(1, Math.round((right - left) * scale))
  const heightPx = Math.max(1, Math.round((bottom - top) * scale))
  const canvas = startCanvas(widthPx, heightPx)
  canvas.rows.fill(background)
  const placement = { x: -left * scale, y: -top * scale, scaleX: scale, scaleY: scale }
  for (const { d, fill, opacity } of logo.shapes) fillPath(d, placement, fill, opacity)
  return { widthPx, heightPx, channels: 3, rows: canvas.rows.slice() }
}

const inks = new WeakMap<CardLogo, Box>()

/** The box around what a logo shows, in its own units: blank room around a mark would put it off its place. */
export function logoInk(logo: CardLogo): Box {
  const box = inks.get(logo) ?? inkOf(logo)
  inks.set(logo, box)
  return box
}

function inkOf(logo: CardLogo): Box {
  if (logo.kind === 'pixels') return { left: 0, top: 0, right: logo.widthPx, bottom: logo.heightPx }
  const ink = new Bounds()
  for (const { d } of logo.shapes) {
    const box = pathBounds(d)
    if (box.left <= box.right) ink.addBox(box)
  }
  const isBlank = !(ink.right > ink.left && ink.bottom > ink.top)
  return isBlank ? { left: 0, top: 0, right: logo.width, bottom: logo.height } : ink
}

/** Pixels of less opacity have too few steps to tell a colour by. */
const opacityMin = 64
/** The distance of a channel from that of the first pixel. */
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
