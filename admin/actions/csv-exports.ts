import { type Static, Type } from '@sinclair/typebox'
import { isKeyId } from '../../src/access/keys.ts'
import { dayMs, isoDay, utcDay } from '../../src/lib/clock.ts'
import { integer, text } from '../../src/lib/fields.ts'
import type { KeyRow } from '../../src/store/keys.ts'
import type { Store } from '../../src/store/open.ts'
import type { AuditEntry } from '../../src/store/operator.ts'
import type { PaymentRow } from '../../src/store/payment-row.ts'
import { allKeys, cardRowsMax, type ShareDay, type SharedCard } from '../../src/store/shares.ts'
import type { TrafficRow } from '../../src/store/usage.ts'
import { type AuditFilters, auditReader } from '../data/audit-listing.ts'
import { isoTimeOf, keyColumns } from '../data/key-columns.ts'
import type { KeyNames } from '../data/key-names.ts'
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

/** CSV files of keys, usage, shares, audit log and payments. */
export function createCsvExports(deps: AdminDeps) {
  const { store, clock } = deps
  return {
    keys: () =>
      csvResponse('keys.csv', exportedKeyColumns(store, utcDay(clock.now())), (limit, last) =>
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
    /** The entries that the filters of the page leave. */
    async audit({ query }: AdminRequest<AuditFilters>): Promise<Response> {
      const read = await auditReader(deps, query)
      return csvResponse('audit.csv', auditColumns(deps.keyNames), async (limit, last) => {
        const entries = await read(last?.id ?? Number.MAX_SAFE_INTEGER, limit)
        await deps.keyNames.load(entries.map(({ subject }) => subject))
        return entries
      })
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

function exportedKeyColumns(store: Store, today: number): CsvColumns<KeyRow> {
  return [...keyColumns, ['used_today', ({ id }) => store.usage.used(today, `key:${id}`)]]
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

function auditColumns({ nameOf }: Pick<KeyNames, 'nameOf'>): CsvColumns<AuditEntry> {
  return [
    ['time', ({ atMs }) => isoTimeOf(atMs)],
    ['action', ({ action }) => action],
    ['subject', ({ subject }) => subject],
    ['name', ({ subject }) => (isKeyId(subject) ? nameOf(subject) : '')],
    ['detail', ({ detail }) => detail],
    ['session', ({ actor }) => actor],
    ['address', ({ address }) => address],
  ]
}

function paymentColumns(store: Store): CsvColumns<PaymentRow> {
  return [
    ['id', ({ id }) => id],
    ['time', ({ createdAtMs }) => isoTimeOf(createdAtMs)],
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
