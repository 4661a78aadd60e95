import { randomBytes } from 'node:crypto'
import { type Clock, isStillAhead } from '../../lib/clock.ts'
import type { ChargeRow } from '../../store/charges.ts'
import type { Store } from '../../store/open.ts'
import type { NewAuthorization, NewTransfer, PaymentRow } from '../../store/payments.ts'
import type { SettledTransfer } from '../chain/settlement-finder.ts'
import { OutcomeUnknown } from '../outcome-unknown.ts'
import { type PaymentRefusal, refuse } from '../payment-refusal.ts'

/** The rules of spending: which call a payment may buy. Every decision is one durable transaction. */
export interface Ledger {
  /** Records a transfer that arrived, once, however often it is shown. Refuses when its logs have paid for something else. */
  record(transfer: TransferEntry, logIndexes: readonly number[]): PaymentRow | PaymentRefusal
  /** Records an authorization that somebody else carried to the chain, with the transfer that was its own. */
  adopt(promise: AuthorizationEntry, carried: SettledTransfer): PaymentRow | PaymentRefusal
  /** What a slot has bought already; undefined where it is unused or in use. Takes no lock. */
  recall(paymentId: string, spend: SpendRequest): Claim | undefined
  /** Holds the price for one call, or says what the payment has bought already. */
  claim(paymentId: string, spend: SpendRequest): Claim
  /**
   * Records a promise of money and holds it for one call. Refuses when all that the payer has promised and not
   * paid yet is more than `balanceMicros`.
   */
  reserve(payment: AuthorizationEntry, spend: SpendRequest, balanceMicros: number): Claim
  /** Gives up a promise that no call holds any more, if it still is where the caller saw it. */
  abandon(paymentId: string, from: 'reserved' | 'submitted'): void
  /** Gives back the settler's nonce of a transaction that never reached the network, if no call holds the payment. */
  freeNonce(payment: PaymentRow): void
  /** Keeps the answer for the replay window. False when the hold was lost. */
  complete(chargeId: string, answer: StoredResponse): boolean
  /** Gives the price back: the call was not answered. */
  release(chargeId: string): void
}

/** What a call wants to spend on. */
export interface SpendRequest {
  /** What may be used only once: the payment's one call, or one proof. */
  readonly slot: string
  /** Whether this is the call that money buys without any further proof. */
  readonly isWithoutProof: boolean
  readonly request: string
  readonly endpoint: string
  readonly amountMicros: number
}

export type Claim =
  | { readonly kind: 'claimed'; readonly chargeId: string; readonly payment: PaymentRow }
  | { readonly kind: 'replay'; readonly answer: StoredResponse; readonly payment: PaymentRow }
  /** The same request is being answered at this moment. */
  | { readonly kind: 'busy' }
  | PaymentRefusal

export interface StoredResponse {
  readonly status: number
  readonly headers: readonly (readonly [string, string])[]
  readonly body: Uint8Array
}

type Bookkeeping = 'id' | 'createdAtMs' | 'updatedAtMs' | 'spentMicros'
export type TransferEntry = Omit<NewTransfer, Bookkeeping>
export type AuthorizationEntry = Omit<NewAuthorization, Bookkeeping>

interface Deps {
  readonly store: Pick<Store, 'transaction' | 'payments' | 'charges'>
  readonly clock: Clock
  /** Names this process, so that its reservations can be told from those of the dead. */
  readonly holder: string
  readonly replayWindowMs: number
}

/** Longer than any call may take. */
export const leaseMs = 90_000

/** Whether the call that holds a charge may still be under way. The slack is for clocks that are set back a little. */
export function isLeased({ leaseUntilMs }: Pick<ChargeRow, 'leaseUntilMs'>, nowMs: number): boolean {
  return isStillAhead(leaseUntilMs, nowMs, 2 * leaseMs)
}

/** The slot of the one call that a payment buys without further proof. */
export function paymentSlot(paymentId: string): string {
  return `call:${paymentId}`
}

