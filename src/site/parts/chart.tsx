/** @jsxImportSource #jsx */
import { formatCount } from '../../lib/human-format.ts'
import type { Child, Markup } from '../../lib/jsx/markup.ts'
import { tableHead } from './elements.tsx'

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

function bars(input: ChartInput, top: number): readonly Markup[] {
  const { series, periods } = input
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
    const isOpen = index === periods.length - 1
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

type Tone = 's1' | 's2' | 's3' | 's4' | 's5' | 'unpaid' | 'refused'

export interface ChartPeriod {
  readonly label: string
  readonly axis?: string
  readonly values: readonly number[]
  readonly before?: number
}

export interface ChartInput {
  readonly title: string
  readonly series: readonly { readonly name: string; readonly tone: Tone }[]
  readonly periods: readonly ChartPeriod[]
  readonly counted: string
  readonly span: string
  /** The last period, which is not over: today if undefined. */
  readonly last?: string
  readonly empty: Child
  readonly actions?: Markup
}

export function periodSum({ values }: Pick<ChartPeriod, 'values'>): number {
  return values.reduce((sum, value) => sum + value, 0)
}

/** All periods in a sentence, compared with the periods before as far as both are over. */
function chartSummary({ periods, counted, span, last = 'today' }: ChartInput): string {
  const total = periods.reduce((sum, period) => sum + periodSum(period), 0)
  const text = `${formatCount(total)} ${counted} in ${span}`
  const over = periods.slice(0, -1)
  const before = over.reduce((sum, period) => sum + (period.before ?? 0), 0)
  if (before === 0) return `${text}.`
  const now = over.reduce((sum, period) => sum + periodSum(period), 0)
  const percent = Math.round((now / before - 1) * 100)
  const change =
    percent === 0 ? 'As many as' : `${formatCount(Math.abs(percent))}% ${percent > 0 ? 'more' : 'fewer'} than`
  return `${text}. ${change} the previous ${span}, excluding ${last}.`
}

function readout({ series, counted }: ChartInput, period: ChartPeriod, isOpen: boolean): string {
  const { label, values, before } = period
  const parts = values.map((value, index) => `${formatCount(value)} ${series[index]?.name.toLowerCase()}`)
  const sum = `${formatCount(periodSum(period))} ${counted}`
  const detail = series.length === 1 ? '' : `: ${parts.join(', ')}`
  const compared = before ? `. Previous period: ${formatCount(before)}` : ''
  return `${label}${isOpen ? ', so far' : ''}. ${sum}${detail}${compared}`
}

/** The next even number up to 10, then of 20, 30, 40, 50, 60, 80, 100, …: the axis and its half have round numbers. */
function niceTop(value: number): number {
  if (value <= 10) return Math.max(2, Math.ceil(value / 2) * 2)
  const power = 10 ** Math.floor(Math.log10(value))
  return ([1, 2, 3, 4, 5, 6, 8, 10].find((factor) => factor * power >= value) ?? 10) * power
}
