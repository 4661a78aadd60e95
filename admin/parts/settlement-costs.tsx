/** @jsxImportSource #jsx */
import { isoDay, utcDay } from '../../src/lib/clock.ts'
import { formatCount } from '../../src/lib/human-format.ts'
import type { Markup } from '../../src/lib/jsx/markup.ts'
import type { SettlementCosts, SettlementDay } from '../../src/store/settlements.ts'
import type { AdminDeps } from '../deps.ts'
import { formatGas } from './format.ts'
import { scrollTable } from './scroll-table.tsx'

const daysShown = 30

/** The settler's gas costs by day and in all; undefined if it has settled nothing yet. */
export function settlementCostsCard({ store, clock }: AdminDeps): Markup | undefined {
  const today = utcDay(clock.now())
  const all = store.settlements.days(0, today)
  if (all.length === 0) return undefined
  const recent = all.filter(({ day }) => day > today - daysShown).toReversed()
  return (
    <section class="card panel" aria-labelledby="gas">
      <header>
        <h2 id="gas">What settlements cost</h2>
      </header>
      {scrollTable({
        label: 'What settlements cost, wide table',
        class: 'log',
        columns: [
          'Day, UTC',
          { right: 'Settlements' },
          { right: 'Failed' },
          { right: 'Gas' },
          { right: 'Fees' },
        ],
        rows: [
          recent.map((costs) => costRow(isoDay(costs.day), costs)),
          recent.length > 1 && costRow(`Last ${daysShown} days`, sumOf(recent)),
          costRow('In all', sumOf(all)),
        ],
      })}
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

function costRow(name: string, { count, failed, gasUsed, feeGwei }: SettlementCosts): Markup {
  return (
    <tr>
      <td>{name}</td>
      <td class="right num">{formatCount(count)}</td>
      <td class="right num">{formatCount(failed)}</td>
      <td class="right num">{formatCount(gasUsed)}</td>
      <td class="right num">{formatGas(feeGwei)}</td>
    </tr>
  )
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
