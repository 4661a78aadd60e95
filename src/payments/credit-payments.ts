import type { PaymentRow } from '../store/payment-row.ts'
import type { SignatureChecker } from './chain/signature-checker.ts'
import type { PaymentContext } from './payment-context.ts'
import { type PaymentRefusal, refuse } from './payment-reasons.ts'
import type { Hex } from './payment-settings.ts'
import { type ClaimContext, claimInTurn, type Decision, type Purchase, spendRequestFor } from './purchase.ts'
import type { ReorgCheck } from './settle/reorg-check.ts'
import { answersChallenge, type SiwxLogin } from './wire/sign-in-with-x.ts'
import { type Proof, proofDigest } from './wire/transfer-proof.ts'

export interface CreditDeps extends PaymentContext, ClaimContext {
  readonly checkSignature: SignatureChecker
  /** Undefined without an RPC. */
  readonly checkReorg: ReorgCheck | undefined
}

/** Payments from what is left of an earlier one, by a proof or a login that its payer signed. */
export function createCreditPayments(deps: CreditDeps) {
  const { store, ledger, turns, settings, clock, checkSignature, checkReorg } = deps
  const { chainId, payTo } = settings

  /** Several payments may have been settled in one transaction: the proof is for the one whose payer signed it. */
  async function payWithAnyProof(
    payments: readonly PaymentRow[],
    txHash: Hex,
    proof: Proof,
    purchase: Purchase,
  ): Promise<Decision> {
    for (const payment of payments) {
      const decision = await payWithProof(payment, txHash, proof, purchase)
      if (decision.kind !== 'refused' || decision.reason !== 'invalid_proof') return decision
    }
    return refuse('invalid_proof')
  }

  async function payWithProof(
    payment: PaymentRow,
    txHash: Hex,
    { issuedSeconds, signature }: Proof,
    purchase: Purchase,
  ): Promise<Decision> {
    const digest = proofDigest({ txHash, chainId, payTo, request: purchase, issuedSeconds })
    const verdict = await checkSignature(payment.payer as Hex, digest, signature, purchase.clientAddress)
    if (verdict !== 'valid') return refuse('invalid_proof')
    if (payment.state !== 'settled' && payment.state !== 'reorged') return refuse('payment_unconfirmed', 2)
    return await draw(payment, `proof:${payment.id}:${issuedSeconds}:${purchase.key}`, purchase)
  }

  async function payByLogin(login: SiwxLogin, purchase: Purchase): Promise<Decision> {
    if (!answersChallenge(login, purchase, deps)) return refuse('invalid_proof')
    const { address, digest, signature } = login
    const verdict = await checkSignature(address, digest, signature, purchase.clientAddress)
    if (verdict !== 'valid') return refuse('invalid_proof')
    const slot = `login:${login.nonce}:${address}`
    const earlier = await store.charges.bySlot(slot)
    const payment =
      earlier === undefined
        ? await store.payments.withCredit(chainId, address, purchase.priceMicros)
        : await store.payments.byId(earlier.paymentId)
    return payment === undefined ? refuse('payment_required') : await draw(payment, slot, purchase)
  }

  async function draw(payment: PaymentRow, slot: string, purchase: Purchase): Promise<Decision> {
    const spend = spendRequestFor(purchase, slot)
    // A replay needs no request to the chain.
    const isReplay = (await ledger.recall(payment.id, spend)) !== undefined
    const refusal = isReplay ? undefined : await recheck(payment, purchase)
    return refusal ?? (await claimInTurn(turns, slot, purchase, () => ledger.claim(payment, spend)))
  }

  /** Checks for a reorganization where one is still possible. Returns why the payment cannot be spent now. */
  async function recheck(
    payment: PaymentRow,
    { priceMicros }: Purchase,
  ): Promise<PaymentRefusal | undefined> {
    if (!isReorgPossible(payment, clock.now())) return undefined
    if (checkReorg === undefined) return payment.state === 'reorged' ? refuse('payment_reorged') : undefined
    const presence = await checkReorg(payment, priceMicros)
    if (presence === 'final') return undefined
    return presence === 'reorged' ? refuse('payment_reorged') : refuse('payment_unconfirmed', 2)
  }

  return { payWithProof, payWithAnyProof, payByLogin, recheck }
}

/** A payment older than this is taken to be final. */
const finalAfterMs = 10 * 60_000

/** A recent payment may vanish with its block, and a vanished one may come back. */
export function isReorgPossible({ state, blockTimeMs, createdAtMs }: PaymentRow, nowMs: number): boolean {
  return state === 'reorged' || nowMs - (blockTimeMs ?? createdAtMs) < finalAfterMs
}
