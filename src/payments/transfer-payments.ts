import { addressBlock } from '../lib/address-block.ts'
import type { Clock } from '../lib/clock.ts'
import { createRateLimit } from '../lib/rate-limit.ts'
import type { PaymentRow } from '../store/payment-row.ts'
import type { TransferVerifier } from './chain/transfer-verifier.ts'
import { checkBinding } from './check-binding.ts'
import { type CreditDeps, createCreditPayments, isReorgPossible } from './credit-payments.ts'
import { OutcomeUnknown } from './outcome-unknown.ts'
import { type PaymentRefusal, refuse } from './payment-reasons.ts'
import { type Hex, termsInLowerCase } from './payment-settings.ts'
import { claimPayment, type Decision, type Purchase } from './purchase.ts'
import { isFresh, type Proof } from './wire/transfer-proof.ts'

interface Deps extends CreditDeps {
  /** Undefined without an RPC: then only payments in the ledger can be drawn on. */
  readonly verifyTransfer: TransferVerifier | undefined
}

/** Payments by transfers made before the request: once by the bare hash, then by the payer's proofs until spent. */
export function createTransferPayments(deps: Deps) {
  const { store, ledger, settings, clock, verifyTransfer } = deps
  const countLookup = createLookupLimit(clock)
  const { payWithProof, payWithAnyProof, payByLogin, recheck } = createCreditPayments(deps)

  async function payByHash(txHash: Hex, proof: Proof | undefined, purchase: Purchase): Promise<Decision> {
    if (proof !== undefined && !isFresh(proof, clock.now())) return refuse('proof_expired')
    const stored = await store.payments.byTransaction(settings.chainId, txHash)
    const transfer = stored.find(({ method }) => method === 'transfer')
    if (transfer === undefined && stored.length > 0) {
      // The transaction settled authorizations: only their payers may draw on what is left of it.
      if (proof === undefined) return refuse('payment_made_by_authorization')
      return await payWithAnyProof(stored, txHash, proof, purchase)
    }
    const payment = transfer ?? (await verifyAndRecord(txHash, purchase))
    if ('kind' in payment) return payment
    if (proof !== undefined) return await payWithProof(payment, txHash, proof, purchase)
    return await payWithoutProof(payment, purchase, transfer !== undefined)
  }

  async function verifyAndRecord(txHash: Hex, purchase: Purchase): Promise<PaymentRow | PaymentRefusal> {
    if (verifyTransfer === undefined)
      throw new OutcomeUnknown('payments_unavailable', 'No RPC is configured.', 60)
    countLookup(purchase.clientAddress)
    const verified = await verifyTransfer(txHash, purchase.priceMicros)
    if (verified.kind === 'refused') return verified
    const { kind: _, logIndexes, binding = null, ...transfer } = verified
    const entry = { ...transfer, ...termsInLowerCase(settings), chainId: settings.chainId, binding }
    return await ledger.record(
      { ...entry, method: 'transfer', via: 'transfer', state: 'settled' },
      logIndexes,
    )
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
    return await claimPayment(ledger, payment, purchase)
  }

  return { payByHash, payByLogin }
}

/** Chain lookups that one client address may cause. */
const lookupsPerMinute = 600

/** Anybody may send any hash, so the chain lookups for one client address are limited. */
function createLookupLimit(clock: Clock): (clientAddress: string) => void {
  const lookups = createRateLimit({ perMinute: lookupsPerMinute, now: () => clock.now() })
  return (clientAddress) => {
    const waitSeconds = lookups.acquire(addressBlock(clientAddress))
    if (waitSeconds > 0)
      throw new OutcomeUnknown('busy', 'Your address asks about too many transactions.', waitSeconds)
  }
}
