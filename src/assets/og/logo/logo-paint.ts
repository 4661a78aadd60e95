import {
  contrastRatio,
  fromOklch,
  type Lab,
  mix,
  parseHex,
  type Rgb,
  relativeLuminance,
  toHex,
  toOklab,
  toOklch,
  white,
} from '../../../lib/color.ts'
import { memo, weakMemo } from '../../../lib/memo.ts'
import { areaAverage, type Bitmap, fitSize, type Pixels, rowBytes } from '../../../raster/bitmap.ts'
import { decodePng } from '../../../raster/draw-svg.ts'
import { encodePng } from '../../../raster/encode-png.ts'
import { fillPath, startCanvas } from '../../../raster/pixel-canvas.ts'
import { Bounds, type Box, pathBounds } from '../../../svg/bounds.ts'
import type { CardLogo, PixelsLogo, ShapesLogo } from '../brand/brand-images.ts'

export interface LogoPaint {
  /** Instead of the one colour that the logo has. */
  readonly color?: Rgb
  readonly isOpaque?: boolean
  readonly plate?: Rgb
}

/** WCAG 2 asks this of graphics. */
export const logoContrastMin = 3
/** WCAG 2 asks this of text, and a small logo of one colour is read like a word. */
const smallContrastMin = 4.5
const smallPx = 60
/** Share of the outline that must stand out; the eye bridges the rest. */
const outlineShareMin = 0.9
/** A logo of several colours whose outline stands out less has a plate. */
export const plainShareMin = 0.6

/**
 * Keeps a logo readable: in its own colours where they are, else in the ink when it has a single colour, else on a plate.
 * `heightPx` is that of the logo on the card.
 */
export function logoPaint(
  logo: CardLogo,
  backgrounds: readonly Rgb[],
  ink: Rgb,
  heightPx: number,
): LogoPaint {
  const contrastMin = heightPx < smallPx ? smallContrastMin : logoContrastMin
  if (logo.kind === 'shapes' && logo.singleColor !== undefined)
    return singleColorPaint(logo, backgrounds, ink, contrastMin)
  const mask = logo.kind === 'pixels' ? maskColor(logo) : undefined
  if (mask !== undefined && standsOut(ink, backgrounds, logoContrastMin))
    return standsOut(mask, backgrounds, contrastMin) ? {} : { color: ink }
  // Over a picture nobody knows the colours between the extremes, so contrast alone counts there.
  const share = isCalm(backgrounds) ? visibleShare : outlineShare
  const isReadable = backgrounds.every((background) => share(logo, background) >= plainShareMin)
  return isReadable ? {} : { plate: plateFor(logo, backgrounds[0] ?? white) }
}

function standsOut(color: Rgb, backgrounds: readonly Rgb[], ratioMin: number): boolean {
  return backgrounds.every((background) => contrastRatio(color, background) >= ratioMin)
}

/** The first background on which the logo can be read without a change, else the first of all. */
export function bestBackground(logo: CardLogo, backgrounds: readonly [Rgb, ...Rgb[]]): Rgb {
  return backgrounds.find((background) => outlineShare(logo, background) >= outlineShareMin) ?? backgrounds[0]
}

/** A hue or chroma at least this far from the background's in OKLab is seen, whatever its contrast: an orange on white. */
const visibleDistanceMin = 0.13

/** True if the backgrounds are shades of one colour. */
function isCalm(backgrounds: readonly Rgb[]): boolean {
  const [first, ...others] = backgrounds.map(toOklab)
  return others.every((other) => first === undefined || labDistance(first, other) < visibleDistanceMin)
}

/** Share of the outline that is seen on a background, by its contrast or its colour. */
export function visibleShare(logo: CardLogo, background: Rgb): number {
  return outlineShare(logo, background, visibleDistanceMin)
}

/**
 * Share of the logo's outline that stands out from a background, 0 to 1; always 1 for a logo that fills its box. A colour
 * stands out by its contrast, or by its distance in OKLab where that is at least `distanceMin`.
 */
export function outlineShare(logo: CardLogo, background: Rgb, distanceMin = Infinity): number {
  const { luminances, labs, isBox } = logoOutline(logo)
  if (isBox) return 1
  const under = relativeLuminance(background) + 0.05
  const lab = toOklab(background)
  const count = luminances.filter((luminance, index) => {
    const ratio = (luminance + 0.05) / under
    if (ratio >= logoContrastMin || 1 / ratio >= logoContrastMin) return true
    const [, a, b] = labs[index] ?? lab
    return Math.hypot(a - lab[1], b - lab[2]) >= distanceMin
  }).length
  return luminances.length === 0 ? 0 : count / luminances.length
}

