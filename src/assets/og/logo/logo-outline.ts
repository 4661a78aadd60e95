import { type Rgb, relativeLuminance, toHex, toOklch } from '../../../lib/color.ts'
import { memo, weakMemo } from '../../../lib/memo.ts'
import { areaAverage, type Bitmap, fitSize, type Pixels, rowBytes } from '../../../raster/bitmap.ts'
import { decodePng } from '../../../raster/draw-svg.ts'
import { encodePng } from '../../../raster/encode-png.ts'
import { fillPath, startCanvas } from '../../../raster/pixel-canvas.ts'
import { Bounds, type Box, pathBounds } from '../../../svg/bounds.ts'
import type { CardLogo, PixelsLogo, ShapesLogo } from '../brand/brand-images.ts'

export interface LogoOutline {
  /** WCAG luminances along the outline, which meets the background and must stand out from it; a sample for each pixel. */
  readonly luminances: readonly number[]
  readonly labs: readonly Lab[]
  /** The logo fills its box, like a photograph: then it is a plate by itself. */
  readonly isBox: boolean
}

export type Lab = readonly [l: number, a: number, b: number]

const sidePx = 40
/** Opacity from which a pixel of the drawing counts as a part of the logo. */
export const opaqueMin = 192

export const logoOutline = weakMemo((logo: CardLogo): LogoOutline => {
  if (logo.kind === 'shapes') return outlineOf(drawnShapes(logo))
  const pixels = decodePng(logo.png)
  return outlineOf(areaAverage(pixels, fitSize(pixels, sidePx)))
})

function outlineOf({ widthPx, heightPx, rgba }: Pixels): LogoOutline {
  function isOpaque(x: number, y: number): boolean {
    const isOnDrawing = x >= 0 && y >= 0 && x < widthPx && y < heightPx
    return isOnDrawing && (rgba[(y * widthPx + x) * 4 + 3] ?? 0) >= opaqueMin
  }
  const luminances: number[] = []
  const labs: Lab[] = []
  let count = 0
  for (let y = 0; y < heightPx; y++)
    for (let x = 0; x < widthPx; x++) {
      if (!isOpaque(x, y)) continue
      count += 1
      const isInside = isOpaque(x - 1, y) && isOpaque(x + 1, y) && isOpaque(x, y - 1) && isOpaque(x, y + 1)
      if (isInside) continue
      const color = colorAt(rgba, (y * widthPx + x) * 4)
      luminances.push(relativeLuminance(color))
      labs.push(labOf(color))
    }
  return { luminances, labs, isBox: count === widthPx * heightPx }
}

export function labOf(color: Rgb): Lab {
  const { l, c, h } = toOklch(color)
  const angle = (h * Math.PI) / 180
  return [l, c * Math.cos(angle), c * Math.sin(angle)]
}

export function labDistance([l, a, b]: Lab, [otherL, otherA, otherB]: Lab): number {
  return Math.hypot(l - otherL, a - otherA, b - otherB)
}

/** The colour of a pixel whose channels are multiplied by its opacity. */
export function colorAt(rgba: Uint8Array, at: number): Rgb {
  const [r = 0, g = 0, b = 0, alpha = 255] = rgba.subarray(at, at + 4)
  const share = 255 / alpha
  return { r: r * share, g: g * share, b: b * share }
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

/** The box around what a logo shows, in its own units: blank room around a mark would put it off its place. */
export const logoInk = weakMemo((logo: CardLogo): Box => {
  if (logo.kind === 'pixels') return { left: 0, top: 0, right: logo.widthPx, bottom: logo.heightPx }
  const ink = new Bounds()
  for (const { d } of logo.shapes) {
    const box = pathBounds(d)
    if (box.left <= box.right) ink.addBox(box)
  }
  const isBlank = !(ink.right > ink.left && ink.bottom > ink.top)
  return isBlank ? { left: 0, top: 0, right: logo.width, bottom: logo.height } : ink
})

/** Pixels of less opacity have too few steps to tell a colour by. */
const opacityMin = 64
/** The distance of a channel from that of the first pixel. */
const channelSlack = 24
/** A logo has few inks: those of two schemes and of brands' backgrounds. */
const inksMax = 8

const tintsOf = weakMemo((logo: PixelsLogo) => memo((channels: string) => tinted(logo, channels), inksMax))

export function tintedPixels(logo: PixelsLogo, { r, g, b }: Rgb): PixelsLogo {
  return tintsOf(logo)(`${r} ${g} ${b}`)
}

/** The one colour of a logo of pixels, such as a wordmark on nothing; undefined where it has several or no transparency. */
export const maskColor = weakMemo(({ png }: PixelsLogo): Rgb | undefined => {
  const { rgba } = decodePng(png)
  let first: Rgb | undefined
  let hasHoles = false
  for (let at = 0; at < rgba.length; at += 4) {
    if ((rgba[at + 3] ?? 0) < opacityMin) {
      hasHoles = true
      continue
    }
    const { r, g, b } = colorAt(rgba, at)
    first ??= { r, g, b }
    const distance = Math.max(Math.abs(r - first.r), Math.abs(g - first.g), Math.abs(b - first.b))
    if (distance > channelSlack) return undefined
  }
  return hasHoles ? first : undefined
})

function tinted(logo: PixelsLogo, channels: string): PixelsLogo {
  const [r = 0, g = 0, b = 0] = channels.split(' ').map(Number)
  const { widthPx, heightPx, rgba } = decodePng(logo.png)
  const rows = new Uint8Array(rowBytes(widthPx, 4) * heightPx)
  for (let y = 0, from = 3, to = 0; y < heightPx; y++) {
    to++
    for (let x = 0; x < widthPx; x++, from += 4, to += 4) rows.set([r, g, b, rgba[from] ?? 0], to)
  }
  const png = encodePng({ widthPx, heightPx, channels: 4, rows })
  return { ...logo, key: `${logo.key} ${toHex({ r, g, b })}`, png }
}
