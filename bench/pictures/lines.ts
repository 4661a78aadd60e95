import type { Point } from '../support/row.ts'
import type { Sheet } from './sheet.ts'

/** Where a value stands between the two ends of an axis, and what is written there. */
export interface Axis {
  readonly title: string
  /** 0 to 1. */
  readonly shareOf: (value: number) => number
  readonly ticks: readonly { readonly value: number; readonly label: string }[]
}

export interface Series {
  readonly name: string
  readonly points: readonly Point[]
}

export interface LineChart {
  readonly x: Axis
  readonly y: Axis
  /** The most important first. */
  readonly series: readonly Series[]
  /** Limits that the lines must not pass. */
  readonly bounds?: readonly { readonly y: number; readonly label: string }[]
  /** Points are few, and each was measured. */
  readonly hasDots?: boolean
}

interface Frame {
  readonly left: number
  readonly top: number
  readonly widthPx: number
  readonly heightPx: number
}

const labelLeastPx = 17

/** Lines on a grid, they and their bounds named at the end. */
export function drawLines(sheet: Sheet, chart: LineChart, frame: Frame): void {
  const { left, top, widthPx, heightPx } = frame
  function place([x, y]: Point): Point {
    return [left + chart.x.shareOf(x) * widthPx, top + (1 - chart.y.shareOf(y)) * heightPx]
  }
  drawGrid(sheet, chart, frame)
  const labels = [
    ...chart.series.map(({ name, points }, index) => ({
      words: name,
      y: place(points.at(-1) ?? [0, 0])[1],
      color: colorOf(sheet, index),
    })),
    ...(chart.bounds ?? []).map(({ y, label }) => ({
      words: label,
      y: place([0, y])[1],
      color: sheet.palette.bound,
    })),
  ]
  const labelYs = spread(
    labels.map(({ y }) => y),
    labelLeastPx,
  )
  for (const [index, { words, color }] of labels.entries())
    sheet.text(words, left + widthPx + 12, (labelYs[index] ?? 0) + 4.5, { sizePx: 13, weight: 600, color })
  // The most important is painted last, over the others.
  for (const [index, { points }] of [...chart.series.entries()].reverse()) {
    const color = colorOf(sheet, index)
    const placed = points.map(place)
    sheet.line(placed, { color, widthPx: index === 0 ? 2.5 : 2 })
    if (chart.hasDots)
      for (const [x, y] of placed)
        sheet.line(
          [
            [x, y],
            [x + 0.01, y],
          ],
          { color, widthPx: 6.5 },
        )
  }
}

function colorOf({ palette }: Sheet, index: number): string {
  return palette.lines[index] ?? palette.paleInk
}

function drawGrid(sheet: Sheet, { x, y, bounds = [] }: LineChart, frame: Frame): void {
  const { left, top, widthPx, heightPx } = frame
  const { palette } = sheet
  const [right, bottom] = [left + widthPx, top + heightPx]
  const small = { sizePx: 12, color: palette.paleInk }
  for (const { value, label } of y.ticks) {
    const at = top + (1 - y.shareOf(value)) * heightPx
    sheet.line(
      [
        [left, at],
        [right, at],
      ],
      { color: palette.grid, widthPx: 1 },
    )
    sheet.text(label, left - 10, at + 4, { ...small, align: 'end' })
  }
  for (const { value, label } of x.ticks)
    sheet.text(label, left + x.shareOf(value) * widthPx, bottom + 20, { ...small, align: 'center' })
  sheet.text(x.title, right, bottom + 40, { ...small, align: 'end' })
  sheet.text(y.title, left, top - 12, small)
  for (const bound of bounds) {
    const at = top + (1 - y.shareOf(bound.y)) * heightPx
    sheet.line(
      [
        [left, at],
        [right, at],
      ],
      { color: palette.bound, widthPx: 1.25, dashPx: [5, 4] },
    )
  }
}

/** Moves the heights apart until labels do not touch, keeping their order. */
function spread(heights: readonly number[], leastPx: number): readonly number[] {
  const order = [...heights.keys()].sort((one, other) => (heights[one] ?? 0) - (heights[other] ?? 0))
  const moved = [...heights]
  for (let pass = 0; pass < 20; pass += 1) {
    for (let at = 1; at < order.length; at += 1) {
      const [upper, lower] = [order[at - 1] ?? 0, order[at] ?? 0]
      const lack = leastPx - ((moved[lower] ?? 0) - (moved[upper] ?? 0))
      if (lack <= 0) continue
      moved[upper] = (moved[upper] ?? 0) - lack / 2
      moved[lower] = (moved[lower] ?? 0) + lack / 2
    }
  }
  return moved
}
