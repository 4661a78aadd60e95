/** @jsxImportSource #jsx */
import { isoDay, utcDay } from '../../src/lib/clock.ts'
import { formatCount } from '../../src/lib/human-format.ts'
import type { Markup } from '../../src/lib/jsx/markup.ts'
import { type PaymentsReport, settlerGasWeiMin } from '../../src/operator/concern.ts'
import type { SettlementCosts, SettlementDay } from '../../src/store/charges.ts'
import type { PaymentRow } from '../../src/store/payment-states.ts'
import type { AdminDeps } from '../deps.ts'
import { type Column, type DescriptionRow, dataTable, panel, pill, type Tone } from '../parts/elements.tsx'

/** Labels and tones of the states, in the order of the list's filter. */
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

/** `0x8f3c…a91e`. */
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

/** The settler's gas costs by day and in total; undefined if it has settled nothing yet. */
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

export function settlementText({ count, failed, gasUsed, feeGwei }: SettlementCosts): string {
  if (count === 0) return 'none by us'
  const sent = count === 1 ? '' : `${count} transactions, `
  const lost = failed === 0 ? '' : `${failed === count ? 'failed' : `${failed} failed`}, `
  return `${sent}${lost}${formatCount(gasUsed)} gas, ${formatGas(feeGwei)}`
}

/** Gwei as the coin that pays for gas: `0.000012 ETH`. */
function formatGas(gwei: number): string {
  return `${new Intl.NumberFormat('en', { maximumFractionDigits: 9 }).format(gwei / 1e9)} ETH`
}

function sumOf(days: readonly SettlementDay[]): SettlementCosts {
  const sum = { count: 0, failed: 0, gasUsed: 0, feeGwei: 0 }
  for (const day of days) for (const name of Object.keys(sum) as (keyof typeof sum)[]) sum[name] += day[name]
  return sum
}
