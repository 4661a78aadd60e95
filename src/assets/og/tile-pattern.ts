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

/** The figures of the poster's pattern: they touch the edges of their cell in halves and quarters, so neighbours meet. */
const figures: readonly Figure[] = [
  ...tables.figures.map(
    (d): Figure =>
      (x, y, side, turn) =>
        inCell(d, x, y, side, turn),
  ),
  (x, y, side) => circle(x + side / 2, y + side / 2, side / 2),
  (x, y, side) => ring(x + side / 2, y + side / 2, side * 0.36, side * 0.28),
  (x, y, side) => circle(x + side / 2, y + side / 2, side * 0.22),
]

/** Path data of a cell with sides of 1, put into a larger one. An arc is written as its radius, its sweep and its end. */
function inCell(figure: string, x: number, y: number, side: number, turn: number): string {
  return figure.replace(step, (_, command: string, radius = '', sweep = '', right = '', down = '') => {
    let [u, v] = [Number(right), Number(down)]
    for (let turns = turn; turns > 0; turns--) [u, v] = [1 - v, u]
    const px = shortNumber(side * Number(radius))
    const arc = radius && `${px} ${px} 0 0 ${sweep} `
    return `${command}${arc}${shortNumber(x + side * u)} ${shortNumber(y + side * v)}`
  })
}

const step = /([MLA])(?:([\d.]+) ([01]) )?([\d.]+) ([\d.]+)/g
