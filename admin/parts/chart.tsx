/** @jsxImportSource #jsx */
import { formatCount, formatDay } from '../../src/lib/human-format.ts'
import type { Markup } from '../../src/lib/jsx/markup.ts'
import { tableHead } from '../../src/site/parts/table.tsx'
import type { DayTotals } from '../data/traffic-days.ts'

export interface ChartInput {
  readonly title: string
  /** Bottom to top; at most five. */
  readonly series: readonly string[]
  /** Oldest first; the last one is today. */
  readonly days: readonly DayTotals[]
  readonly actions?: Markup
}

const chartWidth = 600
const chartHeight = 200
/** Between two parts of a bar, so that neighbouring colours are told apart. */
const gap = 1

/** A stacked bar chart by day as SVG, with the same numbers in a table below for screen readers. */
export function dayChart({ title, series, days, actions }: ChartInput): Markup {
  const top = niceTop(Math.max(0, ...days.map(({ values }) => values.reduce((sum, value) => sum + value, 0))))
  return (
    <figure class="card panel">
      <header>
        <h2>{title}</h2>
        <div class="legend">
          {series.map((name, index) => (
            <span class={`s${index + 1}`}>{name}</span>
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
          {bars(series, days, top)}
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

/** One bar for each day, with an invisible one of full height that shows the numbers. */
function bars(series: readonly string[], days: readonly DayTotals[], top: number): readonly Markup[] {
  const slot = chartWidth / Math.max(1, days.length)
  return days.map(({ ms, values }, day) => {
    let y = chartHeight
    const parts = values.map((value, index) => {
      const height = (value / top) * chartHeight
      y -= height
      return rect(`s${index + 1}`, (day + 0.18) * slot, y, slot * 0.64, Math.max(height - gap, height / 2))
    })
    const words = values.map((value, index) => `${formatCount(value)} ${series[index]?.toLowerCase()}`)
    const isToday = day === days.length - 1
    return (
      <g class={isToday ? 'day today' : 'day'}>
        {rect('hit', day * slot, 0, slot, chartHeight)}
        {parts}
        <title>{`${formatDay(ms)}${isToday ? ', so far' : ''}: ${words.join(', ')}`}</title>
      </g>
    )
  })
}

function rect(name: string, x: number, y: number, width: number, height: number): Markup {
  return <rect class={name} x={fixed(x)} y={fixed(y)} width={fixed(width)} height={fixed(height)} />
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
  const shown = new Set(
    Array.from({ length: steps + 1 }, (_, n) => Math.round((n * (days.length - 1)) / steps)),
  )
  return days.filter((_, index) => shown.has(index))
}

/** The next of 10, 20, 30, 40, 50, 60, 80, 100, …: the axis has round numbers. */
function niceTop(value: number): number {
  const power = 10 ** Math.max(1, Math.floor(Math.log10(Math.max(1, value))))
  return ([1, 2, 3, 4, 5, 6, 8, 10].find((factor) => factor * power >= value) ?? 10) * power
}

function fixed(value: number) {
  return Number(value.toFixed(1))
}
