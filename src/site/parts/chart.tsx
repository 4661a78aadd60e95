/** @jsxImportSource #jsx */
import { formatCount } from '../../lib/human-format.ts'
import type { Child, Markup } from '../../lib/jsx/markup.ts'
import { type ChartInput, type ChartPeriod, chartSummary, niceTop, periodSum, readout } from './chart-data.ts'
import { tableHead } from './table.tsx'

const chartWidth = 600
const chartHeight = 200
/** Between two parts of a bar, so that neighbouring colours are told apart. */
const gap = 1
/** A few wide slots would become blocks. */
const barWidthMax = 22
/** Up to this many periods each has its label below it. */
const labelsMax = 12

/**
 * A stacked bar chart as SVG, with the same numbers in a table below. A script shows the numbers of one bar above the
 * chart, under the pointer and by arrow keys; without it they are the tooltips of the bars.
 */
export function chart(input: ChartInput): Markup {
  const { title, series, periods, actions, empty } = input
  const isEmpty = periods.every((period) => periodSum(period) === 0 && !period.before)
  return (
    <figure class="card panel chart">
      <header>
        <h2>{title}</h2>
        {!isEmpty && legend(input)}
        {actions}
      </header>
      {isEmpty ? (
        <p class="muted small">{empty}</p>
      ) : (
        [<p class="small readout">{chartSummary(input)}</p>, plot(input), table(series, periods)]
      )}
    </figure>
  )
}

function legend({ series, periods }: ChartInput): Child {
  const hasBefore = periods.some(({ before }) => before)
  if (series.length === 1 && !hasBefore) return undefined
  return (
    <div class="legend">
      {series.map(({ name, tone }) => (
        <span class={tone}>{name}</span>
      ))}
      {hasBefore && <span class="before">Previous period</span>}
    </div>
  )
}

function plot(input: ChartInput): Markup {
  const { title, periods } = input
  const top = niceTop(Math.max(...periods.map((period) => Math.max(periodSum(period), period.before ?? 0))))
  const isLabelled = periods.length <= labelsMax
  return (
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
        aria-label={`${title}. ${chartSummary(input)}`}
      >
        {[0, chartHeight / 2, chartHeight].map((y) => (
          <line x1="0" x2={chartWidth} y1={y} y2={y} />
        ))}
        {bars(input, top)}
      </svg>
      <div class={isLabelled ? 'x each' : 'x'} aria-hidden="true">
        {(isLabelled ? periods : axisPeriods(periods)).map(({ axis, label }) => (
          <span>{axis ?? label}</span>
        ))}
      </div>
    </div>
  )
}

/** One bar for each period, with an invisible one of full height that takes the pointer. */
function bars(input: ChartInput, top: number): readonly Markup[] {
  const { series, periods, isLastOpen } = input
  const slot = chartWidth / Math.max(1, periods.length)
  const width = Math.min(slot * 0.64, barWidthMax)
  return periods.map((period, index) => {
    let y = chartHeight
    const parts = period.values.map((value, part) => {
      const height = (value / top) * chartHeight
      y -= height
      const x = (index + 0.5) * slot - width / 2
      return height > 0 && rect(series[part]?.tone ?? '', x, y, width, Math.max(height - gap, height / 2))
    })
    const isOpen = isLastOpen === true && index === periods.length - 1
    return (
      <g class={isOpen ? 'bar open' : 'bar'}>
        {rect('hit', index * slot, 0, slot, chartHeight)}
        {parts}
        {period.before ? beforeLine(index, slot, (period.before / top) * chartHeight) : undefined}
        <title>{readout(input, period, isOpen)}</title>
      </g>
    )
  })
}

function beforeLine(index: number, slot: number, height: number): Child {
  const line = `M${fixed((index + 0.1) * slot)} ${fixed(chartHeight - height)}H${fixed((index + 0.9) * slot)}`
  return ['before edge', 'before'].map((name) => <path class={name} d={line} />)
}

function rect(name: string, x: number, y: number, width: number, height: number): Markup {
  return <rect class={name} x={fixed(x)} y={fixed(y)} width={fixed(width)} height={fixed(height)} />
}

function table(series: ChartInput['series'], periods: readonly ChartPeriod[]): Markup {
  const hasBefore = periods.some(({ before }) => before)
  const heads = [...series.map(({ name }) => name), ...(hasBefore ? ['Previous period'] : [])]
  return (
    <details class="data">
      <summary>Show as table</summary>
      <table>
        {tableHead(['Time, UTC', ...heads.map((name) => ({ right: name }))])}
        <tbody>
          {periods.toReversed().map(({ label, values, before }) => (
            <tr>
              <td>{label}</td>
              {[...values, ...(hasBefore ? [before ?? 0] : [])].map((value) => (
                <td class="right num">{formatCount(value)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  )
}

/** About seven periods for the axis, evenly spaced, with the first and the last. */
function axisPeriods(periods: readonly ChartPeriod[]): readonly ChartPeriod[] {
  const steps = Math.min(6, periods.length - 1)
  const shown = new Set(
    Array.from({ length: steps + 1 }, (_, n) => Math.round((n * (periods.length - 1)) / steps)),
  )
  return periods.filter((_, index) => shown.has(index))
}

function fixed(value: number) {
  return Number(value.toFixed(1))
}
