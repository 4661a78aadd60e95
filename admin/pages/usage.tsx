/** @jsxImportSource #jsx */
import { type Static, Type } from '@sinclair/typebox'
import type { Markup } from '../../src/lib/jsx/markup.ts'
import { credentialOf, outcomeOf } from '../data/request-kinds.ts'
import { type PeriodName, periodField, readRequestPeriods } from '../data/request-periods.ts'
import { sumBy } from '../data/traffic-sums.ts'
import type { AdminDeps } from '../deps.ts'
import { iconButton } from '../parts/buttons.tsx'
import { shareCard } from '../parts/cards.tsx'
import { adminPage } from '../parts/layout.tsx'
import { requestChart } from '../parts/request-chart.tsx'
import type { AdminRequest } from '../session/admin-request.ts'

export const usageQuery = Type.Object({ by: periodField })

const emptyText = 'Nothing in this range.'
/** Days of the CSV file that has at least what the page shows. */
const exportedDays: Readonly<Record<PeriodName, number>> = { hour: 2, day: 30, month: 365 }

/** `/admin/usage`: requests by hour, day or month, and by endpoint, outcome and credential. */
export async function usagePage(
  deps: AdminDeps,
  { query: { by } }: AdminRequest<Static<typeof usageQuery>>,
): Promise<Markup> {
  const periods = await readRequestPeriods(deps, by)
  const { rows } = periods
  const served = rows.filter((row) => outcomeOf(row) === 'Served')
  return adminPage(
    deps,
    {
      title: 'Usage',
      section: 'usage',
      lead: 'Unpaid is 402, Refused every other 4xx, and Failed 5xx: a fault of this server.',
      actions: iconButton('download', `/admin/usage.csv?days=${exportedDays[by]}`, 'Export CSV'),
    },
    [
      requestChart(by, periods, '/admin/usage'),
      <div class="cols three">
        {shareCard(
          'By endpoint',
          sumBy(rows, ({ endpoint }) => endpoint),
          emptyText,
        )}
        {shareCard('By outcome', sumBy(rows, outcomeOf), emptyText)}
        {shareCard('Served, by credential', sumBy(served, credentialOf), emptyText)}
      </div>,
    ],
  )
}
