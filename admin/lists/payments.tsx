/** @jsxImportSource #jsx */
import { Type } from '@sinclair/typebox'
import { dayMs, isoDay, utcDay } from '../../src/lib/clock.ts'
import { choice, text } from '../../src/lib/fields.ts'
import { formatCount, formatMicros, formatTime } from '../../src/lib/human-format.ts'
import type { Child, Markup } from '../../src/lib/jsx/markup.ts'
import type { ListedPayment, PaymentFilter } from '../../src/store/payment-list.ts'
import type { PaymentRow } from '../../src/store/payment-states.ts'
import type { AdminDeps } from '../deps.ts'
import { type Column, statRow } from '../parts/elements.tsx'
import { redirect } from '../parts/layout.tsx'
import { paymentStates, settlementCostsCard, shortHash, statePill } from '../payments/payment.tsx'
import { csvFile, isoTimeOf } from './csv.ts'
import { defineList, emptyList } from './list.tsx'

const rowsPerPage = 25
const countedMax = 100

const filters: readonly (readonly [PaymentFilter, string])[] = [
  ['any', 'Any state'],
  ['unclaimed', 'Unclaimed'],
  ...Object.entries(paymentStates).map(([state, [label]]) => [state as PaymentRow['state'], label] as const),
]

const query = Type.Object({
  q: Type.Optional(text(0, 200, { description: 'A hash, a wallet or an id' })),
  state: choice(
    filters.map(([name]) => name),
    { default: 'any', description: 'Only payments in this state' },
  ),
  after: Type.Optional(text(0, 200, { description: 'The id of the payment before the first of the page' })),
})

/** `/admin/payments`: the ledger. Searching for a hash or an id opens that payment. */
export const paymentsList = defineList({
  path: '/admin/payments',
  section: 'payments',
  query,
  cursor: 'after',
  async read({ store: { payments, paymentList } }, { q = '', state, after }) {
    const search = q.trim().toLowerCase()
    if (/^0x[0-9a-f]{64}$/.test(search) || (await payments.byId(search)))
      return redirect(`/admin/payments/${search}`)
    const rows = search
      ? await paymentList.ofPayer(search, rowsPerPage, after)
      : await paymentList.newest(state, rowsPerPage, after)
    return { rows, next: rows.length === rowsPerPage ? rows.at(-1)?.id : undefined }
  },
  head: ({ deps }) => ({ title: 'Payments', lead: lead(deps) }),
  above: ({ deps }) => moneyStats(deps),
  table: {
    title: 'List of payments',
    label: 'Payments, wide table',
    search: {
      placeholder: 'Transaction hash or wallet',
      label: 'Search payments, or explain any transaction',
    },
    filters: () => [{ name: 'state', label: 'State', options: filters }],
    columns: () => columns,
    empty: ({ deps, query: { q, state } }) => emptyState(deps, q, state),
  },
  below: ({ deps }) => settlementCostsCard(deps),
  csv: {
    query: Type.Object({}),
    file: ({ store }) =>
      csvFile<PaymentRow>(
        [
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
        ],
        (limit, last) => store.paymentList.newest('any', limit, last?.id),
      ),
  },
})

function lead({ config }: AdminDeps): Child {
  if (config.X402_PAY_TO === undefined) return 'No wallet is configured.'
  const { X402_CONFIRMATIONS: blocks, X402_NETWORK: network } = config
  return [
    `On ${network}. Recipient `,
    <code title={config.X402_PAY_TO}>{shortHash(config.X402_PAY_TO)}</code>,
    `, ${blocks} ${blocks === 1 ? 'confirmation' : 'confirmations'} required.`,
  ]
}

async function moneyStats({ store, clock }: AdminDeps): Promise<Markup> {
  const today = utcDay(clock.now())
  const days = await store.paymentList.days(today - 29, today)
  const ofToday = days.find(({ day }) => day === today)
  async function countText(state: PaymentFilter) {
    const count = (await store.paymentList.newest(state, countedMax)).length
    return count === countedMax ? `${countedMax}+` : formatCount(count)
  }
  return statRow([
    ['Received today', formatMicros(ofToday?.amountMicros ?? 0), 'USDC'],
    ['Last 30 days', formatMicros(days.reduce((sum, { amountMicros }) => sum + amountMicros, 0)), 'USDC'],
    ['Settled', formatCount(ofToday?.count ?? 0), 'today'],
    ['Pending', await countText('submitted'), 'not confirmed yet'],
    ['Unclaimed', await countText('unclaimed'), 'paid, nothing bought'],
  ])
}

function emptyState({ config }: AdminDeps, search: string | undefined, state: PaymentFilter): Markup {
  const [title, sentence] = search?.trim()
    ? ['No payment matches', 'A full transaction hash is explained even if it is not in the ledger.']
    : state !== 'any'
      ? ['No payment is in this state', 'Choose another state to see the others.']
      : config.X402_PAY_TO === undefined
        ? ['Payments are off', 'Set X402_PAY_TO and X402_RPC_URLS and restart to be paid per call.']
        : ['No payments yet', 'The first one shows here as soon as it is verified.']
  return emptyList(title, sentence)
}

const columns: readonly Column<ListedPayment>[] = [
  { head: 'Payment', class: 'main mono', cell: paymentLink },
  {
    head: 'State',
    class: 'side',
    cell: (row) => [statePill(row), row.reason && <small>{row.reason}</small>],
  },
  { head: 'Amount', class: 'right num', cell: ({ amountMicros }) => formatMicros(amountMicros) },
  { head: 'Spent', class: 'right num wide', cell: ({ spentMicros }) => formatMicros(spentMicros) },
  { head: 'For', cell: ({ endpoint }) => endpoint ?? <span class="muted">nothing yet</span> },
  { head: 'Method', class: 'wide', cell: ({ via }) => via },
  { head: 'From', class: 'mono', title: ({ payer }) => payer, cell: ({ payer }) => shortHash(payer) },
  { head: 'Time, UTC', class: 'right', cell: ({ createdAtMs }) => formatTime(createdAtMs) },
]

function paymentLink({ txHash, id }: PaymentRow): Child {
  const name = txHash ?? id
  return <a href={`/admin/payments/${name}`}>{shortHash(name)}</a>
}
