import { randomBytes } from 'node:crypto'
import { type Clock, isStillAhead } from '../../lib/clock.ts'
import type { ChargeRow } from '../../store/charges.ts'
import type { Steps } from '../../store/database.ts'
import type { Store } from '../../store/open.ts'
import type { NewAuthorization, PaymentRow, PaymentTransition } from '../../store/payment-states.ts'
import { OutcomeUnknown, type PaymentRefusal, refuse } from '../payment-reasons.ts'
import type { RecordContext } from '../payment-settings.ts'

export interface SpendRequest {
  /** Idempotency slot, which one charge may use: that of the payment itself, or of one proof. */
  readonly slot: string
  /** This is the one request that a payment buys without any further proof. */
  readonly isWithoutProof: boolean
  readonly request: string
  readonly endpoint: string
  readonly amountMicros: number
}

export interface NumberedRequest extends SpendRequest {
  readonly chargeId: string
}

export type Claim =
  | { readonly kind: 'claimed'; readonly chargeId: string; readonly payment: PaymentRow }
  | {
      readonly kind: 'replay'
      readonly answer: StoredResponse
      readonly payment: PaymentRow
      /** The charge of an answer that nobody has heard. */
      readonly unheardChargeId?: string
    }
  | BusyClaim
  | PaymentRefusal

export interface BusyClaim {
  readonly kind: 'busy'
  readonly slot: string
}

export interface StoredResponse {
  readonly status: number
  readonly headers: readonly (readonly [string, string])[]
  readonly body: Uint8Array
}

export interface ClaimDeps {
  readonly store: Pick<Store, 'transaction' | 'payments' | 'charges' | 'deferred'>
  readonly clock: Clock
  /** Names this process, so that others can tell its leases from those of dead processes. */
  readonly leaseOwner: string
  readonly replayWindowMs: number
  /** An answer that nobody has heard is kept so long. */
  readonly unheardMs: number
}

/** Longer than any request may take. */
export const leaseMs = 90_000

/** The slack is for clocks that are set back a little. */
export function isLeased({ leaseUntilMs }: Pick<ChargeRow, 'leaseUntilMs'>, nowMs: number): boolean {
  return isStillAhead(leaseUntilMs, nowMs, 2 * leaseMs)
}

export function isActive(charge: Pick<ChargeRow, 'state' | 'leaseUntilMs'>, nowMs: number): boolean {
  return charge.state === 'done' || (charge.state === 'reserved' && isLeased(charge, nowMs))
}

export function paymentSlot(paymentId: string): string {
  return `call:${paymentId}`
}

export function newId(prefix: string): string {
  return `${prefix}_${randomBytes(12).toString('base64url')}`
}

export type Claims = ReturnType<typeof createClaims>

