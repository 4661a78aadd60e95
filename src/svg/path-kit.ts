import { readFileSync } from 'node:fs'
import startPathKit, { type Path } from 'pathkit-wasm'
import { packageFile } from '../lib/package-files.ts'
import { pathBounds } from './bounds.ts'

/** The WebAssembly of Skia's path operations, for a build that ships it beside an executable. */
export const pathKitFile = { packageName: 'pathkit-wasm', file: 'bin/pathkit.wasm' } as const

export interface Pen {
  readonly width: number
  readonly cap: 'butt' | 'round' | 'square'
  readonly join: 'miter' | 'round' | 'bevel'
  readonly miterLimit: number
}

/** A line or curve: x and y of where it starts, of each control point, and of where it ends. */
type Segment = readonly number[]
type Contour = readonly Segment[]

const segmentsMax = 8_000
/** Lines and curves of an even-odd fill: the time to find where they cross grows with the square of them. */
const crossingMax = 2_000

/** Skia's path operations on absolute M, L, Q, C and Z. Exact to about a unit, so they enlarge their path by `scale` first. */
export async function openPathKit() {
  const { packageName, file } = pathKitFile
  const kit = await startPathKit({ wasmBinary: readFileSync(packageFile(packageName, file)) })
  const caps = { butt: kit.StrokeCap.BUTT, round: kit.StrokeCap.ROUND, square: kit.StrokeCap.SQUARE }
  const joins = { miter: kit.StrokeJoin.MITER, round: kit.StrokeJoin.ROUND, bevel: kit.StrokeJoin.BEVEL }

  function read(d: string, scale: number): Path {
    return kit.FromSVGString(d).transform(scale, 0, 0, 0, scale, 0, 0, 0, 1)
  }

  function contoursOf(path: Path | null, scale: number): readonly Contour[] | undefined {
    const commands = path?.toCmds()
    if (commands === undefined || commands.length > segmentsMax) return undefined
    const contours: Segment[][] = []
    let pen: Segment = []
    for (const [verb, ...numbers] of commands) {
      const points = numbers.map((number) => number / scale)
      if (verb === kit.MOVE_VERB) contours.push([])
      else if (verb === kit.CONIC_VERB) contours.at(-1)?.push(cubicOfConic(pen, points, numbers[4] ?? 1))
      else if (verb !== kit.CLOSE_VERB) contours.at(-1)?.push([...pen, ...points])
      pen = verb === kit.CONIC_VERB ? points.slice(2, 4) : points.slice(-2)
    }
    return contours.filter((contour) => contour.length > 0)
  }

  return {
    /** The outline of a stroke, for the non-zero rule; undefined where it would be too long. */
    stroke(d: string, { width, cap, join, miterLimit }: Pen, scale: number): string | undefined {
      const options = { width: width * scale, miter_limit: miterLimit, cap: caps[cap], join: joins[join] }
      // The inner side of a line around something narrow turns inside out. Where that is a curve, Skia leaves a hole.
      const bent = d.replace(/M[^M]*/g, (contour) =>
        turnsInsideOut(contour, width)
          ? pathOf(contoursOf(read(contour, 1), 1)?.flat().flatMap(flattened) ?? [])
          : contour,
      )
      return contoursOf(read(bent, scale).stroke(options), scale)?.map(pathOf).join('')
    },
    /** The outline whose non-zero fill is the even-odd fill of a path; undefined where it would be too long. */
    nonZero(d: string, scale: number): string | undefined {
      if ((d.match(/[LQC]/g)?.length ?? 0) > crossingMax) return undefined
      const path = read(d, scale)
      path.setFillType(kit.FillType.EVENODD)
      const contours = contoursOf(path.simplify(), scale)
      return contours && turned(contours).map(pathOf).join('')
    },
  }
}

function turnsInsideOut(contour: string, width: number): boolean {
  if (!/[QC]/.test(contour) || !/Z\s*$/.test(contour)) return false
  const { left, top, right, bottom } = pathBounds(contour)
  return Math.min(right - left, bottom - top) < width
}

const letters: Readonly<Record<number, string>> = { 4: 'L', 6: 'Q', 8: 'C' }

function pathOf(contour: Contour): string {
  const lines = contour.map((segment) => `${letters[segment.length]}${segment.slice(2).join(' ')}`)
  return `M${contour[0]?.slice(0, 2).join(' ')}${lines.join('')}Z`
}

/** Skia's round caps and joins are parts of circles, which a cubic curve follows to a thousandth. */
function cubicOfConic(
  [fromX = 0, fromY = 0]: Segment,
  [x = 0, y = 0, toX = 0, toY = 0]: Segment,
  weight: number,
) {
  const share = (4 * weight) / (3 * (1 + weight))
  function between(end: number, control: number): number {
    return end + share * (control - end)
  }
  return [fromX, fromY, between(fromX, x), between(fromY, y), between(toX, x), between(toY, y), toX, toY]
}

/** Turns contours that do not cross by how many others they are inside of: clockwise at every second depth, for both fill rules. */
function turned(contours: readonly Contour[]): readonly Contour[] {
  const polygons = contours.map((contour) => contour.flatMap(flattened))
  return contours.map((contour, index) => {
    const own = polygons[index] ?? []
    const others = polygons.filter((polygon) => polygon !== own)
    const isInside = others.filter((polygon) => isAround(polygon, own)).length % 2 === 1
    // Twice the area, negative where it goes against the clock.
    const area = own.reduce((sum, [fromX, fromY, toX, toY]) => sum + fromX * toY - toX * fromY, 0)
    return area > 0 === isInside ? reversed(contour) : contour
  })
}

function reversed(contour: Contour): Contour {
  return contour
    .map((segment) =>
      segment
        .flatMap((x, at) => (at % 2 === 0 ? [[x, segment[at + 1] ?? 0]] : []))
        .reverse()
        .flat(),
    )
    .reverse()
}

export type Edge = readonly [fromX: number, fromY: number, toX: number, toY: number]

/** A line as it is, a curve as sixteen lines. */
export function flattened(segment: Segment): readonly Edge[] {
  const pieces = segment.length === 4 ? 1 : 16
  return Array.from({ length: pieces }, (_, index) => {
    const [fromX = 0, fromY = 0] = pointAt(segment, index / pieces)
    const [toX = 0, toY = 0] = pointAt(segment, (index + 1) / pieces)
    return [fromX, fromY, toX, toY]
  })
}

/** A point of a line or Bézier curve, by taking the points between its points until one is left. */
function pointAt(points: Segment, share: number): Segment {
  if (points.length === 2) return points
  const between = points.slice(2).map((value, at) => (points[at] ?? 0) + share * (value - (points[at] ?? 0)))
  return pointAt(between, share)
}

/** Tells whether a polygon is around another one, which does not cross it: around a point of its first edge. */
function isAround(polygon: readonly Edge[], [edge]: readonly Edge[]): boolean {
  if (edge === undefined) return false
  // Not an end, which contours that touch may share.
  const [x, y] = [0.37 * edge[0] + 0.63 * edge[2], 0.37 * edge[1] + 0.63 * edge[3]]
  let isInside = false
  for (const [fromX, fromY, toX, toY] of polygon) {
    if (fromY > y !== toY > y && x < fromX + ((y - fromY) * (toX - fromX)) / (toY - fromY))
      isInside = !isInside
  }
  return isInside
}
