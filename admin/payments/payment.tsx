/** @jsxImportSource #jsx */
import { formatMicros, formatTime } from '../../src/lib/human-format.ts'
import type { Markup } from '../../src/lib/jsx/markup.ts'
import { icon } from '../../src/site/parts/icons.tsx'
import type { ListedCharge } from '../../src/store/payment-list.ts'
import type { PaymentRow } from '../../src/store/payment-states.ts'
import type { AdminDeps } from '../deps.ts'
import {
  type Column,
  dataTable,
  descriptionCard,
  linkButton,
  panel,
  pill,
  postForm,
  submitButton,
} from '../parts/elements.tsx'
import { adminPage, operatorNotFoundPage } from '../parts/layout.tsx'
import type { AdminRequest } from '../session/guard.ts'
import explorersByChain from './explorers.json' with { type: 'json' }
import { settlementText, shortHash, statePill } from './payment-parts.tsx'

const paymentsMax = 25
const chargesMax = 100

/** `/admin/payments/:id`: the payments of a transaction, by its hash or the id of one, with their charges; or why it is none. */
export async function paymentPage(deps: AdminDeps, { params }: AdminRequest): Promise<Markup | Response> {
  const { store } = deps
  const id = params['id'] ?? ''
  const ofId = await store.payments.byId(id)
  const hash = /^0x[0-9a-f]{64}$/i.test(id) ? id.toLowerCase() : ofId?.txHash
  const ofHash = hash ? await store.paymentList.byHash(hash, paymentsMax) : []
  // The payment that was asked for comes first: a transaction may have more than are shown.
  const payments = ofId ? [ofId, ...ofHash.filter((payment) => payment.id !== ofId.id)] : ofHash
  if (payments.length === 0 && !hash)
    return operatorNotFoundPage(deps, 'payments', 'There is no such payment.')
  const [first] = payments
  const explorer = first && explorers[first.chainId]
  return adminPage(
    deps,
    {
      title: 'Payment',
      section: 'payments',
      note: first ? statePill(first) : pill('Not in the ledger', 'plain'),
      lead: <code>{hash ?? id}</code>,
      buttons: [
        hash && explorer && linkButton(explorer + hash, ['Explorer', icon('external')]),
        postForm(`/admin/payments/${encodeURIComponent(hash ?? id)}/recheck`, submitButton('Check again')),
      ],
    },
    [
      panel('Explanation', <p class="wrap-anywhere">{await explanation(deps, hash)}</p>),
      await Promise.all(payments.map((payment) => details(deps, payment))),
    ],
  )
}

const explorers: Readonly<Record<number, string>> = explorersByChain

async function explanation(
  { payments, config }: AdminDeps,
  hash: string | undefined | null,
): Promise<string> {
  if (!hash) return 'It is authorized by a signature; no transaction carries it yet.'
  if (payments === undefined)
    return 'Payments are off: the ledger is shown as stored, without asking the chain.'
  const { verdict, words, payments: inLedger } = await payments.explain(hash)
  return inLedger.length > 0 ? words : `${config.X402_NETWORK} says: ${words} (${verdict})`
}

async function details({ store }: AdminDeps, payment: PaymentRow): Promise<Markup> {
  const charges = await store.paymentList.purchases(payment.id, chargesMax)
  const costs = await store.settlements.ofPayment(payment.id)
  return (
    <>
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
      {panel(
        'What it bought',
        charges.length === 0 ? (
          <p class="muted small">Nothing yet. The money is kept for its payer until a call uses it.</p>
        ) : (
          dataTable({ label: 'What it bought', columns: chargeColumns, rows: charges })
        ),
      )}
    </>
  )
}

const chargeColumns: readonly Column<ListedCharge>[] = [
  { head: 'Time, UTC', class: 'side muted', cell: ({ createdAtMs }) => formatTime(createdAtMs) },
  {
    head: 'For',
    class: 'main',
    title: ({ id }) => shortHash(id),
    cell: ({ endpoint }) => endpoint,
  },
  { head: 'Amount', class: 'right num', cell: ({ amountMicros }) => formatMicros(amountMicros) },
  { head: 'State', cell: ({ state }) => state },
]
