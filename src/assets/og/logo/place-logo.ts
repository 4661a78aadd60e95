import { type Rgb, toHex } from '../../../lib/color.ts'
import type { Layer } from '../../../raster/scene.ts'
import type { CardLogo } from '../brand/brand-images.ts'
import { type Align, type Area, rectangle, roundedRectangle, startIn } from '../shapes.ts'
import { type LogoPaint, logoInk, logoPaint, tintedPixels } from './logo-paint.ts'

export interface LogoPlace {
  /** The room that it must not leave. */
  readonly area: Area
  /** Side of a square logo; a logo of other proportions gets about the same area. */
  readonly sidePx: number
  readonly align: Align
  /** The place in the height of the room: 0 top, 0.5 middle, which is the default, 1 bottom. */
  readonly anchor?: number
  /** Colours that may lie below it: the extremes are enough. */
  readonly backgrounds: readonly Rgb[]
  readonly ink: Rgb
  /** A tile of the theme that is painted below the logo. */
  readonly tile?: { readonly area: Area; readonly color: Rgb }
}

export type PlacedLogo = ReturnType<typeof placeLogo>

/** Wide marks are words, which need a little more than their share of the area to be read. */
const wideExponent = 0.42

/** Fits a logo into its place and paints it so that it can be read there. `leftOf` mirrors the area's x where the card is mirrored. */
export function placeLogo(logo: CardLogo, place: LogoPlace, leftOf: (x: number, width: number) => number) {
  const { area, align, anchor = 0.5, sidePx } = place
  const ink = logoInk(logo)
  const [inkWidth, inkHeight] = [ink.right - ink.left, ink.bottom - ink.top]
  const bare = balancedSize(inkWidth / inkHeight, sidePx, area.width, area.height)
  const paint = logoPaint(logo, place.backgrounds, place.ink, bare.heightPx)
  const paddingPx = paint.plate === undefined ? 0 : Math.round(sidePx * 0.18)
  const [roomPx, highPx] = [area.width - 2 * paddingPx, area.height - 2 * paddingPx]
  const { widthPx, heightPx } = balancedSize(inkWidth / inkHeight, sidePx - paddingPx, roomPx, highPx)
  const [width, height] = [widthPx + 2 * paddingPx, heightPx + 2 * paddingPx]
  const x = area.x + startIn(align, area.width - width)
  const y = area.y + (area.height - height) * anchor
  const left = leftOf(x, width)
  const markX = left + paddingPx - ink.left * (widthPx / inkWidth)
  const markY = y + paddingPx - ink.top * (heightPx / inkHeight)
  const mark = markLayers(logo, paint, markX, markY, widthPx / inkWidth)
  const placed = { x: left, y, width, height }
  const plate = paint.plate && areaLayer(placed, paint.plate, Math.min(width, height) * 0.16)
  const tile = place.tile && { ...place.tile.area, x: leftOf(place.tile.area.x, place.tile.area.width) }
  const tileLayer = place.tile && tile && areaLayer(tile, place.tile.color)
  const background = paint.plate ?? place.tile?.color
  return {
    /** The part of the card that it takes, its plate included; x from the left side, as that of `tile`. */
    area: placed,
    /** Painted in order. */
    layers: [tileLayer, plate, ...mark].filter((layer) => layer !== undefined),
    ...(background && { background }),
    ...(tile && { tile }),
  }
}

/** Width and height of about the area of a square with the side, within the bounds. */
function balancedSize(aspect: number, sidePx: number, widthPxMax: number, heightPxMax: number) {
  const exponent = aspect > 1 ? wideExponent : 0.5
  const [width, height] = [sidePx * aspect ** (1 - exponent), sidePx * aspect ** -exponent]
  const scale = Math.min(1, widthPxMax / width, heightPxMax / height)
  return { widthPx: width * scale, heightPx: height * scale }
}

function markLayers(logo: CardLogo, paint: LogoPaint, x: number, y: number, scale: number): Layer[] {
  if (logo.kind === 'pixels') {
    const { key, png, widthPx, heightPx } = paint.color === undefined ? logo : tintedPixels(logo, paint.color)
    return [{ kind: 'picture', key, png, x, y, widthPx: widthPx * scale, heightPx: heightPx * scale }]
  }
  return logo.shapes.map(({ d, fill, opacity }) => ({
    kind: 'path',
    d,
    x,
    y,
    scale,
    fill: paint.color === undefined ? fill : toHex(paint.color),
    ...(opacity !== undefined && paint.isOpaque !== true && { opacity }),
  }))
}

function areaLayer({ x, y, width, height }: Area, color: Rgb, radius?: number): Layer {
  const d =
    radius === undefined ? rectangle(0, 0, width, height) : roundedRectangle(0, 0, width, height, radius)
  return { kind: 'path', d, x, y, scale: 1, fill: toHex(color) }
}
