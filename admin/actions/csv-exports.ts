import { type Static, Type } from '@sinclair/typebox'
import { dayMs, isoDay, utcDay } from '../../src/lib/clock.ts'
import { integer, text } from '../../src/lib/fields.ts'
import type { KeyRow } from '../../src/store/keys.ts'
import type { Store } from '../../src/store/open.ts'
import type { PaymentRow } from '../../src/store/payment-row.ts'
import { allKeys, cardRowsMax, type ShareDay, type SharedCard } from '../../src/store/shares.ts'
import type { TrafficRow } from '../../src/store/traffic.ts'
import type { AdminDeps } from '../deps.ts'
import type { AdminRequest } from '../session/admin-request.ts'
import { type CsvColumns, csvResponse } from './csv-response.ts'

export const usageExportQuery = Type.Object({
  days: integer(1, 400, { default: 30, description: 'How many days, up to today' }),
})

export const sharesExportQuery = Type.Object({
  ...usageExportQuery.properties,
  key: Type.Optional(text(0, 100, { description: 'The id of a key; missing for all keys' })),
})

/** CSV files of keys, usage, shares and payments. */
export function createCsvExports({ store, clock }: AdminDeps) {
  return {
    keys: () =>
      csvResponse('keys.csv', keyColumns(store, utcDay(clock.now())), (limit, last) =>
        store.keyList.newest('any', limit, last?.id),
      ),
    async usage({ query: { days } }: AdminRequest<Static<typeof usageExportQuery>>): Promise<Response> {
      const today = utcDay(clock.now())
      const rows = await store.traffic.between(today - days + 1, today)
      return csvResponse('usage.csv', usageColumns, inParts(rows))
    },
    /** With `key` the cards of that key, else sums of all keys. */
    async shares({
      query: { days, key: keyId = allKeys },
    }: AdminRequest<Static<typeof sharesExportQuery>>): Promise<Response> {
      const today = utcDay(clock.now())
      const firstDay = today - days + 1
      if (keyId === allKeys)
        return csvResponse(
          'shares.csv',
          shareDayColumns,
          inParts(await store.shares.days(allKeys, firstDay, today)),
        )
      const cards = await store.shares.newest(keyId, firstDay, sharedCardsMax)
      return csvResponse('shares.csv', sharedCardColumns, inParts(cards))
    },
    payments: () =>
      csvResponse('payments.csv', paymentColumns(store), (limit, last) =>
        store.paymentList.newest('any', limit, last?.id),
      ),
  }
}

/** Rows that were read at once, as many as are asked for at a time. */
function inParts<Row>(rows: readonly Row[]): (limit: number) => Promise<readonly Row[]> {
  const remaining = [...rows]
  return async (limit) => remaining.splice(0, limit)
}

function keyColumns(store: Store, today: number): CsvColumns<KeyRow> {
  return [
    ['id', ({ id }) => id],
    ['name', ({ name }) => name],
    ['created', ({ createdAtMs }) => isoTime(createdAtMs)],
    ['revoked', ({ revokedAtMs }) => isoTime(revokedAtMs)],
    ['daily_quota', ({ dailyQuota }) => dailyQuota],
    ['unlimited_until', ({ unlimitedUntilMs }) => isoTime(unlimitedUntilMs)],
    ['expires', ({ expiresAtMs }) => isoTime(expiresAtMs)],
    ['used_today', ({ id }) => store.usage.used(today, `key:${id}`)],
    ['site', ({ siteId }) => siteId],
    ['hosts', ({ hosts }) => hosts],
    ['assets', ({ assets }) => assets],
    ['notes', ({ notes }) => notes],
  ]
}

const usageColumns: CsvColumns<TrafficRow> = [
  ['day', ({ day }) => isoDay(day)],
  ['endpoint', ({ endpoint }) => endpoint],
  ['paid_by', ({ auth }) => auth],
  ['status', ({ status }) => status],
  ['count', ({ count }) => count],
]

/** All rows that a key may have. */
const sharedCardsMax = 31 * cardRowsMax

const shareDayColumns: CsvColumns<ShareDay> = [
  ['day', ({ day }) => isoDay(day)],
  ['network', ({ network }) => network],
  ['count', ({ count }) => count],
]

const sharedCardColumns: CsvColumns<Pick<SharedCard, 'day' | 'network' | 'title' | 'url' | 'count'>> = [
  ['day', ({ day }) => isoDay(day)],
  ['network', ({ network }) => network],
  ['title', ({ title }) => title],
  ['url', ({ url }) => url],
  ['count', ({ count }) => count],
]

function paymentColumns(store: Store): CsvColumns<PaymentRow> {
  return [
    ['id', ({ id }) => id],
    ['time', ({ createdAtMs }) => isoTime(createdAtMs)],
    ['day', ({ createdAtMs }) => isoDay(Math.floor(createdAtMs / dayMs))],
    ['transaction', ({ txHash }) => txHash],
    ['state', ({ state }) => state],
    ['reason', ({ reason }) => reason],
    ['way', ({ via }) => via],
    ['chain_id', ({ chainId }) => chainId],
    ['payer', ({ payer }) => payer],
    ['amount_micros', ({ amountMicros }) => amountMicros],
    ['spent_micros', ({ spentMicros }) => spentMicros],
    ['settlement_gas', ({ id }) => store.settlements.ofPayment(id).as(({ gasUsed }) => gasUsed)],
    ['settlement_fee_gwei', ({ id }) => store.settlements.ofPayment(id).as(({ feeGwei }) => feeGwei)],
  ]
}

/** The last second of the year 9999: `forever` is later, and ISO 8601 needs more digits for it. */
const isoTimeMsMax = 253_402_300_799_000

function isoTime(ms: number | null): string | null {
  return ms === null ? null : new Date(Math.min(ms, isoTimeMsMax)).toISOString()
}
