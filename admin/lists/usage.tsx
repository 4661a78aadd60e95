/** @jsxImportSource #jsx */
import { Type } from '@sinclair/typebox'
import { responseOutcome } from '../../src/assets/stats/process-report.ts'
import { assets } from '../../src/catalog.ts'
import { dayMs, hourMs, utcDay, utcHour } from '../../src/lib/clock.ts'
import { choice, integer } from '../../src/lib/fields.ts'
import { formatDay, formatHour, formatMonth } from '../../src/lib/human-format.ts'
import type { Markup } from '../../src/lib/jsx/markup.ts'
import { type ChartPeriod, chart } from '../../src/site/parts/chart.tsx'
import type { AdminDeps } from '../deps.ts'
import { barCard, keysOf, segments } from '../parts/elements.tsx'
import { columnsOf, csvOf, dayColumn } from './csv.ts'
import { defineList } from './list.tsx'
import periods from './periods.json' with { type: 'json' }

const emptyText = 'Nothing in this range.'
/** Days of the CSV file that has at least the requests of the page. */
const exportedDays = { hour: 2, day: 30, month: 365 } as const

export const daysQuery = Type.Object({
  days: integer(1, 400, { default: 30, description: 'How many days, up to today' }),
})

export const periodNames = ['hour', 'day', 'month'] as const

type PeriodName = (typeof periodNames)[number]

export const periodField = choice(periodNames, {
  default: 'day',
  description: 'The length of a bar of the chart',
})

/** `/admin/usage`: requests by hour, day or month, and by endpoint, outcome and credential. */
export const usageList = defineList({
  path: '/admin/usage',
  section: 'usage',
  query: Type.Object({ by: periodField }),
  read: async (deps, { by }) => await readRequestPeriods(deps, by),
  head: () => ({
    title: 'Usage',
    lead: 'Unpaid is 402, Refused every other 4xx, and Failed 5xx: a fault of this server.',
  }),
  above: ({ query: { by }, found }) => requestChart(by, found, '/admin/usage'),
  below({ found: { rows } }) {
    const served = rows.filter((row) => outcomeOf(row) === 'Served')
    return (
      <div class="cols three">
        {barCard('By endpoint', sumBy(rows, endpointName), emptyText)}
        {barCard('By outcome', sumBy(rows, outcomeOf), emptyText)}
        {barCard('Served, by credential', sumBy(served, credentialOf), emptyText)}
      </div>
    )
  },
  csv: {
    query: daysQuery,
    linked: ({ by }) => ({ days: exportedDays[by] }),
    async file({ store, clock }, { days }) {
      const today = utcDay(clock.now())
      return csvOf(
        [
          dayColumn,
          ...columnsOf('endpoint'),
          ['paid_by', ({ auth }) => auth],
          ...columnsOf('status', 'count'),
        ],
        await store.traffic.between(today - days + 1, today),
      )
    },
  },
})

/** Outcomes in the order of a chart's bars, bottom to top. Each request has exactly one; only Failed is our fault. */
const outcomeTones = { Served: 's1', Unpaid: 'unpaid', Refused: 'refused', Failed: 's5' } as const

export type RequestOutcome = keyof typeof outcomeTones

export const outcomes = keysOf(outcomeTones)

export const outcomeSeries = outcomes.map((name) => ({ name, tone: outcomeTones[name] }))

/** @param status a class such as `4xx`, or `402` */
export function outcomeOf({ status }: { readonly status: string | number }): RequestOutcome {
  return outcomeLabels[responseOutcome(status)]
}

const outcomeLabels = { served: 'Served', unpaid: 'Unpaid', refused: 'Refused', failed: 'Failed' } as const

const assetTitles: ReadonlyMap<string, string> = new Map(assets.map(({ id, title }) => [id, title]))

export function endpointName({ endpoint }: { readonly endpoint: string }): string {
  return assetTitles.get(endpoint) ?? endpoint
}

const credentials: Readonly<Record<string, string>> = { key: 'Key', demo: 'Demo quota', payment: 'Payment' }