/** The caller runs each function in a transaction; only `recall` needs none. */
export function createClaims(deps: ClaimDeps) {
  const { store, clock, leaseOwner, replayWindowMs } = deps
  const { payments, charges } = store

  function* release({ id, paymentId, amountMicros }: ChargeRow): Steps<void> {
    if (!(yield* charges.release(id))) return
    yield* payments.unspend(paymentId, amountMicros)
    yield* payments.transition(paymentId, { from: ['reserved'], to: 'released', nowMs: clock.now() })
  }

  /** Takes back a charge that others released while this process was slow. False if its lease or its money is gone. */
  function* regain(id: string): Steps<boolean> {
    const charge = yield* charges.byId(id)
    if (charge?.state !== 'released' || !isLeased(charge, clock.now())) return false
    const { paymentId, slot, amountMicros } = charge
    if ((yield* charges.bySlot(slot)) !== undefined) return false
    if (slot === paymentSlot(paymentId) && (yield* charges.hasAny(paymentId))) return false
    return (yield* payments.spend(paymentId, amountMicros)) && (yield* charges.regain(id))
  }

  /** Releases the charges of requests that never ended, because their process died or hung. */
  function* releaseExpired(paymentId: string): Steps<void> {
    const nowMs = clock.now()
    for (const charge of yield* charges.reserved()) {
      if (charge.paymentId === paymentId && !isLeased(charge, nowMs)) yield* release(charge)
    }
  }

  /** A completed charge never changes, so this takes no lock. Undefined if the slot is unused or in use. */
  async function recall(paymentId: string, spend: SpendRequest): Promise<Claim | undefined> {
    const current = await charges.bySlot(spend.slot)
    const payment = current?.state === 'done' ? await payments.byId(paymentId) : undefined
    return current && payment && claimOf(current, payment, spend)
  }

  async function isHeld(slot: string): Promise<boolean> {
    const current = await charges.bySlot(slot)
    return current?.state === 'reserved' && isLeased(current, clock.now())
  }

  /** The claim that an earlier use of the slot decides; undefined if there is none or it was released. */
  function* earlierClaim(payment: PaymentRow, spend: SpendRequest): Steps<Claim | undefined> {
    const current = yield* charges.bySlot(spend.slot)
    return current && claimOf(current, payment, spend)
  }

  function claimOf(current: ChargeRow, payment: PaymentRow, spend: SpendRequest): Claim | undefined {
    const isSame = current.request === spend.request
    if (current.state === 'reserved') {
      if (!isLeased(current, clock.now())) return undefined
      return isSame ? { kind: 'busy', slot: current.slot } : refuse('payment_already_used')
    }
    const isRecent = (current.doneAtMs ?? 0) + replayWindowMs >= clock.now()
    const answer = isSame && isRecent ? readStoredResponse(current) : undefined
    if (answer === undefined) return refuse('payment_already_used')
    const isUnheard = (current.doneAtMs ?? 0) > clock.now()
    return { kind: 'replay', answer, payment, ...(isUnheard && { unheardChargeId: current.id }) }
  }

  /** An unsettled payment buys only the request that it is reserved for. */
  function* claimSettled(payment: PaymentRow, spend: NumberedRequest): Steps<Claim> {
    const earlier = yield* earlierClaim(payment, spend)
    if (earlier !== undefined) return earlier
    if (payment.state === 'settled') return yield* charge(payment, spend)
    throw new OutcomeUnknown('settlement_pending', 'This payment is not settled yet.', 1)
  }

  function* charge(payment: PaymentRow, request: NumberedRequest): Steps<Claim> {
    const { chargeId, isWithoutProof, ...spend } = request
    yield* releaseExpired(payment.id)
    if (isWithoutProof && (yield* charges.hasAny(payment.id))) return refuse('payment_already_used')
    if (!(yield* payments.spend(payment.id, spend.amountMicros))) {
      const left = payment.amountMicros - payment.spentMicros
      return refuse(left > 0 ? 'payment_insufficient' : 'payment_already_used')
    }
    const now = clock.now()
    const lease = { state: 'reserved', leaseOwner, leaseUntilMs: now + leaseMs } as const
    yield* charges.insert({ id: chargeId, paymentId: payment.id, ...spend, ...lease, createdAtMs: now })
    return { kind: 'claimed', chargeId, payment }
  }

  return { recall, isHeld, earlierClaim, claimSettled, charge, releaseExpired, release, regain }
}

function readStoredResponse({ responseHead, responseBody }: ChargeRow): StoredResponse | undefined {
  if (responseHead === null) return undefined
  const { status, headers } = JSON.parse(responseHead) as Omit<StoredResponse, 'body'>
  return { status, headers, body: responseBody ?? new Uint8Array() }
}

/** Held by whatever promises or spends money of a wallet. */
export function payerLock({ payer }: Pick<PaymentRow, 'payer'>): string {
  return `payer ${payer.toLowerCase()}`
}

/** Held by whatever makes transfer logs of a transaction on chain a payment's own. */
export function transferLock({ txHash }: { readonly txHash: string }): string {
  return `transfer ${txHash.toLowerCase()}`
}

/** Held by whatever takes the next nonce of the account that pays gas. */
export function settlerLock(chainId: number, address: string): string {
  return `settler ${chainId} ${address.toLowerCase()}`
}

/** Held by whatever changes until when a key has no quota. */
export function keyLock(keyId: string): string {
  return `key ${keyId}`
}

export type Bookkeeping = 'id' | 'createdAtMs' | 'updatedAtMs' | 'spentMicros'
export type AuthorizationEntry = Omit<NewAuthorization, Bookkeeping>

export function newRow(clock: Clock) {
  const nowMs = clock.now()
  return { id: newId('pay'), createdAtMs: nowMs, updatedAtMs: nowMs }
}

/** Durable. Returns false, and changes nothing, if the payment is no longer what the step was decided on. */
export function transition(
  { store, clock }: RecordContext,
  paymentId: string,
  step: Timeless<PaymentTransition>,
): Promise<boolean> {
  const dated = { ...step, nowMs: clock.now() }
  return store.transaction(() => store.payments.transition(paymentId, dated), { durable: true })
}

type Timeless<Step> = Step extends unknown ? Omit<Step, 'nowMs'> : never
