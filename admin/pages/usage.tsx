/** @jsxImportSource #jsx */
import { type Static, Type } from '@sinclair/typebox'
import { utcDay } from '../../src/lib/clock.ts'
import { formatCount } from '../../src/lib/human-format.ts'
import type { Markup } from '../../src/lib/jsx/markup.ts'
import { kindOf, requestKinds } from '../data/request-kinds.ts'
import { callsOf, sumBy, sumByDay } from '../data/traffic-days.ts'
import type { AdminDeps } from '../deps.ts'
import { iconButton } from '../parts/buttons.tsx'
import { shareCard } from '../parts/cards.tsx'
import { dayChart } from '../parts/chart.tsx'
import { adminPage } from '../parts/layout.tsx'
import { rangeField, rangePicker } from '../parts/range-picker.ts'
import type { AdminRequest } from '../session/admin-request.ts'

export const usageQuery = Type.Object({ days: rangeField })

const emptyText = 'Nothing in this range.'

/** `/admin/usage`: a range of days by endpoint, kind and status. */
export async function usagePage(
  deps: AdminDeps,
  { query }: AdminRequest<Static<typeof usageQuery>>,
): Promise<Markup> {
  const length = Number(query.days)
  const today = utcDay(deps.clock.now())
  const firstDay = today - length + 1
  const rows = await deps.store.traffic.between(firstDay, today)
  return adminPage(
    deps,
    {
      title: 'Usage',
      section: 'usage',
      lead: `${formatCount(callsOf(rows))} requests in ${length} days.`,
      actions: iconButton('download', `/admin/usage.csv?days=${length}`, 'Export CSV'),
    },
    [
      dayChart({
        title: 'Requests per day',
        series: requestKinds,
        days: sumByDay(rows, firstDay, today),
        actions: rangePicker(length, (days) => `/admin/usage?days=${days}`),
      }),
      <div class="cols three">
        {shareCard(
          'By endpoint',
          sumBy(rows, ({ endpoint }) => endpoint),
          emptyText,
        )}
        {shareCard('By kind', sumBy(rows, kindOf), emptyText)}
        {shareCard(
          'By status',
          sumBy(rows, ({ status }) => status),
          emptyText,
        )}
      </div>,
    ],
  )
}
