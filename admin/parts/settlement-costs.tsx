/** @jsxImportSource #jsx */
import { isoDay, utcDay } from '../../src/lib/clock.ts'
import { formatCount } from '../../src/lib/human-format.ts'
import type { Markup } from '../../src/lib/jsx/markup.ts'
import type { SettlementCosts, SettlementDay } from '../../src/store/settlements.ts'
import type { AdminDeps } from '../deps.ts'
import { type Column, scrollTable, tableRow } from './table.tsx'

const daysShown = 30

type NamedCosts = SettlementCosts & { readonly name: string }

const columns: readonly Column<NamedCosts>[] = [
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
  const lines: readonly NamedCosts[] = [
    ...recent.map((costs) => ({ name: isoDay(costs.day), ...costs })),
    ...(recent.length > 1 ? [{ name: `Last ${daysShown} days`, ...sumOf(recent) }] : []),
    { name: 'Total', ...sumOf(all) },
  ]
  const rows = lines.map((line) => tableRow(columns, line))
  return (
    <section class="card panel" aria-labelledby="gas">
      <header>
        <h2 id="gas">What settlements cost</h2>
      </header>
      {scrollTable({ label: 'What settlements cost, wide table', class: 'log', columns, rows })}
    </section>
  )
}

/** The gas costs of one payment, in a line. */
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
  function sum(read: (day: SettlementDay) => number) {
    return days.reduce((total, day) => total + read(day), 0)
  }
  return {
    count: sum(({ count }) => count),
    failed: sum(({ failed }) => failed),
    gasUsed: sum(({ gasUsed }) => gasUsed),
    feeGwei: sum(({ feeGwei }) => feeGwei),
  }
}
