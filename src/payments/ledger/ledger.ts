import type { Executable, Operation, Steps } from '../../store/operation.ts'
import type { NewTransfer, PaymentRow } from '../../store/payment-row.ts'
import { type PaymentRefusal, refuse } from '../payment-reasons.ts'
import { type Bookkeeping, createAuthorizationLedger, newRow } from './authorizations.ts'
import { type Claim, type ClaimDeps, createClaims, type SpendRequest, type StoredResponse } from './claims.ts'

export type TransferEntry = Omit<NewTransfer, Bookkeeping>

export type Ledger = ReturnType<typeof createLedger>

/** The rules of spending: which request a payment may buy. Every decision is one durable transaction. */
export function createLedger(deps: ClaimDeps) {
  const { store, clock } = deps
  const { payments, charges } = store
  const claims = createClaims(deps)
  const { adopt, reserve, abandon, freeNonce } = createAuthorizationLedger({ store, clock, claims })

  function durable<Parameters extends unknown[], Result>(
    work: (...parameters: Parameters) => Executable<Result>,
  ) {
    return (...parameters: Parameters) => store.transaction(() => work(...parameters), { durable: true })
  }

  /**
   * Records a transfer, once, however often it is offered. Refuses if one of its logs has paid for something else. Need
   * not be durable: it can be read from the chain again, and the claim that follows is.
   */
  async function record(
    transfer: TransferEntry,
    logIndexes: readonly number[],
  ): Promise<PaymentRow | PaymentRefusal> {
    const row = { ...transfer, ...newRow(clock) }
    const payment = await store.transaction(() => payments.insertTransfer(row, logIndexes))
    return payment ?? refuse('payment_already_used')
  }

  function* claimNew(paymentId: string, spend: SpendRequest): Steps<Claim> {
    const payment = yield* payments.byId(paymentId)
    return payment === undefined ? refuse('payment_not_found') : yield* claims.claimSettled(payment, spend)
  }
  const claimDurably = durable(claimNew)

  /** Reserves the price for one request, or returns what the payment has bought already. */
  async function claim(paymentId: string, spend: SpendRequest): Promise<Claim> {
    return (await claims.recall(paymentId, spend)) ?? (await claimDurably(paymentId, spend))
  }

  /** Stores the response for the replay window. False if the charge was released meanwhile. */
  function complete(chargeId: string, { body, ...answer }: StoredResponse): Operation<boolean> {
    return charges.finish(chargeId, { head: JSON.stringify(answer), body }, clock.now())
  }

  /** Gives the price back to the payment, because the request failed. */
  function* release(chargeId: string): Steps<void> {
    const charge = yield* charges.byId(chargeId)
    if (charge !== undefined) yield* claims.release(charge)
  }

  return {
    record,
    claim,
    recall: claims.recall,
    adopt: durable(adopt),
    reserve: durable(reserve),
    abandon: durable(abandon),
    freeNonce: durable(freeNonce),
    release: durable(release),
    /** Steps of a transaction that does more. */
    steps: { complete, release },
  }
}
