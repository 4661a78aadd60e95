import { formatCount } from '../../lib/human-format.ts'
import type { Child, Markup } from '../../lib/jsx/markup.ts'

export interface ChartSeries {
  readonly name: string
  /** The class that says its colour. */
  readonly tone: 's1' | 's2' | 's3' | 's4' | 's5' | 'unpaid' | 'refused'
}

/** An hour, a day or a month. */
export interface ChartPeriod {
  readonly label: string
  /** A shorter label for the axis. */
  readonly axis?: string
  /** One value for each series. */
  readonly values: readonly number[]
  /** The sum at the same place in the period before. */
  readonly before?: number
}

export interface ChartInput {
  readonly title: string
  /** Bottom to top. */
  readonly series: readonly ChartSeries[]
  /** Oldest first. */
  readonly periods: readonly ChartPeriod[]
  /** The things that are counted, in plural. */
  readonly counted: string
  /** The periods together, such as `30 days`. */
  readonly span: string
  /** The last period, such as `today`, which is not over while `isLastOpen`. */
  readonly last: string
  readonly isLastOpen?: boolean
  /** In place of a chart without any value. */
  readonly empty: Child
  readonly actions?: Markup
}

export function periodSum({ values }: Pick<ChartPeriod, 'values'>): number {
  return values.reduce((sum, value) => sum + value, 0)
}

/** All periods in a sentence, compared with the periods before as far as both are over. */
export function chartSummary({ periods, counted, span, last, isLastOpen = false }: ChartInput): string {
  const total = periods.reduce((sum, period) => sum + periodSum(period), 0)
  const text = `${formatCount(total)} ${counted} in ${span}`
  const over = isLastOpen ? periods.slice(0, -1) : periods
  const before = over.reduce((sum, period) => sum + (period.before ?? 0), 0)
  if (before === 0) return `${text}.`
  const now = over.reduce((sum, period) => sum + periodSum(period), 0)
  const percent = Math.round((now / before - 1) * 100)
  const change =
    percent === 0 ? 'As many as' : `${formatCount(Math.abs(percent))}% ${percent > 0 ? 'more' : 'fewer'} than`
  return `${text}. ${change} the previous ${span}${isLastOpen ? `, excluding ${last}` : ''}.`
}

/** The numbers of one bar. */
export function readout({ series, counted }: ChartInput, period: ChartPeriod, isOpen: boolean): string {
  const { label, values, before } = period
  const parts = values.map((value, index) => `${formatCount(value)} ${series[index]?.name.toLowerCase()}`)
  const sum = `${formatCount(periodSum(period))} ${counted}`
  const detail = series.length === 1 ? '' : `: ${parts.join(', ')}`
  const compared = before ? `. Previous period: ${formatCount(before)}` : ''
  return `${label}${isOpen ? ', so far' : ''}. ${sum}${detail}${compared}`
}

/** The next even number up to 10, then of 20, 30, 40, 50, 60, 80, 100, …: the axis and its half have round numbers. */
export function niceTop(value: number): number {
  if (value <= 10) return Math.max(2, Math.ceil(value / 2) * 2)
  const power = 10 ** Math.floor(Math.log10(value))
  return ([1, 2, 3, 4, 5, 6, 8, 10].find((factor) => factor * power >= value) ?? 10) * power
}
