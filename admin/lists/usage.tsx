/** @jsxImportSource #jsx */
import { Type } from '@sinclair/typebox'
import { isoDay, utcDay } from '../../src/lib/clock.ts'
import { integer } from '../../src/lib/fields.ts'
import {
  credentialOf,
  endpointName,
  outcomeOf,
  periodField,
  readRequestPeriods,
  requestChart,
  sumBy,
} from '../figures/requests.ts'
import { barCard } from '../parts/elements.tsx'
import { csvOf } from './csv.ts'
import { defineList } from './list.tsx'

const emptyText = 'Nothing in this range.'
/** Days of the CSV file that has at least the requests of the page. */
const exportedDays = { hour: 2, day: 30, month: 365 } as const

export const daysQuery = Type.Object({
  days: integer(1, 400, { default: 30, description: 'How many days, up to today' }),
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
          ['day', ({ day }) => isoDay(day)],
          ['endpoint', ({ endpoint }) => endpoint],
          ['paid_by', ({ auth }) => auth],
          ['status', ({ status }) => status],
          ['count', ({ count }) => count],
        ],
        await store.traffic.between(today - days + 1, today),
      )
    },
  },
})
