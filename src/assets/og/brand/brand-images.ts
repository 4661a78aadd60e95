import { hash } from 'node:crypto'
import { toOklab, toOklch } from '../../../lib/color.ts'
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

/** The side of the square of cells in which a subject is looked for, as a share of the longer side of the grid. */
const subjectShare = 0.34

/**
 * The point that a crop should keep, in percent: where edges and colours that are rare in the picture are near each other. The
 * middle of a picture without any.
 */
export function findFocus({ columns, rows, cells }: PictureGrid): BrandPicture['focus'] {
  const colors = cells.map(({ mean }) => toOklch(mean))
  const labs = cells.map(({ mean }) => toOklab(mean))
  const middles = [0, 1, 2].map((axis) => medianOf(labs.map((lab) => lab[axis] ?? 0)))
  const raw = cells.map(({ min, max }, index) => {
    const edge = Math.sqrt(max) - Math.sqrt(min)
    const [l = 0, a = 0, b = 0] = (labs[index] ?? []).map((value, axis) => value - (middles[axis] ?? 0))
    const rare = Math.hypot(l * 0.7, a * 2, b * 2)
    return edge * 0.35 + rare + (colors[index]?.c ?? 0) * 0.6
  })
  const usual = medianOf(raw)
  const weights = raw.map((value, index) => {
    const [x, y] = [((index % columns) + 0.5) / columns, (Math.floor(index / columns) + 0.5) / rows]
    // Subjects are seldom at an edge, where much else is.
    const inside = 1 - 0.75 * Math.max(Math.abs(x - 0.5), Math.abs(y - 0.44)) ** 2 * 4
    return Math.max(0, value - usual - 0.04) ** 1.5 * inside
  })
  return densestPoint(weights, columns, rows)
}

function medianOf(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[values.length >> 1] ?? 0
}

/** The middle of the weight in the square that has most of it. */
function densestPoint(weights: readonly number[], columns: number, rows: number): BrandPicture['focus'] {
  const side = Math.max(1, Math.round(Math.max(columns, rows) * subjectShare))
  let best = { sum: 0, x: 50, y: 50 }
  for (let top = 0; top + side <= rows; top++)
    for (let left = 0; left + side <= columns; left++) {
      let [sum, x, y] = [0, 0, 0]
      for (let row = top; row < top + side; row++)
        for (let column = left; column < left + side; column++) {
          const weight = weights[row * columns + column] ?? 0
          sum += weight
          x += weight * (column + 0.5)
          y += weight * (row + 0.5)
        }
      if (sum > best.sum * 1.0001)
        best = { sum, x: Math.round((100 * x) / sum / columns), y: Math.round((100 * y) / sum / rows) }
    }
  return { x: best.x, y: best.y }
}
