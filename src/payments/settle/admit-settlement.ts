import { secondsUntil } from '../../lib/clock.ts'
import { OutcomeUnknown } from '../outcome-unknown.ts'
import type { PaymentContext } from '../payment-context.ts'
import { type PaymentRefusal, refuse } from '../payment-reasons.ts'

const failuresMax = 3
const failuresForMs = 3_600_000
/**
 * Settlements under way of a payer that has none settled. A contract can burn all the gas that it gets, a key only
 * what a revert costs. Each one that was settled allows one more: it has paid for it.
 */
const openMax = { contract: 3, key: 20 }
const settledForMs = 86_400_000
const settledMax = 100
/** After so many failures of all payers, contracts that never paid must wait: new ones are cheap to deploy. */
const alarmFailures = 20
const alarmForMs = 600_000

/**
 * Limits the gas that one payer can waste, by counts in the store, which processes and restarts share. Refuses a payer
 * whose settlements keep failing. Throws `OutcomeUnknown` if too many settlements of the payer are under way.
 */
export async function admitSettlement(
  { store: { settlements }, clock, settings }: PaymentContext,
  payer: string,
  hasCode: boolean,
): Promise<PaymentRefusal | undefined> {
  const now = clock.now()
  const base = hasCode ? openMax.contract : openMax.key
  // Read before the failures: one that fails meanwhile is then counted twice instead of not at all.
  const open = await settlements.openOf(settings.chainId, payer, base + settledMax)
  const failures = await settlements.failuresOf(payer, now - failuresForMs, failuresMax)
  const oldest = failures.at(-1)
  if (oldest !== undefined && failures.length >= failuresMax) {
    return refuse('payer_settlements_failed', secondsUntil(oldest + failuresForMs, now, failuresForMs))
  }
  const settled = await settlements.settledOf(payer, now - settledForMs, settledMax)
  const isUnproven = hasCode && settled === 0
  if (isUnproven && (await settlements.failures(now - alarmForMs, alarmFailures)) >= alarmFailures) {
    const words = 'Many settlements fail at this moment: smart wallets that never paid here have to wait.'
    throw new OutcomeUnknown('busy', words, 60)
  }
  if (open < base - failures.length + settled) return undefined
  throw new OutcomeUnknown('busy', 'Too many settlements of this payer are under way.', 2)
}
