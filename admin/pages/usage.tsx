/** @jsxImportSource #jsx */
import { utcDay } from '../../src/lib/clock.ts'
import type { Markup } from '../../src/lib/jsx/markup.ts'
import type { AdminDeps } from '../deps.ts'
import { dayChart } from '../parts/chart.tsx'
import { shareList } from '../parts/facts.tsx'
import { formatCount } from '../parts/format.ts'
import { icon } from '../parts/icons.tsx'
import { adminPage } from '../parts/layout.tsx'
import type { Visit } from '../session-guard.ts'
import { countOf, sumBy, sumByDay } from '../traffic-days.ts'

const ranges = [7, 30, 90, 365] as const
const nothing = 'Nothing in this range.'

/** `/admin/usage`: a range of days by endpoint, way of paying and status. */
export function usagePage(deps: AdminDeps, { query }: Visit): Markup {
  const length = ranges.find((days) => String(days) === query.get('days')) ?? 30
  const today = utcDay(deps.clock.now())
  const firstDay = today - length + 1
  const rows = deps.store.traffic.between(firstDay, today)
  return adminPage(
    deps,
    {
      title: 'Usage',
      section: 'usage',
      lead: `${formatCount(countOf(rows))} requests in ${length} days.`,
      actions: (
        <a class="btn" href={`/admin/usage.csv?days=${length}`}>
          {icon('download')}Export CSV
        </a>
      ),
    },
    [
      dayChart({
        title: 'Requests per day',
        series: ['Signed', 'Demo', 'Paid and free'],
        days: sumByDay(rows, {
          firstDay,
          lastDay: today,
          series: [
            ({ auth }) => auth === 'key',
            ({ auth }) => auth === 'demo',
            ({ auth }) => auth !== 'key' && auth !== 'demo',
          ],
        }),
        actions: rangePicker(length),
      }),
      <div class="cols three">
        {shareList('By endpoint', sumBy(rows, 'endpoint'), nothing)}
        {shareList('By way of paying', sumBy(rows, 'auth'), nothing)}
        {shareList('By status', sumBy(rows, 'status'), nothing)}
      </div>,
    ],
  )
}

function rangePicker(current: number): Markup {
  return (
    <div class="seg" role="group" aria-label="Range">
      {ranges.map((days) => (
        <a href={`/admin/usage?days=${days}`} aria-current={days === current ? 'true' : undefined}>
          {days === 365 ? '1 y' : `${days} d`}
        </a>
      ))}
    </div>
  )
}
