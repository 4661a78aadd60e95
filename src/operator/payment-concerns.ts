import { formatAgo } from '../lib/human-format.ts'
import { formatMicros } from '../lib/money.ts'
import type { PaymentRow } from '../store/payment-row.ts'
import type { Concern } from './concern.ts'
import type { ConcernDeps } from './concern-deps.ts'
import { paymentOpenMsMax, reorgedMsMax, settlerGasWeiMin, subjectsMax } from './concern-limits.ts'

/** Payments whose outcome is open for too long, or that vanished from the chain again. */
export async function paymentConcerns({ store, clock }: ConcernDeps): Promise<readonly Concern[]> {
  const nowMs = clock.now()
  const limit = subjectsMax
  const { paymentList } = store
  const open = await paymentList.oldest('submitted', {
    afterMs: 0,
    beforeMs: nowMs - paymentOpenMsMax,
    limit,
  })
  const vanished = await paymentList.oldest('reorged', {
    afterMs: nowMs - reorgedMsMax,
    beforeMs: nowMs,
    limit,
  })
  return [
    ...vanished.map((payment) => concernOf(payment, 'is not on the chain any more: check it again')),
    ...open.map((payment) =>
      concernOf(
        payment,
        `was sent ${formatAgo(payment.createdAtMs, nowMs)}, and its outcome is not known yet`,
      ),
    ),
  ]
}

function concernOf(payment: PaymentRow, what: string): Concern {
  const { id, txHash, state, payer, amountMicros } = payment
  return {
    kind: 'payment_in_doubt',
    id: `payment_in_doubt:${id}:${state}`,
    level: 'now',
    subject: txHash ?? id,
    text: `A payment of ${formatMicros(amountMicros)} USDC ${what}.`,
    path: `/admin/payments/${txHash ?? id}`,
    values: {
      payment: id,
      state,
      payer,
      amount_micros: amountMicros,
      ...(txHash !== null && { tx_hash: txHash }),
    },
  }
}

/** Limits of payments at this moment: the chain, the token, or the settler's balance. */
export async function settlementConcerns({ paymentsMonitor }: ConcernDeps): Promise<readonly Concern[]> {
  const report = await paymentsMonitor.latest()
  if (report === undefined || report === 'pending') return []
  const { settlerAddress: address, settlerGasWei: gasWei, problems } = report
  const isLow = address !== undefined && gasWei !== undefined && gasWei < settlerGasWeiMin
  const limits = problems.map(
    (text): Concern => ({
      kind: 'payments_limited',
      // Numbers in it, such as the price of gas, change from one look to the next.
      id: `payments_limited:${text.replace(/\d+(\.\d+)?/g, '#')}`,
      level: 'now',
      subject: 'Payments',
      text,
      path: '/admin/payments',
      values: {},
    }),
  )
  if (!isLow) return limits
  const ether = (Number(gasWei) / 1e18).toFixed(6)
  // The balance is one of the problems as soon as a settlement cannot be paid for; it is told once.
  const others = limits.filter(({ text }) => !text.includes(address))
  return [
    ...others,
    {
      kind: 'settler_gas',
      id: `settler_gas:${address}`,
      level: others.length < limits.length ? 'now' : 'soon',
      subject: address,
      text: `The settler has ${ether} ETH for gas: fill up ${address}.`,
      path: '/admin/payments',
      values: { address, balance_wei: String(gasWei) },
    },
  ]
}
