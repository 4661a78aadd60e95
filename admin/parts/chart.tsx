/** @jsxImportSource #jsx */

import { formatCount, formatDay } from '../../src/lib/human-format.ts'
import type { Markup } from '../../src/lib/jsx/markup.ts'
import { tableHead } from '../../src/site/parts/table-head.tsx'
import type { DayTotals } from '../data/traffic-days.ts'

export interface ChartInput {
  readonly title: string
  /** Bottom to top; at most three. */
  readonly series: readonly string[]
  /** Oldest first; the last one is today. */
  readonly days: readonly DayTotals[]
  readonly actions?: Markup
}

const chartWidth = 600
const chartHeight = 200

/** A stacked bar chart by day as SVG, with the same numbers in a table below for screen readers. */
export function dayChart({ title, series, days, actions }: ChartInput): Markup {
  const top = niceTop(Math.max(0, ...days.map(({ values }) => sum(values))))
  const slot = chartWidth / Math.max(1, days.length)
  return (
    <figure class="card panel">
      <header>
        <h2>{title}</h2>
        <div class="legend">
          {series.map((name, index) => (
            <span class={['', 'b', 'c'][index]}>{name}</span>
          ))}
        </div>
        {actions}
      </header>
      <div class="plot">
        <div class="y" aria-hidden="true">
          <span>{formatCount(top)}</span>
          <span>{formatCount(top / 2)}</span>
          <span>0</span>
        </div>
        <svg
          viewBox={`0 0 ${chartWidth} ${chartHeight}`}
          preserveAspectRatio="none"
          role="img"
          aria-label={`${title}, last ${days.length} days`}
        >
          {[0, chartHeight / 2, chartHeight].map((y) => (
            <line class="grid" x1="0" x2={chartWidth} y1={y} y2={y} />
          ))}
          {days.map((day, index) =>
            bar(day, { series, top, x: index * slot, slot, isToday: index === days.length - 1 }),
          )}
        </svg>
        <div class="x" aria-hidden="true">
          {axisDays(days).map(({ ms }) => (
            <span>{formatDay(ms)}</span>
          ))}
        </div>
      </div>
      {table(series, days)}
    </figure>
  )
}

interface BarPlace {
  readonly series: readonly string[]
  readonly top: number
  readonly x: number
  readonly slot: number
  readonly isToday: boolean
}

function bar({ ms, values }: DayTotals, { series, top, x, slot, isToday }: BarPlace): Markup {
  let y = chartHeight
  const parts = values.map((value, index) => {
    const height = (value / top) * chartHeight
    y -= height
    return (
      <rect
        class={`s${index + 1}`}
        x={fixed(x + slot * 0.18)}
        y={fixed(y)}
        width={fixed(slot * 0.64)}
        height={fixed(height)}
      />
    )
  })
  const words = values
    .map((value, index) => `${formatCount(value)} ${series[index]?.toLowerCase()}`)
    .join(', ')
  return (
    <g class={isToday ? 'day today' : 'day'}>
      <rect class="hit" x={fixed(x)} y="0" width={fixed(slot)} height={chartHeight} />
      {parts}
      <title>{`${formatDay(ms)}: ${words}`}</title>
    </g>
  )
}

function table(series: readonly string[], days: readonly DayTotals[]): Markup {
  return (
    <details class="data">
      <summary>Show as table</summary>
      <table>
        {tableHead(['Day', ...series.map((name) => ({ right: name }))])}
        <tbody>
          {days.toReversed().map(({ ms, values }) => (
            <tr>
              <td>{formatDay(ms)}</td>
              {values.map((value) => (
                <td class="right num">{formatCount(value)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  )
}

/** A small line chart for a table's cell. */
export function sparkline(values: readonly number[]): Markup {
  const top = Math.max(1, ...values)
  const step = 100 / Math.max(1, values.length - 1)
  const points = values.map((value, index) => `${fixed(index * step)} ${fixed(23 - (value / top) * 21)}`)
  const line = points.map((point, index) => `${index === 0 ? 'M' : 'L'}${point}`).join('')
  return (
    <svg class="spark" viewBox="0 0 100 24" preserveAspectRatio="none" aria-hidden="true">
      <path class="area" d={`${line}L100 24L0 24z`} />
      <path d={line} />
    </svg>
  )
}

/** About seven days for the axis, evenly spaced, with the first and the last. */
function axisDays(days: readonly DayTotals[]): readonly DayTotals[] {
  const steps = Math.min(6, days.length - 1)
  if (steps <= 0) return days
  return Array.from(
    { length: steps + 1 },
    (_, index) => days[Math.round((index * (days.length - 1)) / steps)],
  ).filter((day) => day !== undefined)
}

/** The next of 10, 20, 30, 40, 50, 60, 80, 100, …: the axis has round numbers. */
function niceTop(value: number): number {
  const power = 10 ** Math.max(1, Math.floor(Math.log10(Math.max(1, value))))
  return (
    [1, 2, 3, 4, 5, 6, 8, 10].map((factor) => factor * power).find((candidate) => candidate >= value) ?? value
  )
}

function sum(values: readonly number[]) {
  return values.reduce((total, value) => total + value, 0)
}
function fixed(value: number) {
  return Number(value.toFixed(1))
}
