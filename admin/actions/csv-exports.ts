import { dayMs, isoDay, utcDay } from '../../src/lib/clock.ts'
import type { KeyRow } from '../../src/store/keys.ts'
import type { PaymentRow } from '../../src/store/payments.ts'
import { retryWhileLocked } from '../../src/store/retry-while-locked.ts'
import type { TrafficRow } from '../../src/store/traffic.ts'
import type { AdminDeps } from '../deps.ts'
import type { AdminRequest } from '../session/admin-request.ts'
import { csvResponse } from './csv-response.ts'

/** CSV files of keys, usage and payments. */
export function createCsvExports({ store, clock }: AdminDeps) {
  function today() {
    return utcDay(clock.now())
  }
  function isoTime(ms: number | null) {
    return ms === null ? null : new Date(Math.min(ms, 253_402_300_799_000)).toISOString()
  }

  function audited(make: (request: AdminRequest) => Response) {
    return async (request: AdminRequest) => {
      await retryWhileLocked(() => request.audit('export', request.context.path))
      return make(request)
    }
  }

  return {
    keys: audited(() =>
      csvResponse<KeyRow>(
        'keys.csv',
        [
          ['id', ({ id }) => id],
          ['name', ({ name }) => name],
          ['created', ({ createdAtMs }) => isoTime(createdAtMs)],
          ['revoked', ({ revokedAtMs }) => isoTime(revokedAtMs)],
          ['daily_quota', ({ dailyQuota }) => dailyQuota],
          ['unlimited_until', ({ unlimitedUntilMs }) => isoTime(unlimitedUntilMs)],
          ['used_today', ({ id }) => store.usage.used(today(), `key:${id}`)],
        ],
        (limit, last) => store.keyList.newest('any', limit, last?.id),
      ),
    ),
    usage: audited(({ query }) => {
      const days = Math.min(400, Math.max(1, Number(query.get('days')) || 30))
      let rest: TrafficRow[] = [...store.traffic.between(today() - days + 1, today())]
      return csvResponse<TrafficRow>(
        'usage.csv',
        [
          ['day', ({ day }) => isoDay(day)],
          ['endpoint', ({ endpoint }) => endpoint],
          ['paid_by', ({ auth }) => auth],
          ['status', ({ status }) => status],
          ['count', ({ count }) => count],
        ],
        (limit) => {
          const page = rest.slice(0, limit)
          rest = rest.slice(limit)
          return page
        },
      )
    }),
    payments: audited(() =>
      csvResponse<PaymentRow>(
        'payments.csv',
        [
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
          ['settlement_gas', ({ id }) => store.settlements.ofPayment(id).gasUsed],
          ['settlement_fee_gwei', ({ id }) => store.settlements.ofPayment(id).feeGwei],
        ],
        (limit, last) => store.paymentList.newest('any', limit, last?.id),
      ),
    ),
  }
}
