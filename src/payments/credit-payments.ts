import type { Clock } from '../lib/clock.ts'
import type { Store } from '../store/open.ts'
import type { PaymentRow } from '../store/payment-row.ts'
import type { SignatureChecker } from './chain/signature-checker.ts'
import type { Ledger } from './ledger/ledger.ts'
import { refuse } from './payment-refusal.ts'
import type { Hex, PaymentSettings } from './payment-settings.ts'
import { claimWhenFree, type Decision, type Purchase, spendRequestFor, toDecision } from './purchase.ts'
import { createRecentPaymentCheck } from './recent-payment-check.ts'
import type { ReorgCheck } from './settle/reorg-check.ts'
import { answersChallenge, type SiwxLogin } from './wire/sign-in-with-x.ts'
import { type Proof, proofDigest } from './wire/transfer-proof.ts'

export interface CreditDeps {
  readonly store: Store
  readonly ledger: Ledger
  readonly settings: PaymentSettings
  readonly secret: Uint8Array
  readonly clock: Clock
  readonly signatures: SignatureChecker
  /** Undefined without an RPC. */
  readonly reorgCheck: ReorgCheck | undefined
}

/** Payments from what is left of an earlier one, by a proof or a login that its payer signed. */
export function createCreditPayments(deps: CreditDeps) {
  const { store, ledger, settings, secret, clock, signatures } = deps
  const { chainId, payTo, network } = settings
  const recheck = createRecentPaymentCheck(deps)

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
    const digest = proofDigest({ txHash, chainId, payTo, request: purchase.offer, issuedSeconds })
    const verdict = await signatures.check(payment.payer as Hex, digest, signature, purchase.clientAddress)
    if (verdict !== 'valid') return refuse('invalid_proof')
    if (payment.state !== 'settled' && payment.state !== 'reorged') return refuse('payment_unconfirmed', 2)
    return await draw(payment, `proof:${payment.id}:${issuedSeconds}:${purchase.key}`, purchase)
  }

  async function payByLogin(login: SiwxLogin, purchase: Purchase): Promise<Decision> {
    const { offer, clientAddress } = purchase
    if (!answersChallenge(login, offer, network, secret, clock.now())) return refuse('invalid_proof')
    const { address, digest, signature } = login
    if ((await signatures.check(address, digest, signature, clientAddress)) !== 'valid')
      return refuse('invalid_proof')
    const slot = `login:${login.nonce}:${address}`
    const earlier = store.charges.bySlot(slot)
    const payment =
      earlier === undefined
        ? store.payments.withCredit(chainId, address, offer.priceMicros)
        : store.payments.byId(earlier.paymentId)
    return payment === undefined ? refuse('payment_required') : await draw(payment, slot, purchase)
  }

  async function draw(payment: PaymentRow, slot: string, purchase: Purchase): Promise<Decision> {
    const spend = spendRequestFor(purchase, slot, false)
    // A replay needs no request to the chain.
    const isReplay = ledger.recall(payment.id, spend) !== undefined
    const refusal = isReplay ? undefined : await recheck(payment, purchase)
    return refusal ?? toDecision(await claimWhenFree(() => ledger.claim(payment.id, spend)))
  }

  return { payWithProof, payWithAnyProof, payByLogin, recheck }
}
