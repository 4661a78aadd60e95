import { hash } from 'node:crypto'
import { memo } from '../../../lib/memo.ts'
import type { PictureGrid } from '../../../raster/picture-process/picture-messages.ts'
import { readShapesSvg, type Shapes } from '../../../svg/shapes-svg.ts'
import { findIcon } from '../../icons.ts'

/** A logo as safe shapes or safe pixels: nothing of the file that was brought is left in it. */
export type CardLogo = ShapesLogo | PixelsLogo

export interface ShapesLogo extends Shapes {
  readonly kind: 'shapes'
  readonly key: string
  /** The one colour of all shapes, where it is one: themes draw such a logo in a colour of theirs. */
  readonly singleColor?: string
}

export interface PixelsLogo {
  readonly kind: 'pixels'
  readonly key: string
  readonly widthPx: number
  readonly heightPx: number
  /** Decoded, and encoded again by us. */
  readonly png: Uint8Array<ArrayBuffer>
}

/** The logo of an SVG that `writeShapesSvg` wrote; undefined for every other file. */
export function readShapesLogo(svg: string): ShapesLogo | undefined {
  const read = readShapesSvg(svg)
  if (read === undefined) return undefined
  const { shapes, ...size } = read
  const [first] = shapes
  const isSingle = first !== undefined && shapes.every(({ fill }) => fill === first.fill)
  const key = hash('sha256', JSON.stringify([size, shapes]))
  return { kind: 'shapes', key, ...read, ...(isSingle && { singleColor: first.fill }) }
}

/** The mark of this name in Simple Icons as a logo in its brand's colour; undefined when there is none. */
export function iconLogo(name: string): ShapesLogo | undefined {
  return findIcon(name) && logoOfIcon(name)
}

/** Returns one object for each name, because measurements of a logo are cached by the object. */
const logoOfIcon = memo((name: string): ShapesLogo => {
  const { slug = '', d = '', brandColor = '#000000' } = findIcon(name) ?? {}
  return {
    kind: 'shapes',
    key: `icon ${slug}`,
    width: 24,
    height: 24,
    shapes: [{ d, fill: brandColor }],
    singleColor: brandColor,
  }
})

export interface BrandPicture {
  /** The SHA-256 of `jpeg`, in hex. */
  readonly key: string
  readonly widthPx: number
  readonly heightPx: number
  /** Decoded, and encoded again by us. */
  readonly jpeg: Uint8Array<ArrayBuffer>
  /** The focal point, which stays visible when the picture is cropped, in percent of width and height. */
  readonly focus: { readonly x: number; readonly y: number }
  /** Luminances from which the scrim is computed. */
  readonly grid: PictureGrid
}
