import type { Log } from '../../lib/log.ts'
import { findUsed, type SettlementFinder } from '../chain/settlement-finder.ts'
import { OutcomeUnknown } from '../outcome-unknown.ts'
import { refuse } from '../payment-refusal.ts'
import type { PaymentSettings } from '../payment-settings.ts'
import { toMicros } from '../token-amount.ts'
import type { FacilitatorClient } from './facilitator-client.ts'
import { isUsedError, logNoVerdict, readFacilitatorError } from './facilitator-errors.ts'
import type { Settler } from './settler.ts'

interface Deps {
  readonly settings: PaymentSettings
  readonly log: Log
  readonly finder: SettlementFinder | undefined
}

const verifyTimeoutMs = 5_000

/** Asks the facilitator's /verify, which broadcasts nothing, so an unknown outcome costs nobody anything. */
export function createFacilitatorCheck(
  { settings, log, finder }: Deps,
  call: FacilitatorClient,
): Settler['check'] {
  return async (offered, offer) => {
    const { isAccepted, errorCode } = await call('verify', offered, offer, verifyTimeoutMs).catch((error) => {
      logNoVerdict(log, 'verify', error)
      throw new OutcomeUnknown('payments_unavailable', 'The facilitator cannot be asked.')
    })
    const checked = { kind: 'checked', balanceMicros: Number.POSITIVE_INFINITY } as const
    if (isAccepted) return checked
    const { from: payer, nonce, value } = offered.authorization
    const reference = { payer, nonce, amountMicros: toMicros(value, settings.asset) }
    const settled = await findUsed(finder, reference)
    if (settled !== undefined) return { ...checked, settled }
    // The facilitator may see a block that our RPC does not see yet.
    if (finder !== undefined && isUsedError(errorCode) && !(await finder.isUsed(reference))) {
      throw new OutcomeUnknown('settlement_pending', 'The facilitator says that it was settled already.', 5)
    }
    const reason = readFacilitatorError('verify', errorCode)
    if (reason !== undefined) return refuse(reason)
    logNoVerdict(log, 'verify', errorCode)
    throw new OutcomeUnknown('payments_unavailable', 'The facilitator does not say what is wrong.', 5)
  }
}
