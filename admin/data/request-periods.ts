import { dayMs, hourMs, utcDay, utcHour } from '../../src/lib/clock.ts'
import { choice } from '../../src/lib/fields.ts'
import { formatDay, formatHour, formatMonth } from '../../src/lib/human-format.ts'
import type { ChartInput, ChartPeriod } from '../../src/site/parts/chart-data.ts'
import type { AdminDeps } from '../deps.ts'
import { outcomeOf, outcomeSeries, outcomes } from './request-kinds.ts'
import { callsOf } from './traffic-sums.ts'

export const periodNames = ['hour', 'day', 'month'] as const

export type PeriodName = (typeof periodNames)[number]

export const periodField = choice(periodNames, {
  default: 'day',
  description: 'The length of a bar of the chart',
})

/** Hours or days, and their counts. */
interface Span {
  readonly first: number
  /** The present one. */
  readonly last: number
}

export interface TrafficCount {
  readonly at: number
  readonly endpoint: string
  readonly auth: string
  readonly status: string
  readonly count: number
}

/** The requests of the last 24 hours, 30 days or 12 months, and of as many before. */
export interface RequestPeriods {
  readonly chart: Omit<ChartInput, 'title' | 'actions'>
  /** Without those of the period before. */
  readonly rows: readonly TrafficCount[]
}

interface Unit {
  readonly span: string
  readonly last: string
  readonly ms: number
  /** The present periods and those before, oldest first, in hours or days. */
  readonly spans: (nowMs: number) => { readonly periods: readonly Span[]; readonly before: readonly Span[] }
  readonly label: (ms: number) => string
  readonly axis?: (ms: number) => string
}

const units: Readonly<Record<PeriodName, Unit>> = {
  hour: {
    span: '24 hours',
    last: 'this hour',
    ms: hourMs,
    spans: (nowMs) => singles(utcHour(nowMs), 24),
    label: (ms) => `${formatDay(ms)}, ${formatHour(ms)} to ${formatHour(ms + hourMs)}`,
    axis: formatHour,
  },
  day: {
    span: '30 days',
    last: 'today',
    ms: dayMs,
    spans: (nowMs) => singles(utcDay(nowMs), 30),
    label: formatDay,
  },
  month: {
    span: '12 months',
    last: 'this month',
    ms: dayMs,
    spans: (nowMs) => ({ periods: months(nowMs, 0), before: months(nowMs, 12) }),
    label: formatMonth,
    axis: (ms) => formatMonth(ms).slice(0, 3),
  },
}

type TrafficDeps = Pick<AdminDeps, 'store' | 'clock'>

export async function readRequestPeriods(deps: TrafficDeps, name: PeriodName): Promise<RequestPeriods> {
  const unit = units[name]
  const { periods, before } = unit.spans(deps.clock.now())
  const first = before[0]?.first ?? 0
  const last = periods.at(-1)?.last ?? 0
  const all = name === 'hour' ? await readHours(deps, first, last) : await readDays(deps, first, last)
  const byTime = Map.groupBy(all, ({ at }) => at)
  const start = periods[0]?.first ?? 0
  return {
    chart: {
      series: outcomeSeries,
      counted: 'requests',
      span: unit.span,
      last: unit.last,
      isLastOpen: true,
      empty: `No requests in these ${unit.span}.`,
      periods: periods.map((span, index): ChartPeriod => {
        const ms = span.first * unit.ms
        const earlier = before[index]
        return {
          label: unit.label(ms),
          ...(unit.axis && { axis: unit.axis(ms) }),
          values: valuesOf(within(byTime, span)),
          before: earlier === undefined ? 0 : callsOf(within(byTime, earlier)),
        }
      }),
    },
    rows: all.filter(({ at }) => at >= start),
  }
}

async function readHours(
  { store }: TrafficDeps,
  first: number,
  last: number,
): Promise<readonly TrafficCount[]> {
  return (await store.trafficHours.between(first, last)).map(({ hour, ...row }) => ({ at: hour, ...row }))
}

async function readDays(
  { store }: TrafficDeps,
  first: number,
  last: number,
): Promise<readonly TrafficCount[]> {
  return (await store.traffic.between(first, last)).map(({ day, ...row }) => ({ at: day, ...row }))
}

function within(rows: ReadonlyMap<number, readonly TrafficCount[]>, { first, last }: Span) {
  return Array.from({ length: last - first + 1 }, (_, index) => rows.get(first + index) ?? []).flat()
}

function valuesOf(rows: readonly TrafficCount[]): readonly number[] {
  const byOutcome = Map.groupBy(rows, outcomeOf)
  return outcomes.map((outcome) => callsOf(byOutcome.get(outcome) ?? []))
}

/** Periods of one hour or day each. */
function singles(last: number, count: number) {
  function from(first: number): readonly Span[] {
    return Array.from({ length: count }, (_, index) => ({ first: first + index, last: first + index }))
  }
  return { periods: from(last - count + 1), before: from(last - 2 * count + 1) }
}

/** Twelve calendar months in days; the last of them is the present one, or the one so many months before. */
function months(nowMs: number, monthsBefore: number): readonly Span[] {
  const now = new Date(nowMs)
  const last = now.getUTCMonth() - monthsBefore
  function startOf(month: number): number {
    return utcDay(Date.UTC(now.getUTCFullYear(), month, 1))
  }
  return Array.from({ length: 12 }, (_, index) => ({
    first: startOf(last - 11 + index),
    last: startOf(last - 10 + index) - 1,
  }))
}
