import type { Clock } from '../../lib/clock.ts'
import type { Log } from '../../lib/log.ts'
import type { Store } from '../../store/open.ts'
import type { PaymentRow } from '../../store/payment-row.ts'
import { type AuthorizationReference, findUsed, type SettlementFinder } from '../chain/settlement-finder.ts'
import { OutcomeUnknown } from '../outcome-unknown.ts'
import { type PaymentRefusal, refuse } from '../payment-refusal.ts'
import type { PaymentSettings } from '../payment-settings.ts'
import type { OfferedAuthorization } from '../wire/parse-payment.ts'
import type { Offer } from '../wire/payment-terms.ts'
import { authorizationReferenceOf } from './authorization-reference.ts'
import { createFacilitatorCheck } from './facilitator-check.ts'
import { createFacilitatorClient } from './facilitator-client.ts'
import { logNoVerdict, readFacilitatorError } from './facilitator-errors.ts'
import type { Settlement, Settler } from './settler.ts'

interface Deps {
  readonly facilitator: NonNullable<PaymentSettings['facilitator']>
  readonly settings: PaymentSettings
  readonly store: Pick<Store, 'transaction' | 'payments'>
  readonly clock: Clock
  readonly log: Log
  /** Confirms on chain what the facilitator says; undefined without an RPC. */
  readonly finder: SettlementFinder | undefined
}

/** Stands in a payment's row for good once a facilitator was asked to settle it. */
const facilitatorName = 'facilitator'

/** Settles through a facilitator. */
export function createFacilitatorSettler(deps: Deps): Settler {
  const { facilitator, settings, store, clock, log, finder } = deps
  const call = createFacilitatorClient(facilitator, settings)
  const check = createFacilitatorCheck(deps, call)

  async function settle(
    payment: PaymentRow,
    offered: OfferedAuthorization,
    offer: Offer,
  ): Promise<Settlement | PaymentRefusal> {
    const timeoutMs = settings.settleTimeoutMs
    const deadlineMs = performance.now() + timeoutMs
    const isOurs = store.transaction(() => markSettler(payment, facilitatorName), { durable: true })
    if (!isOurs) throw new OutcomeUnknown('settlement_pending', 'Another call has taken this payment over.')
    const { isAccepted, errorCode, txHash } = await call('settle', offered, offer, timeoutMs).catch(
      (error: unknown) => ({ isAccepted: undefined, errorCode: error, txHash: undefined }),
    )
    const reference = authorizationReferenceOf(payment)
    if (isAccepted === true) {
      if (finder !== undefined && settings.verifyFacilitator)
        return await confirm(finder, reference, deadlineMs)
      if (txHash !== undefined)
        return { kind: 'settled', txHash, blockNumber: 0, blockHash: '0x', logIndexes: [] }
      throw new OutcomeUnknown('settlement_pending', 'The facilitator names no transaction.')
    }
    const found = await findUsed(finder, reference)
    if (found !== undefined) return { kind: 'settled', ...found }
    // Without an RPC nobody can see whether an earlier attempt has settled.
    const isFirstAttempt = finder !== undefined || payment.settler === null
    const isRefused = isAccepted === false && txHash === undefined && isFirstAttempt
    const reason = isRefused ? readFacilitatorError('settle', errorCode) : undefined
    if (reason !== undefined) {
      markSettler(payment, null)
      return refuse(reason)
    }
    logNoVerdict(log, 'settle', errorCode)
    throw new OutcomeUnknown('settlement_pending', 'The facilitator does not say whether it settled.', 5)
  }

  function markSettler({ id }: PaymentRow, settler: string | null): boolean {
    const from = settler === null ? (['submitted'] as const) : (['reserved', 'submitted'] as const)
    return store.payments.transition(id, { from, to: 'submitted', changes: { settler }, nowMs: clock.now() })
  }

  return { check, settle }
}

const pollMs = 250

/** Waits until the chain shows the settlement that the facilitator claims. */
async function confirm(
  finder: SettlementFinder,
  reference: AuthorizationReference,
  deadlineMs: number,
): Promise<Settlement> {
  for (;;) {
    const found = await findUsed(finder, reference).catch(ignoreUnknown)
    if (found !== undefined) return { kind: 'settled', ...found }
    if (performance.now() + pollMs > deadlineMs) {
      const words = 'The facilitator says that it settled, and the chain knows nothing of it yet.'
      throw new OutcomeUnknown('settlement_pending', words, 5)
    }
    await new Promise((resolve) => setTimeout(resolve, pollMs))
  }
}

/** A settlement that needs more confirmations is waited for. */
function ignoreUnknown(error: unknown): undefined {
  if (!(error instanceof OutcomeUnknown)) throw error
}
