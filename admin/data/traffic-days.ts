import { dayMs } from '../../src/lib/clock.ts'
import type { TrafficRow } from '../../src/store/traffic.ts'
import { kindOf, requestKinds } from './request-kinds.ts'

/** Sums of one UTC day. */
export interface DayTotals {
  /** Start of the day. */
  readonly ms: number
  /** One value for each series. */
  readonly values: readonly number[]
}

/** Sums traffic by day from `firstDay` to `lastDay`; the series are the kinds of requests. */
export function sumByDay(
  rows: readonly TrafficRow[],
  firstDay: number,
  lastDay: number,
): readonly DayTotals[] {
  const days = Map.groupBy(rows, ({ day }) => day)
  return Array.from({ length: lastDay - firstDay + 1 }, (_, index) => {
    const kinds = Map.groupBy(days.get(firstDay + index) ?? [], kindOf)
    return {
      ms: (firstDay + index) * dayMs,
      values: requestKinds.map((kind) => callsOf(kinds.get(kind) ?? [])),
    }
  })
}

export function callsOf(rows: readonly TrafficRow[]): number {
  return rows.reduce((sum, { count }) => sum + count, 0)
}

/** Sums traffic by what `nameOf` says of a row, the largest first. */
export function sumBy(rows: readonly TrafficRow[], nameOf: (row: TrafficRow) => string) {
  const sums = new Map<string, number>()
  for (const row of rows) sums.set(nameOf(row), (sums.get(nameOf(row)) ?? 0) + row.count)
  return [...sums].map(([name, count]) => ({ name, count })).toSorted((a, b) => b.count - a.count)
}
