import { addressBlock } from '../lib/address-block.ts'
import type { Clock } from '../lib/clock.ts'
import { createRateLimit } from '../lib/rate-limit.ts'
import type { Store } from '../store/open.ts'
import type { PaymentRow } from '../store/payments.ts'
import type { SignatureChecker } from './chain/signature-checker.ts'
import type { TransferVerifier } from './chain/transfer-verifier.ts'
import { type Ledger, paymentSlot, type TransferEntry } from './ledger/ledger.ts'
import { OutcomeUnknown } from './outcome-unknown.ts'
import { type PaymentRefusal, refuse } from './payment-refusal.ts'
import type { Hex, PaymentSettings } from './payment-settings.ts'
import { claimWhenFree, type Decision, type Purchase, spendRequestFor, toDecision } from './purchase.ts'
import type { ReorgCheck } from './settle/reorg-check.ts'
import { bindingFor } from './wire/request-binding.ts'
import { answersChallenge, type SiwxLogin } from './wire/sign-in-with-x.ts'
import { isFresh, type Proof, proofDigest } from './wire/transfer-proof.ts'

export interface TransferDeps {
  readonly store: Store
  readonly ledger: Ledger
  readonly settings: PaymentSettings
  readonly secret: Uint8Array
  readonly clock: Clock
  /** Absent without an RPC: then only what is in the ledger can be drawn on. */
  readonly verifier: TransferVerifier | undefined
  readonly signatures: SignatureChecker
  readonly reorgCheck: ReorgCheck | undefined
}

/** A payment from before this is taken to stay where it is. */
const settledForGoodMs = 10 * 60_000
/** Hashes that the ledger does not know, which one address may have looked up on the chain. */
const strangersPerMinute = 600

