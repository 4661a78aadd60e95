import { parseHex, type Rgb, white } from '../../lib/color.ts'
import { shortNumber } from '../../svg/svg-values.ts'
import { hashOf } from './accent.ts'
import { circle, filled, rectangle, ring } from './shapes.ts'
import tables from './tile-pattern.json' with { type: 'json' }

export interface PatternColors {
  readonly background: Rgb
  readonly deep: Rgb
  readonly dark: Rgb
  readonly pale: Rgb
  /** Instead of loud colours that are chosen. */
  readonly loud?: readonly Rgb[]
}

export interface PatternArea {
  readonly x: number
  readonly y: number
  readonly columns: number
  readonly rows: number
  readonly sidePx: number
}

/** Loud colours beside the background; those that stand out from it best are taken. */
export const loudColors = tables.loudColors.map((hex) => parseHex(hex) ?? white)

/** Figures in loud colours over square cells. The key decides the colours, the number of the pattern the figures. */
export function tilePattern(key: string, pattern: number, colors: PatternColors, area: PatternArea): string {
  const { background, deep, dark, pale } = colors
  const { columns, rows, sidePx } = area
  const [first = pale, second = pale] = colors.loud ?? loudColorsFor(colors, sequence(hashOf(key)))
  const random = sequence(hashOf(`${key} ${pattern}`))
  const palette: Readonly<Record<string, Rgb>> = { background, deep, dark, pale, first, second }
  const pairs = tables.pairs.map((names) => names.map((name) => palette[name] ?? pale))
  const cells = new Map<Rgb, string>()
  const shapes = new Map<Rgb, string>()
  const backgrounds: Rgb[] = []
  const kinds: number[] = []
  for (let index = 0; index < rows * columns; index++) {
    const x = area.x + (index % columns) * sidePx
    const y = area.y + Math.floor(index / columns) * sidePx
    const left = index % columns === 0 ? -1 : index - 1
    const above = index - columns
    const isNew = <T>(value: T, values: readonly T[]) => value !== values[left] && value !== values[above]
    const nextPair = () => pairs[random(pairs.length)] ?? []
    const [under = background, over = deep] = retry(nextPair, ([color]) => isNew(color, backgrounds))
    const nextKind = () => random(figures.length)
    const kind = retry(nextKind, (next) => isNew(next, kinds))
    backgrounds.push(under)
    kinds.push(kind)
    if (under !== background) append(cells, under, rectangle(x, y, sidePx, sidePx))
    append(shapes, over, figures[kind]?.(x, y, sidePx, random(4)) ?? '')
  }
  return [...cells, ...shapes].map(([color, d]) => filled(color, d)).join('')
}

/** Two loud colours far from the background and from each other. */
function loudColorsFor({ background, pale }: PatternColors, random: (below: number) => number) {
  const far = farthest(loudColors, background).slice(0, 4)
  const first = far[random(3)] ?? pale
  return [first, ...farthest(far, first)]
}

function farthest(colors: readonly Rgb[], from: Rgb): readonly Rgb[] {
  function distance({ r, g, b }: Rgb) {
    return Math.hypot(r - from.r, g - from.g, b - from.b)
  }
  return colors.toSorted((one, other) => distance(other) - distance(one))
}

function append(paths: Map<Rgb, string>, color: Rgb, d: string): void {
  paths.set(color, (paths.get(color) ?? '') + d)
}

/** The first wanted value of at most 13; otherwise the last. */
function retry<T>(next: () => T, wanted: (value: T) => boolean): T {
  let value = next()
  for (let tries = 0; tries < 12 && !wanted(value); tries++) value = next()
  return value
}

/** Whole numbers below a bound, the same ones for the same seed. */
function sequence(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

/** Path data of one geometric figure in a square cell; `turn` counts quarter turns. */
type Figure = (x: number, y: number, side: number, turn: number) => string

type Point = readonly [x: number, y: number]

/** The figures of the poster's pattern: they touch the edges of their cell in halves and quarters, so neighbours meet. */
const figures: readonly Figure[] = [
  (x, y, side, turn) => quarterBand(corners(x, y, side, turn), side, 0),
  (x, y, side, turn) => {
    const cell = corners(x, y, side, turn)
    return quarterBand(cell, side, (side * 2) / 3) + quarterBand(cell, side / 3, 0)
  },
  leaf,
  triangle,
  halves,
  (x, y, side) => circle(x + side / 2, y + side / 2, side / 2),
  (x, y, side) => ring(x + side / 2, y + side / 2, side * 0.36, side * 0.28),
  (x, y, side) => circle(x + side / 2, y + side / 2, side * 0.22),
]

function leaf(x: number, y: number, side: number, turn: number): string {
  const [from, , to] = corners(x, y, side, turn)
  const arc = `A${shortNumber(side)} ${shortNumber(side)} 0 0 1 `
  return `M${at(from)}${arc}${at(to)}${arc}${at(from)}z`
}

function triangle(x: number, y: number, side: number, turn: number): string {
  const [a, b, c] = corners(x, y, side, turn)
  return `M${at(a)}L${at(b)}L${at(c)}z`
}

/** Two half discs, one on an edge, one on the middle line. */
function halves(x: number, y: number, side: number, turn: number): string {
  const [a, b, c, d] = corners(x, y, side, turn)
  function half(from: Point, to: Point) {
    return `M${at(from)}A${shortNumber(side / 2)} ${shortNumber(side / 2)} 0 0 0 ${at(to)}z`
  }
  return half(a, b) + half(between(a, d, 0.5), between(b, c, 0.5))
}

/** A quarter of a ring around the first corner; with no inner radius a quarter disc. */
function quarterBand([centre, next, , last]: Corners, outer: number, inner: number): string {
  const side = Math.abs(next[0] - centre[0]) + Math.abs(next[1] - centre[1])
  function arc(radius: number, sweep: number) {
    return `A${shortNumber(radius)} ${shortNumber(radius)} 0 0 ${sweep} `
  }
  const [from, to] = [between(centre, next, outer / side), between(centre, last, outer / side)]
  if (inner === 0) return `M${at(centre)}L${at(from)}${arc(outer, 1)}${at(to)}z`
  const [back, end] = [between(centre, last, inner / side), between(centre, next, inner / side)]
  return `M${at(from)}${arc(outer, 1)}${at(to)}L${at(back)}${arc(inner, 0)}${at(end)}z`
}

type Corners = readonly [Point, Point, Point, Point]

/** Clockwise, the first one chosen by the turn. */
function corners(x: number, y: number, side: number, turn: number): Corners {
  const [right, bottom] = [x + side, y + side]
  const square: Corners = [
    [x, y],
    [right, y],
    [right, bottom],
    [x, bottom],
  ]
  return square.map((_, index) => square[(index + turn) & 3]) as [Point, Point, Point, Point]
}

function between([x, y]: Point, [toX, toY]: Point, share: number): Point {
  return [x + (toX - x) * share, y + (toY - y) * share]
}

function at([x, y]: Point): string {
  return `${shortNumber(x)} ${shortNumber(y)}`
}
