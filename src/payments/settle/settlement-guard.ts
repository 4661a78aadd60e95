import type { Clock } from '../../lib/clock.ts'
import type { Store } from '../../store/open.ts'
import { OutcomeUnknown } from '../outcome-unknown.ts'
import { type PaymentRefusal, refuse } from '../payment-refusal.ts'
import type { PaymentSettings } from '../payment-settings.ts'

/** Limits the gas that one payer can waste. It counts in the store, which processes and restarts share. */
export interface SettlementGuard {
  /**
   * Refuses a payer whose settlements keep failing. Throws `OutcomeUnknown` if too many settlements of the payer are
   * under way.
   */
  admit(payer: string, hasCode: boolean): PaymentRefusal | undefined
}

interface Deps {
  readonly store: Pick<Store, 'settlements'>
  readonly clock: Clock
  readonly settings: PaymentSettings
}

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

export function createSettlementGuard({ store, clock, settings }: Deps): SettlementGuard {
  const { settlements } = store
  const { chainId } = settings

  return {
    admit(payer, hasCode) {
      const now = clock.now()
      const failures = settlements.failuresOf(payer, now - failuresForMs, failuresMax)
      const oldest = failures.at(-1)
      if (oldest !== undefined && failures.length >= failuresMax) {
        const waitMs = oldest + failuresForMs - now
        return refuse('payer_settlements_failed', Math.max(1, Math.ceil(waitMs / 1000)))
      }
      const settled = settlements.settledOf(payer, now - settledForMs, settledMax)
      if (
        hasCode &&
        settled === 0 &&
        settlements.failures(now - alarmForMs, alarmFailures) >= alarmFailures
      ) {
        const words = 'Many settlements fail at this moment: smart wallets that never paid here have to wait.'
        throw new OutcomeUnknown('busy', words, 60)
      }
      const allowed = (hasCode ? openMax.contract : openMax.key) - failures.length + settled
      if (settlements.openOf(chainId, payer, allowed) < allowed) return undefined
      throw new OutcomeUnknown('busy', 'Too many settlements of this payer are under way.', 2)
    },
  }
}
