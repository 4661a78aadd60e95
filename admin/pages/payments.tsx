/** @jsxImportSource #jsx */
import { type Static, Type } from '@sinclair/typebox'
import { utcDay } from '../../src/lib/clock.ts'
import { choice, text } from '../../src/lib/fields.ts'
import { formatCount } from '../../src/lib/human-format.ts'
import type { Child, Markup } from '../../src/lib/jsx/markup.ts'
import { formatMicros } from '../../src/lib/money.ts'
import type { PaymentFilter } from '../../src/store/payment-list.ts'
import { redirect } from '../admin-response.ts'
import type { AdminDeps } from '../deps.ts'
import { iconButton } from '../parts/buttons.tsx'
import { statRow } from '../parts/cards.tsx'
import { shortHash } from '../parts/hash.tsx'
import { adminPage } from '../parts/layout.tsx'
import { emptyList, filter, listCard, listToolbar, pager } from '../parts/list.tsx'
import { paymentTable, stateLabels } from '../parts/payment-table.tsx'
import { settlementCostsCard } from '../parts/settlement-costs.tsx'
import type { AdminRequest } from '../session/admin-request.ts'

const rowsPerPage = 25
const countedMax = 100

const filters: readonly (readonly [PaymentFilter, string])[] = [
  ['any', 'Any state'],
  ['unclaimed', 'Unclaimed'],
  ...(Object.entries(stateLabels) as [PaymentFilter, string][]),
]

export const paymentsQuery = Type.Object({
  q: Type.Optional(text(0, 200, { description: 'A hash, a wallet or an id' })),
  state: choice(
    filters.map(([name]) => name),
    { default: 'any', description: 'Only payments in this state' },
  ),
  after: Type.Optional(text(0, 200, { description: 'The id of the payment before the first of the page' })),
})

/** `/admin/payments`: the ledger. Searching for a hash or an id opens that payment. */
export async function paymentsPage(
  deps: AdminDeps,
  { query: { q = '', state, after } }: AdminRequest<Static<typeof paymentsQuery>>,
): Promise<Markup | Response> {
  const search = q.trim().toLowerCase()
  if (/^0x[0-9a-f]{64}$/.test(search) || (await deps.store.payments.byId(search)))
    return redirect(`/admin/payments/${search}`)
  const { paymentList } = deps.store
  const rows = search
    ? await paymentList.ofPayer(search, rowsPerPage, after)
    : await paymentList.newest(state, rowsPerPage, after)
  const last = rows.length === rowsPerPage ? rows.at(-1) : undefined
  const listed = new URLSearchParams(search ? { q: search } : { state })
  return adminPage(
    deps,
    {
      title: 'Payments',
      section: 'payments',
      lead: lead(deps),
      actions: iconButton('download', '/admin/payments.csv', 'Export CSV'),
    },
    [
      await moneyStats(deps),
      listCard('List of payments', [
        toolbar(search, state),
        rows.length === 0 ? emptyState(search, state, deps) : paymentTable(rows),
        pager({
          'First page': after === undefined ? undefined : `/admin/payments?${listed}`,
          Next: last && `/admin/payments?${new URLSearchParams([...listed, ['after', last.id]])}`,
        }),
      ]),
      await settlementCostsCard(deps),
    ],
  )
}

function toolbar(search: string, state: PaymentFilter): Markup {
  const field = {
    value: search,
    placeholder: 'Transaction hash or wallet',
    label: 'Search payments, or explain any transaction',
  }
  const states = filter({ name: 'state', label: 'State', current: state, class: 'wide' }, filters)
  return listToolbar('/admin/payments', field, states)
}

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

function emptyState(search: string, state: PaymentFilter, { config }: AdminDeps): Markup {
  const [title, text] = search
    ? ['No payment matches', 'A full transaction hash is explained even if it is not in the ledger.']
    : state !== 'any'
      ? ['No payment is in this state', 'Choose another state to see the others.']
      : config.X402_PAY_TO === undefined
        ? ['Payments are off', 'Set X402_PAY_TO and X402_RPC_URLS and restart to be paid per call.']
        : ['No payments yet', 'The first one shows here as soon as it is verified.']
  return emptyList(title, <p>{text}</p>)
}
