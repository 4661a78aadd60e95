/** @jsxImportSource #jsx */
import { isoDay, utcDay } from '../../src/lib/clock.ts'
import { formatCount, formatMicros, formatTime } from '../../src/lib/human-format.ts'
import type { Markup } from '../../src/lib/jsx/markup.ts'
import { type PaymentsReport, settlerGasWeiMin } from '../../src/operator/concerns.ts'
import type { DescriptionRow } from '../../src/site/parts/elements.tsx'
import { icon } from '../../src/site/parts/icons.tsx'
import type { SettlementCosts, SettlementDay } from '../../src/store/charges.ts'
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
  type Tone,
} from '../parts/elements.tsx'
import { adminPage, notFound } from '../parts/layout.tsx'
import type { AdminRequest } from '../session/guard.ts'
import explorersByChain from './explorers.json' with { type: 'json' }

const paymentsMax = 25
const chargesMax = 100

/** `/admin/payments/:id`: the payments of a transaction, by its hash or the id of one, with their charges; or why it is none. */
export async function paymentPage(deps: AdminDeps, { params }: AdminRequest): Promise<Markup> {
  const { store } = deps
  const id = params['id'] ?? ''
  const ofId = await store.payments.byId(id)
  const hash = /^0x[0-9a-f]{64}$/i.test(id) ? id.toLowerCase() : ofId?.txHash
  const ofHash = hash ? await store.paymentList.byHash(hash, paymentsMax) : []
  // The payment that was asked for comes first: a transaction may have more than are shown.
  const payments = ofId ? [ofId, ...ofHash.filter((payment) => payment.id !== ofId.id)] : ofHash
  if (payments.length === 0 && !hash) throw notFound('payments', 'There is no such payment.')
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

async function explanation({ payments, config }: AdminDeps, hash: string | undefined | null) {
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
  { head: 'For', class: 'main', title: ({ id }) => shortHash(id), cell: ({ endpoint }) => endpoint },
  { head: 'Amount', class: 'right num', cell: ({ amountMicros }) => formatMicros(amountMicros) },
  { head: 'State', cell: ({ state }) => state },
]

export const paymentStates: Readonly<Record<PaymentRow['state'], readonly [label: string, tone: Tone]>> = {
  settled: ['Settled', 'ok'],
  submitted: ['Pending', 'warn'],
  reserved: ['Authorized', 'warn'],
  failed: ['Failed', 'bad'],
  released: ['Released', 'plain'],
  reorged: ['Reorged', 'bad'],
}

export function statePill({ state }: Pick<PaymentRow, 'state'>): Markup {
  return pill(...paymentStates[state])
}

export function shortHash(hash: string): string {
  return hash.length > 14 ? `${hash.slice(0, 6)}…${hash.slice(-4)}` : hash
}

const settleText: Readonly<Record<PaymentsReport['settle'], string>> = {
  self: 'On; signed payments are settled by this service',
  facilitator: 'On; signed payments are settled by the facilitator',
  off: 'On, for transfers only',
}

export async function paymentsHealth(deps: AdminDeps): Promise<readonly DescriptionRow[]> {
  const report = await deps.paymentsMonitor.latest()
  if (report === undefined) return [['Payments', pill('Off: no wallet is configured', 'plain')]]
  if (report === 'pending') return [['Payments', pill('On; the chain has not answered yet', 'warn')]]
  const { problems, settle } = report
  const { X402_RPC_URLS: urls, X402_NETWORK: network } = deps.config
  const endpoints = `${network}, ${urls.length} endpoint${urls.length === 1 ? '' : 's'}`
  return [
    ['Payments', problems.length === 0 ? pill(settleText[settle], 'ok') : pill(problems.join(' '), 'bad')],
    ['Chain', urls.length === 0 ? pill('No endpoint is set', 'warn') : pill(endpoints, 'ok')],
    ['Settler', settlerPill(report)],
  ]
}

function settlerPill({ settlerAddress, settlerGasWei, settle }: PaymentsReport): Markup {
  if (settlerAddress === undefined)
    return pill(settle === 'facilitator' ? 'The facilitator pays gas' : 'None', 'plain')
  if (settlerGasWei === undefined) return pill('Its balance cannot be read', 'bad')
  const ether = `${(Number(settlerGasWei) / 1e18).toFixed(6)} ETH for gas`
  return settlerGasWei < settlerGasWeiMin
    ? pill(`${ether}: fill up ${settlerAddress}`, 'bad')
    : pill(ether, 'ok')
}

const daysShown = 30

type NamedCosts = SettlementCosts & { readonly name: string }

const costColumns: readonly Column<NamedCosts>[] = [
  { head: 'Day, UTC', cell: ({ name }) => name },
  { head: 'Settlements', class: 'right num', cell: ({ count }) => formatCount(count) },
  { head: 'Failed', class: 'right num', cell: ({ failed }) => formatCount(failed) },
  { head: 'Gas', class: 'right num', cell: ({ gasUsed }) => formatCount(gasUsed) },
  { head: 'Fees', class: 'right num', cell: ({ feeGwei }) => formatGas(feeGwei) },
]

export async function settlementCostsCard({ store, clock }: AdminDeps): Promise<Markup | undefined> {
  const today = utcDay(clock.now())
  const all = await store.settlements.days(0, today)
  if (all.length === 0) return undefined
  const recent = all.filter(({ day }) => day > today - daysShown).toReversed()
  const rows: readonly NamedCosts[] = [
    ...recent.map((costs) => ({ name: isoDay(costs.day), ...costs })),
    ...(recent.length > 1 ? [{ name: `Last ${daysShown} days`, ...sumOf(recent) }] : []),
    { name: 'Total', ...sumOf(all) },
  ]
  const label = 'What settlements cost, wide table'
  return panel('What settlements cost', dataTable({ label, isStacked: false, columns: costColumns, rows }))
}

function settlementText({ count, failed, gasUsed, feeGwei }: SettlementCosts): string {
  if (count === 0) return 'none by us'
  const sent = count === 1 ? '' : `${count} transactions, `
  const lost = failed === 0 ? '' : `${failed === count ? 'failed' : `${failed} failed`}, `
  return `${sent}${lost}${formatCount(gasUsed)} gas, ${formatGas(feeGwei)}`
}

function formatGas(gwei: number): string {
  return `${new Intl.NumberFormat('en', { maximumFractionDigits: 9 }).format(gwei / 1e9)} ETH`
}

function sumOf(days: readonly SettlementDay[]): SettlementCosts {
  const sum = { count: 0, failed: 0, gasUsed: 0, feeGwei: 0 }
  for (const day of days) for (const name of Object.keys(sum) as (keyof typeof sum)[]) sum[name] += day[name]
  return sum
}
