/** @jsxImportSource #jsx */
import { dayMs } from '../../src/lib/clock.ts'
import { formatDay } from '../../src/lib/human-format.ts'
import type { Markup } from '../../src/lib/jsx/markup.ts'
import { chart } from '../../src/site/parts/chart.tsx'
import type { KeyRow } from '../../src/store/keys.ts'
import type { KeyDays } from '../data/key-days.ts'
import type { AdminDeps } from '../deps.ts'

/** The calls of a key by day, compared with the days before. */
export async function keyChart({ store }: AdminDeps, key: KeyRow, days: KeyDays): Promise<Markup> {
  const { calls, firstDay } = days
  const history = await store.usage.history(`key:${key.id}`, firstDay - calls.length, firstDay - 1)
  const before = new Map(history.map(({ day, used }) => [day + calls.length, used]))
  return chart({
    title: 'Calls per day',
    series: [{ name: 'Calls', tone: 's1' }],
    periods: calls.map((count, index) => ({
      label: formatDay((firstDay + index) * dayMs),
      values: [count],
      before: before.get(firstDay + index) ?? 0,
    })),
    counted: 'calls',
    span: `${calls.length} days`,
    last: 'today',
    isLastOpen: true,
    empty: 'No calls in the last 30 days. A call shows here as soon as it is counted.',
  })
}