function singleColorPaint(
  logo: ShapesLogo,
  backgrounds: readonly Rgb[],
  ink: Rgb,
  contrastMin: number,
): LogoPaint {
  const opacity = Math.max(...logo.shapes.map((shape) => shape.opacity ?? 1))
  function isReadable(color: Rgb, ratioMin: number) {
    return backgrounds.every(
      (background) => contrastRatio(mix(background, color, opacity), background) >= ratioMin,
    )
  }
  const own = parseHex(logo.singleColor ?? '')
  if (own !== undefined && isReadable(own, contrastMin)) return {}
  if (isReadable(ink, logoContrastMin)) return { color: ink }
  return standsOut(ink, backgrounds, logoContrastMin)
    ? { color: ink, isOpaque: true }
    : { isOpaque: true, plate: plateFor(logo, backgrounds[0] ?? white) }
}

/** Lightness of the plates that are tried, from white to nearly black. */
const plateLightness = Array.from({ length: 22 }, (_, index) => 1 - index * 0.04)
/** A plate has a hint of the card's colour. */
const plateChromaMax = 0.03

/** A plate in the card's own tone: the one nearest to the background that sets the logo off, else the one that does best. */
function plateFor(logo: CardLogo, background: Rgb): Rgb {
  const { l, c, h } = toOklch(background)
  const tones = plateLightness
    .toSorted((one, other) => Math.abs(one - l) - Math.abs(other - l))
    .map((lightness) => fromOklch({ l: lightness, c: Math.min(c, plateChromaMax), h }))
  const shares = tones.map((tone) => outlineShare(logo, tone))
  const enough = shares.findIndex((share) => share >= outlineShareMin)
  return tones[enough < 0 ? shares.indexOf(Math.max(...shares)) : enough] ?? white
}

/** Smaller areas are details. */
const shareMin = 0.03
/** Two colours that are nearer than this look alike, as a distance in OKLab. */
const distanceMin = 0.07
/** Pixels of a picture that are looked at, about. */
const samples = 2048

/** The colours that a logo shows as `#rrggbb`, those of the largest areas first. Colours that look alike are one. */
export function logoColors(logo: CardLogo, countMax: number): readonly string[] {
  const { rgba } = logo.kind === 'shapes' ? drawnShapes(logo) : decodePng(logo.png)
  // Pixels are picked and not averaged, which would make blends.
  const all = [...countColors(rgba, logo.kind === 'shapes' ? 1 : Math.ceil(rgba.length / 4 / samples))]
  const fills = new Set(logo.kind === 'shapes' ? logo.shapes.map(({ fill }) => fill) : [])
  // The blends on the edges of shapes are no colours of the logo; of translucent shapes there are only blends.
  const filled = all.filter(([color]) => fills.has(color))
  const counts = filled.length === 0 ? all : filled
  const groups: { readonly color: string; readonly lab: Lab; pixels: number }[] = []
  let total = 0
  for (const [color, pixels] of counts.sort(([, one], [, other]) => other - one)) {
    const lab = toOklab(parseHex(color) ?? white)
    const alike = groups.find((group) => labDistance(group.lab, lab) < distanceMin)
    if (alike === undefined) groups.push({ color, lab, pixels })
    else alike.pixels += pixels
    total += pixels
  }
  return groups
    .filter(({ pixels }) => pixels >= total * shareMin)
    .sort((one, other) => other.pixels - one.pixels)
    .map(({ color }) => color)
    .slice(0, countMax)
}

/** @param rgba premultiplied @param step looks at every so many pixels */
function countColors(rgba: Uint8Array, step: number): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (let at = 0; at < rgba.length; at += 4 * step) {
    if ((rgba[at + 3] ?? 0) < opaqueMin) continue
    const color = toHex(colorAt(rgba, at))
    counts.set(color, (counts.get(color) ?? 0) + 1)
  }
  return counts
}

const sidePx = 40
/** Opacity from which a pixel of the drawing counts as a part of the logo. */
const opaqueMin = 192

/** Luminances (WCAG) and colours of the pixels of the outline, which meets the background and must stand out from it. */
export const logoOutline = weakMemo((logo: CardLogo) => {
  if (logo.kind === 'shapes') return outlineOf(drawnShapes(logo))
  const pixels = decodePng(logo.png)
  return outlineOf(areaAverage(pixels, fitSize(pixels, sidePx)))
})

function outlineOf({ widthPx, heightPx, rgba }: Pixels) {
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
      labs.push(toOklab(color))
    }
  // A logo that fills its box, like a photograph, is a plate by itself.
  return { luminances, labs, isBox: count === widthPx * heightPx }
}

function labDistance([l, a, b]: Lab, [otherL, otherA, otherB]: Lab): number {
  return Math.hypot(l - otherL, a - otherA, b - otherB)
}

/** The colour of a pixel whose channels are multiplied by its opacity. */
function colorAt(rgba: Uint8Array, at: number): Rgb {
  const [r = 0, g = 0, b = 0, alpha = 255] = rgba.subarray(at, at + 4)
  const share = 255 / alpha
  return { r: r * share, g: g * share, b: b * share }
}

/** A small drawing on nothing. Our filler paints on what is opaque: what is the same on black and on white has no transparency. */
function drawnShapes(logo: ShapesLogo): Pixels {
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
