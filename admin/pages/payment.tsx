/** @jsxImportSource #jsx */

import { formatTime } from '../../src/lib/human-format.ts'
import type { Markup } from '../../src/lib/jsx/markup.ts'
import { formatMicros } from '../../src/lib/money.ts'
import type { ListedCharge } from '../../src/store/payment-list.ts'
import type { PaymentRow } from '../../src/store/payment-row.ts'
import type { SettlementCosts } from '../../src/store/settlements.ts'
import type { AdminDeps } from '../deps.ts'
import { descriptionCard } from '../parts/description-card.tsx'
import { explorerLink } from '../parts/explorer-link.tsx'
import { shortHash } from '../parts/format.ts'
import { adminPage } from '../parts/layout.tsx'
import { statePill } from '../parts/payment-table.tsx'
import { pill } from '../parts/pill.tsx'
import { scrollTable } from '../parts/scroll-table.tsx'
import { settlementText } from '../parts/settlement-costs.tsx'
import type { AdminRequest } from '../session/admin-request.ts'
import { notFoundPage } from './not-found.tsx'

const paymentsMax = 25
const chargesMax = 100

/** `/admin/payments/:id`: one payment, by transaction hash or id, with its charges; or why a transaction is no payment. */
export async function paymentPage(deps: AdminDeps, { params }: AdminRequest): Promise<Markup | Response> {
  const { store } = deps
  const id = params['id'] ?? ''
  const hash = /^0x[0-9a-f]{64}$/i.test(id) ? id.toLowerCase() : store.payments.byId(id)?.txHash
  const ofId = store.payments.byId(id)
  const payments = hash ? store.paymentList.byHash(hash, paymentsMax) : ofId ? [ofId] : []
  if (payments.length === 0 && !hash) return notFoundPage(deps, 'payments', 'There is no such payment.')
  const [first] = payments
  return adminPage(
    deps,
    {
      title: 'Payment',
      section: 'payments',
      note: first ? statePill(first) : pill('Not in the ledger', 'plain'),
      lead: <code>{hash ?? id}</code>,
      actions: [
        hash && first && explorerButton(first, hash),
        <form method="post" action={`/admin/payments/${encodeURIComponent(hash ?? id)}/recheck`}>
          <button class="btn" type="submit">
            Check again
          </button>
        </form>,
      ],
    },
    [
      <section class="card panel">
        <header>
          <h2>Explanation</h2>
        </header>
        <p class="words">{await explanation(deps, hash)}</p>
      </section>,
      payments.map((payment) =>
        details(
          payment,
          store.paymentList.purchases(payment.id, chargesMax),
          store.settlements.ofPayment(payment.id),
        ),
      ),
    ],
  )
}

async function explanation(
  { payments, config }: AdminDeps,
  hash: string | undefined | null,
): Promise<string> {
  if (!hash) return 'It is authorized by a signature; no transaction carries it yet.'
  if (payments === undefined)
    return 'Payments are off: the ledger is shown as it stands, and the chain is not asked.'
  const { verdict, words, payments: inLedger } = await payments.explain(hash)
  if (inLedger.length > 0) return words
  return `${config.X402_NETWORK} says: ${words} (${verdict})`
}

function explorerButton({ chainId }: PaymentRow, hash: string): Markup | undefined {
  return explorerLink(chainId, hash, 'Explorer')
}

function details(payment: PaymentRow, charges: readonly ListedCharge[], costs: SettlementCosts): Markup {
  return (
    <div class="cols">
      {descriptionCard('The payment', [
        ['Id', <code>{payment.id}</code>],
        ['State', [statePill(payment), payment.reason && <span class="muted"> {payment.reason}</span>]],
        ['Amount', `${formatMicros(payment.amountMicros)} USDC`],
        ['Spent', `${formatMicros(payment.spentMicros)} USDC`],
        ['Payer', <code>{payment.payer}</code>],
        ['Paid to', <code>{payment.payTo}</code>],
        ['Method', payment.via],
        ['Chain', `eip155:${payment.chainId}`],
        ['Block', payment.blockNumber === null ? 'none yet' : String(payment.blockNumber)],
        ...(payment.method === 'authorization' ? ([['Settlement', settlementText(costs)]] as const) : []),
        ['Received', `${formatTime(payment.createdAtMs)} UTC`],
        ['Last change', `${formatTime(payment.updatedAtMs)} UTC`],
      ])}
      <section class="card panel">
        <header>
          <h2>What it bought</h2>
        </header>
        {charges.length === 0 ? (
          <p class="muted small">Nothing yet. The money is kept for its payer until a call uses it.</p>
        ) : (
          chargeTable(charges)
        )}
      </section>
    </div>
  )
}

function chargeTable(charges: readonly ListedCharge[]): Markup {
  return scrollTable({
    label: 'What it bought',
    class: 'log stack',
    columns: ['Time, UTC', 'For', { right: 'Amount' }, 'State'],
    rows: charges.map(({ id, createdAtMs, endpoint, amountMicros, state }) => (
      <tr title={shortHash(id)}>
        <td class="c-side muted">{formatTime(createdAtMs)}</td>
        <td class="c-main">{endpoint}</td>
        <td class="right num" data-l="Amount">
          {formatMicros(amountMicros)}
        </td>
        <td data-l="State">{state}</td>
      </tr>
    )),
  })
}