export function credentialOf({ auth }: { readonly auth: string }): string {
  return credentials[auth] ?? 'None needed'
}

export function callsOf(rows: readonly { readonly count: number }[]): number {
  return rows.reduce((sum, { count }) => sum + count, 0)
}

export function sumBy<Row extends { readonly count: number }>(
  rows: readonly Row[],
  nameOf: (row: Row) => string,
) {
  const sums = new Map<string, number>()
  for (const row of rows) sums.set(nameOf(row), (sums.get(nameOf(row)) ?? 0) + row.count)
  return [...sums].map(([name, count]) => ({ name, count })).toSorted((a, b) => b.count - a.count)
}

type RequestPeriods = Awaited<ReturnType<typeof readRequestPeriods>>

interface Unit {
  /** Length of a unit of the store: an hour or a day. */
  readonly ms: number
  /** Number of the unit in which a period begins; 0 periods ago is the present one. */
  readonly start: (nowMs: number, periodsAgo: number) => number
  readonly label: (ms: number) => string
  readonly axis?: (ms: number) => string
}

const units: Readonly<Record<PeriodName, Unit>> = {
  hour: {
    ms: hourMs,
    start: (nowMs, hoursAgo) => utcHour(nowMs) - hoursAgo,
    label: (ms) => `${formatDay(ms)}, ${formatHour(ms)} to ${formatHour(ms + hourMs)}`,
    axis: formatHour,
  },
  day: { ms: dayMs, start: (nowMs, daysAgo) => utcDay(nowMs) - daysAgo, label: formatDay },
  month: {
    ms: dayMs,
    start(nowMs, monthsAgo) {
      const now = new Date(nowMs)
      return utcDay(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - monthsAgo, 1))
    },
    label: formatMonth,
    axis: (ms) => formatMonth(ms).slice(0, 3),
  },
}

export async function readRequestPeriods(
  { store, clock }: Pick<AdminDeps, 'store' | 'clock'>,
  name: PeriodName,
) {
  const { span, last, count } = periods[name]
  const { ms, start, label, axis } = units[name]
  const nowMs = clock.now()
  // The starts of all periods, of those before, and of the one that follows.
  const starts = Array.from({ length: 2 * count + 1 }, (_, index) => start(nowMs, 2 * count - 1 - index))
  const [first = 0, present = 0, end = 0] = [starts[0], starts[count], starts[2 * count]]
  const all =
    name === 'hour'
      ? (await store.trafficHours.between(first, end - 1)).map(({ hour, ...row }) => ({ at: hour, ...row }))
      : (await store.traffic.between(first, end - 1)).map(({ day, ...row }) => ({ at: day, ...row }))
  const byTime = Map.groupBy(all, ({ at }) => at)
  function rowsOf(period: number) {
    const [from = 0, to = 0] = starts.slice(period, period + 2)
    return Array.from({ length: to - from }, (_, index) => byTime.get(from + index) ?? []).flat()
  }
  const bars = starts.slice(count, 2 * count).map((at, index): ChartPeriod => {
    const byOutcome = Map.groupBy(rowsOf(count + index), outcomeOf)
    return {
      label: label(at * ms),
      ...(axis && { axis: axis(at * ms) }),
      values: outcomes.map((outcome) => callsOf(byOutcome.get(outcome) ?? [])),
      before: callsOf(rowsOf(index)),
    }
  })
  const empty = `No requests in these ${span}.`
  return {
    chart: { series: outcomeSeries, counted: 'requests', span, last, empty, periods: bars },
    rows: all.filter(({ at }) => at >= present),
  }
}

export function requestChart(current: PeriodName, { chart: input }: RequestPeriods, path: string): Markup {
  const links = periodNames.map((name) => ({
    href: `${path}?by=${name}`,
    label: periods[name].tab,
    isCurrent: name === current,
  }))
  return chart({ ...input, title: periods[current].title, actions: segments('Range', links) })
}