export function createLedger({ store, clock, holder, replayWindowMs }: Deps): Ledger {
  const { payments, charges } = store
  function durably<T>(work: () => T) {
    return store.transaction(work, { durable: true })
  }

  function newRow() {
    const now = clock.now()
    return { id: newId('pay'), createdAtMs: now, updatedAtMs: now }
  }

  function record(transfer: TransferEntry, logIndexes: readonly number[]): PaymentRow | PaymentRefusal {
    return payments.insertTransfer({ ...transfer, ...newRow() }, logIndexes) ?? refuse('payment_already_used')
  }

  function adopt(promise: AuthorizationEntry, carried: SettledTransfer): PaymentRow | PaymentRefusal {
    const payment = payments.insertAuthorization({ ...promise, ...newRow() })
    // A nonce is good for one signature: another amount under it would be credit that never arrives.
    if (payment.amountMicros !== promise.amountMicros)
      return refuse('invalid_exact_evm_payload_authorization_used')
    const nowMs = clock.now()
    if (payments.settle(payment.id, { ...carried, nowMs })) return payments.byId(payment.id) ?? payment
    const reason = 'payment_already_used'
    payments.transition(payment.id, {
      from: ['reserved', 'submitted', 'released'],
      to: 'failed',
      changes: { reason },
      nowMs,
    })
    return refuse(reason)
  }

  /** What was answered stays answered: to tell that needs no lock. */
  function recall(paymentId: string, spend: SpendRequest): Claim | undefined {
    const current = charges.bySlot(spend.slot)
    const payment = current?.state === 'done' ? payments.byId(paymentId) : undefined
    return current && payment && lookBack(current, payment, spend)
  }

  /** Money that has not moved yet buys nothing but the call that it is reserved for. */
  function claimSettled(payment: PaymentRow, spend: SpendRequest): Claim {
    const current = charges.bySlot(spend.slot)
    const earlier = current === undefined ? undefined : lookBack(current, payment, spend)
    if (earlier !== undefined) return earlier
    if (payment.state === 'settled') return claim(payment, spend)
    throw new OutcomeUnknown('settlement_pending', 'This payment is not settled yet.', 1)
  }

  function claim(payment: PaymentRow, spend: SpendRequest): Claim {
    releaseStale(payment.id)
    if (spend.isWithoutProof && charges.hasAny(payment.id)) return refuse('payment_already_used')
    if (!payments.spend(payment.id, spend.amountMicros)) {
      const left = payment.amountMicros - payment.spentMicros
      return refuse(left > 0 ? 'payment_insufficient' : 'payment_already_used')
    }
    const { slot, request, endpoint, amountMicros } = spend
    const now = clock.now()
    const chargeId = newId('chg')
    const hold = {
      state: 'reserved',
      leaseOwner: holder,
      leaseUntilMs: now + leaseMs,
      createdAtMs: now,
    } as const
    charges.insert({ id: chargeId, paymentId: payment.id, slot, request, endpoint, amountMicros, ...hold })
    return { kind: 'claimed', chargeId, payment }
  }

  /** What an earlier use of the slot means for this one; undefined when it was given up. */
  function lookBack(current: ChargeRow, payment: PaymentRow, spend: SpendRequest): Claim | undefined {
    const isSame = current.request === spend.request
    if (current.state === 'reserved') {
      if (!isLeased(current, clock.now())) return undefined
      return isSame ? { kind: 'busy' } : refuse('payment_already_used')
    }
    const isRecent = (current.doneAtMs ?? 0) + replayWindowMs >= clock.now()
    const answer = isSame && isRecent ? readAnswer(current) : undefined
    return answer === undefined ? refuse('payment_already_used') : { kind: 'replay', answer, payment }
  }

  /** Calls that never came to an end, because their process died or hung. */
  function releaseStale(paymentId: string): void {
    const now = clock.now()
    for (const charge of charges.reserved()) {
      if (charge.paymentId === paymentId && !isLeased(charge, now)) giveBack(charge)
    }
  }

  function giveBack(charge: ChargeRow): void {
    if (!charges.release(charge.id)) return
    payments.unspend(charge.paymentId, charge.amountMicros)
    payments.transition(charge.paymentId, { from: ['reserved'], to: 'released', nowMs: clock.now() })
  }

  function reserve(entry: AuthorizationEntry, spend: SpendRequest, balanceMicros: number): Claim {
    const payment = payments.insertAuthorization({ ...entry, ...newRow() })
    // A nonce is good for one signature: another amount under it would be credit that never arrives.
    if (payment.amountMicros !== entry.amountMicros)
      return refuse('invalid_exact_evm_payload_authorization_used')
    const plain = { ...spend, slot: paymentSlot(payment.id) }
    if (payment.state === 'settled') return claimSettled(payment, plain)
    if (payment.state === 'submitted') return { kind: 'busy' }
    const current = charges.bySlot(plain.slot)
    const earlier = current === undefined ? undefined : lookBack(current, payment, plain)
    if (earlier !== undefined) return earlier
    if (payment.state === 'reorged') return refuse('payment_reorged')
    releaseStale(payment.id)
    const nowMs = clock.now()
    const reference = payments.outstandingMicros(entry, payment.id)
    if (reference + payment.amountMicros > balanceMicros) {
      payments.transition(payment.id, { from: ['reserved'], to: 'released', nowMs })
      return refuse('insufficient_funds')
    }
    const changes = { reason: null }
    payments.transition(payment.id, { from: ['released', 'failed'], to: 'reserved', changes, nowMs })
    return claim({ ...payment, state: 'reserved' }, plain)
  }

  function abandon(paymentId: string, from: 'reserved' | 'submitted'): void {
    if (charges.bySlot(paymentSlot(paymentId)) !== undefined) return
    payments.transition(paymentId, { from: [from], to: 'released', nowMs: clock.now() })
  }

  function freeNonce({ id, txHash }: PaymentRow): void {
    if (charges.bySlot(paymentSlot(id)) !== undefined) return
    const changes = { settlerNonce: null, rawTransaction: null }
    const nowMs = clock.now()
    payments.transition(id, { from: ['submitted'], to: 'submitted', ifTxHash: txHash, changes, nowMs })
  }

  return {
    // What arrived can be read from the chain again; what it buys is durable, and carries this along.
    record: (transfer, logIndexes) => store.transaction(() => record(transfer, logIndexes)),
    adopt: (promise, carried) => durably(() => adopt(promise, carried)),
    recall,
    claim: (paymentId, spend) =>
      recall(paymentId, spend) ??
      durably(() => {
        const payment = payments.byId(paymentId)
        return payment === undefined ? refuse('payment_not_found') : claimSettled(payment, spend)
      }),
    reserve: (entry, spend, balanceMicros) => durably(() => reserve(entry, spend, balanceMicros)),
    abandon: (paymentId, from) => durably(() => abandon(paymentId, from)),
    freeNonce: (payment) => durably(() => freeNonce(payment)),
    complete: (chargeId, answer) =>
      durably(() => {
        const head = JSON.stringify({ status: answer.status, headers: answer.headers })
        return charges.finish(chargeId, { head, body: answer.body }, clock.now())
      }),
    release: (chargeId) =>
      durably(() => {
        const charge = charges.byId(chargeId)
        if (charge !== undefined) giveBack(charge)
      }),
  }
}

function readAnswer({ responseHead, responseBody }: ChargeRow): StoredResponse | undefined {
  if (responseHead === null) return undefined
  const { status, headers } = JSON.parse(responseHead) as Omit<StoredResponse, 'body'>
  return { status, headers, body: responseBody ?? new Uint8Array() }
}

function newId(prefix: string): string {
  return `${prefix}_${randomBytes(12).toString('base64url')}`
}