/** Money that was sent before the call: by its bare hash once, with the payer's proofs until it is spent. */
export function createTransferPayments(deps: TransferDeps) {
  const { store, ledger, settings, secret, clock, verifier, reorgCheck: standings, signatures } = deps
  const { chainId, payTo } = settings
  const strangers = createRateLimit({ perMinute: strangersPerMinute, now: () => clock.now() })

  async function payByHash(txHash: Hex, proof: Proof | undefined, purchase: Purchase): Promise<Decision> {
    if (proof !== undefined && !isFresh(proof, clock.now())) return refuse('proof_expired')
    const stored = store.payments.byTransaction(chainId, txHash)
    const transfer = stored.find(({ method }) => method === 'transfer')
    if (transfer === undefined && stored.length > 0) return await paySettled(stored, txHash, proof, purchase)
    const payment = transfer ?? (await recordTransfer(txHash, purchase))
    if ('kind' in payment) return payment
    if (proof !== undefined) return await payWithProof(payment, txHash, proof, purchase)
    return await payPlainly(payment, purchase, transfer !== undefined)
  }

  /** Anybody may show a hash, so how often one address makes us ask the chain about some is limited. */
  function limitLooks(clientAddress: string): void {
    const waitSeconds = strangers.acquire(addressBlock(clientAddress))
    if (waitSeconds > 0)
      throw new OutcomeUnknown('busy', 'Your address asks about too many transactions.', waitSeconds)
  }

  async function recordTransfer(
    txHash: Hex,
    { offer, clientAddress }: Purchase,
  ): Promise<PaymentRow | PaymentRefusal> {
    if (verifier === undefined) throw new OutcomeUnknown('payments_unavailable', 'No RPC is configured.', 60)
    limitLooks(clientAddress)
    const verified = await verifier.verify(txHash, offer.priceMicros)
    if (verified.kind === 'refused') return verified
    const { payer, amountMicros, blockNumber, blockHash, blockTimeMs, binding, logIndexes } = verified
    const entry: TransferEntry = {
      method: 'transfer',
      via: 'transfer',
      chainId,
      asset: settings.asset.address.toLowerCase(),
      payTo: payTo.toLowerCase(),
      payer,
      txHash,
      amountMicros,
      state: 'settled',
      blockNumber,
      blockHash,
      blockTimeMs,
      binding: binding ?? null,
    }
    return ledger.record(entry, logIndexes)
  }

  async function payPlainly(payment: PaymentRow, purchase: Purchase, wasKnown: boolean): Promise<Decision> {
    const isBound = payment.binding !== null
    if (isBound && payment.binding !== bindingFor(purchase.offer, secret)) {
      return refuse('payment_bound_to_other_request')
    }
    if (!isBound && purchase.offer.priceMicros >= settings.proofFromMicros) return refuse('proof_required')
    // Known and unspent: its block may have gone since, or be too young for what it is to buy now.
    if (wasKnown && (payment.state === 'reorged' || payment.spentMicros === 0) && isInDoubt(payment)) {
      limitLooks(purchase.clientAddress)
      const refusal = await recheck(payment, purchase)
      if (refusal !== undefined) return refusal
    }
    const spend = spendRequestFor(purchase, paymentSlot(payment.id), true)
    return toDecision(await claimWhenFree(() => ledger.claim(payment.id, spend)))
  }

  /** A transaction that settled authorizations buys nothing by itself; what is left of one is its payer's. */
  async function paySettled(
    stored: readonly PaymentRow[],
    txHash: Hex,
    proof: Proof | undefined,
    purchase: Purchase,
  ): Promise<Decision> {
    if (proof === undefined) return refuse('payment_made_by_authorization')
    for (const payment of stored) {
      const decision = await payWithProof(payment, txHash, proof, purchase)
      if (decision.kind !== 'refused' || decision.reason !== 'invalid_proof') return decision
    }
    return refuse('invalid_proof')
  }

  async function payWithProof(
    payment: PaymentRow,
    txHash: Hex,
    proof: Proof,
    purchase: Purchase,
  ): Promise<Decision> {
    const { issuedSeconds, signature } = proof
    const digest = proofDigest({ txHash, chainId, payTo, request: purchase.offer, issuedSeconds })
    const verdict = await signatures.check(payment.payer as Hex, digest, signature, purchase.clientAddress)
    if (verdict !== 'valid') return refuse('invalid_proof')
    if (payment.state !== 'settled' && payment.state !== 'reorged') return refuse('payment_unconfirmed', 2)
    const slot = `proof:${payment.id}:${issuedSeconds}:${purchase.key}`
    return await draw(payment, slot, purchase)
  }

  async function payByLogin(login: SiwxLogin, purchase: Purchase): Promise<Decision> {
    const { offer } = purchase
    if (!answersChallenge(login, offer, settings.network, secret, clock.now())) return refuse('invalid_proof')
    const verdict = await signatures.check(
      login.address,
      login.digest,
      login.signature,
      purchase.clientAddress,
    )
    if (verdict !== 'valid') return refuse('invalid_proof')
    const slot = `login:${login.nonce}:${login.address}`
    const earlier = store.charges.bySlot(slot)
    const payment =
      earlier === undefined
        ? store.payments.withCredit(chainId, login.address, offer.priceMicros)
        : store.payments.byId(earlier.paymentId)
    if (payment === undefined) return refuse('payment_required')
    return await draw(payment, slot, purchase)
  }

  async function draw(payment: PaymentRow, slot: string, purchase: Purchase): Promise<Decision> {
    const spend = spendRequestFor(purchase, slot, false)
    // A replay needs no request to the chain.
    const refusal =
      ledger.recall(payment.id, spend) === undefined ? await recheck(payment, purchase) : undefined
    return refusal ?? toDecision(await claimWhenFree(() => ledger.claim(payment.id, spend)))
  }

  /** Young money may still vanish with its block, and what vanished may come back. */
  function isInDoubt({ state, blockTimeMs, createdAtMs }: PaymentRow): boolean {
    return state === 'reorged' || clock.now() - (blockTimeMs ?? createdAtMs) < settledForGoodMs
  }

  async function recheck(payment: PaymentRow, { offer }: Purchase): Promise<PaymentRefusal | undefined> {
    if (!isInDoubt(payment)) return undefined
    if (standings === undefined) return payment.state === 'reorged' ? refuse('payment_reorged') : undefined
    const presence = await standings.check(payment, offer.priceMicros)
    if (presence === 'stands') return undefined
    return presence === 'gone' ? refuse('payment_reorged') : refuse('payment_unconfirmed', 2)
  }

  return { payByHash, payByLogin }
}
