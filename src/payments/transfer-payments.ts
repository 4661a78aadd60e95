import type { PaymentRow } from '../store/payment-row.ts'
import type { PayerChoice } from './chain/transfer-verifier.ts'
import { checkBinding } from './check-authorization.ts'
import { type CreditDeps, createCreditPayments, isReorgPossible, isSpent } from './credit-payments.ts'
import { refuse } from './payment-reasons.ts'
import type { Hex } from './payment-settings.ts'
import { claimPayment, type Decision, type Purchase } from './purchase.ts'
import { createTransferRecorder, type TransferRecorderDeps } from './transfer-recorder.ts'
import { bindingFor, bindingOf } from './wire/request-binding.ts'
import { isFresh, type Proof } from './wire/transfer-proof.ts'

interface Deps extends CreditDeps, TransferRecorderDeps {}

/**
 * Payments by transfers made before the request: once by the bare hash, then by the payer's proofs until spent. A
 * transaction may hold a payment of each of several payers.
 */
export function createTransferPayments(deps: Deps) {
  const { store, settings, secret, clock, verifyTransfer } = deps
  const { record, countLookup } = createTransferRecorder(deps)
  const { findSignerOf, drawOnAny, recheck } = createCreditPayments(deps)

  async function payByHash(txHash: Hex, proof: Proof | undefined, purchase: Purchase): Promise<Decision> {
    if (proof !== undefined && !isFresh(proof, clock.now())) return refuse('proof_expired')
    const stored = await store.payments.byTransaction(settings.chainId, txHash)
    if (proof !== undefined) return await payByProof(stored, txHash, proof, purchase)
    const binding = bindingFor(purchase, secret)
    const transfers = stored.filter(({ method }) => method === 'transfer')
    const payment = transfers.find((each) => each.scope !== 'one-of-several' || each.binding === binding)
    if (payment !== undefined) return await payWithoutProof(payment, purchase, true)
    if (verifyTransfer === undefined && stored.length > 0)
      return refuse(transfers.length > 0 ? 'proof_required' : 'payment_made_by_authorization')
    const recorded = await record(txHash, purchase, { key: binding, choose: chooseWithoutProof(binding) })
    return 'kind' in recorded ? recorded : await payWithoutProof(recorded, purchase, false)
  }

  async function payByProof(
    stored: readonly PaymentRow[],
    txHash: Hex,
    proof: Proof,
    purchase: Purchase,
  ): Promise<Decision> {
    const known = await findSignerOf(stored, txHash, proof, purchase)
    const own = stored.filter(({ payer }) => payer === known)
    const drawn = known === undefined ? refuse('invalid_proof') : await drawOnAny(own, proof, purchase)
    if (drawn.kind !== 'refused' || !(known === undefined || isSpent(drawn))) return drawn
    const transfers = stored.filter(({ method }) => method === 'transfer')
    const mayHoldMore = transfers.every(({ scope, payer }) => scope === 'one-of-several' && payer !== known)
    if (stored.length > 0 && (!mayHoldMore || verifyTransfer === undefined)) return drawn
    const choose: PayerChoice = async ({ transfers }) => {
      const byAmount = transfers.toSorted((a, b) => b.amountMicros - a.amountMicros)
      const signer = known ?? (await findSignerOf(byAmount, txHash, proof, purchase))
      return transfers.find(({ payer }) => payer === signer) ?? drawn
    }
    const key = `${purchase.key} ${proof.issuedSeconds} ${proof.signature}`
    const recorded = await record(txHash, purchase, { key, choose })
    if (!('kind' in recorded)) return await drawOnAny([...own, recorded], proof, purchase)
    const hasNoTransfers = stored.length > 0 && recorded.reason === 'payment_made_by_authorization'
    return hasNoTransfers ? drawn : recorded
  }

  async function payWithoutProof(
    payment: PaymentRow,
    purchase: Purchase,
    wasStored: boolean,
  ): Promise<Decision> {
    const unbound = checkBinding(payment, purchase, deps)
    if (unbound !== undefined) return unbound
    // A stored payment's block may have been dropped since, or have too few confirmations for this price.
    const isUnspent = payment.state === 'reorged' || payment.spentMicros === 0
    if (wasStored && isUnspent && isReorgPossible(payment, clock.now())) {
      countLookup(purchase.clientAddress)
      const refusal = await recheck(payment, purchase)
      if (refusal !== undefined) return refusal
    }
    return await claimPayment(deps, payment, purchase)
  }

  return { payByHash }
}

/**
 * A bare hash pays for the only payer who could have bought anything. Where there are several, only calldata that its
 * sender bound to this request shows whose call it is.
 */
function chooseWithoutProof(binding: string): PayerChoice {
  return ({ sufficient, transaction: { from, input } }) => {
    const [first, second] = sufficient
    if (first === undefined) return refuse('payment_insufficient')
    if (second === undefined) return first
    const sender = bindingOf(input) === binding ? sufficient.find(({ payer }) => payer === from) : undefined
    return sender ?? refuse('proof_required')
  }
}
