import { dayMs } from '../../src/lib/clock.ts'
import type { TrafficRow } from '../../src/store/traffic.ts'

/** Sums of one UTC day. */
export interface DayTotals {
  /** Start of the day. */
  readonly ms: number
  /** One value for each series. */
  readonly values: readonly number[]
}

/** Sums traffic by day from `firstDay` to `lastDay`; each series is the rows that its predicate accepts. */
export function sumByDay(
  rows: readonly TrafficRow[],
  firstDay: number,
  lastDay: number,
  series: readonly ((row: TrafficRow) => boolean)[],
): readonly DayTotals[] {
  const days = Map.groupBy(rows, ({ day }) => day)
  return Array.from({ length: lastDay - firstDay + 1 }, (_, index) => {
    const ofDay = days.get(firstDay + index) ?? []
    return {
      ms: (firstDay + index) * dayMs,
      values: series.map((isInSeries) => countOf(ofDay.filter(isInSeries))),
    }
  })
}

export function countOf(rows: readonly TrafficRow[]): number {
  return rows.reduce((sum, { count }) => sum + count, 0)
}

/** Sums traffic by the values of one column, the largest first. */
export function sumBy(rows: readonly TrafficRow[], column: 'endpoint' | 'auth' | 'status') {
  const sums = new Map<string, number>()
  for (const row of rows) sums.set(row[column], (sums.get(row[column]) ?? 0) + row.count)
  return [...sums].map(([name, count]) => ({ name, count })).toSorted((a, b) => b.count - a.count)
}
