import { LRUCache } from 'lru-cache'
import { addressBlock } from '../lib/client-addresses.ts'
import { createCoalescer } from '../lib/waiter.ts'
import type { PaymentRow } from '../store/payment-states.ts'
import { createTransferVerifier, type PayerChoice, type TransferOffer } from './chain/transfer-verifier.ts'
import { createLookupLimit } from './payment-limits.ts'
import { OutcomeUnknown, type PaymentRefusal, refuse } from './payment-reasons.ts'
import { type Hex, termsInLowerCase } from './payment-settings.ts'
import {
  checkBinding,
  claimPayment,
  type Decision,
  type PaymentParts,
  type Purchase,
  spendRequestFor,
} from './purchase.ts'
import { bindingFor, bindingOf, isFresh, type Proof, proofDigest } from './wire/request-binding.ts'

/** Payments by transfers, of each of its payers: once by the bare hash, then by the payer's proofs until they are spent. */
export function createTransferPayments(deps: PaymentParts) {
  const { store, settings, secret, clock, chain } = deps
  // Without an RPC only payments in the ledger can be drawn on.
  const verifyTransfer = chain && createTransferVerifier({ ...deps, chain })
  const { chainId } = settings
  const countLookup = createLookupLimit(clock, deps.processes)
  const record = createTransferRecorder(deps, verifyTransfer, countLookup)
  const { findSignerOf, drawOnAny, recheck } = createCredit(deps)

  async function payByHash(txHash: Hex, proof: Proof | undefined, purchase: Purchase): Promise<Decision> {
    if (proof !== undefined && !isFresh(proof, clock.now())) return refuse('proof_expired')
    const stored = await store.payments.byTransaction(chainId, txHash)
    return proof === undefined
      ? await payByBareHash(stored, txHash, purchase)
      : await payByProof(stored, txHash, proof, purchase)
  }

  async function payByBareHash(stored: readonly PaymentRow[], txHash: Hex, purchase: Purchase) {
    const binding = bindingFor(purchase, secret)
    const transfers = stored.filter(({ method }) => method === 'transfer')
    const payment = transfers.find((each) => each.scope !== 'one-of-several' || each.binding === binding)
    if (payment !== undefined) return await payWithoutProof(payment, purchase, true)
    if (verifyTransfer === undefined && stored.length > 0)
      return refuse(transfers.length > 0 ? 'proof_required' : 'payment_made_by_authorization')
    const recorded = await record(txHash, purchase, binding, chooseWithoutProof(binding))
    return 'kind' in recorded ? recorded : await payWithoutProof(recorded, purchase, false)
  }

  async function payByProof(stored: readonly PaymentRow[], txHash: Hex, proof: Proof, purchase: Purchase) {
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
    const recorded = await record(txHash, purchase, key, choose)
    if (!('kind' in recorded)) return await drawOnAny([...own, recorded], proof, purchase)
    const hasNoTransfers = stored.length > 0 && recorded.reason === 'payment_made_by_authorization'
    return hasNoTransfers ? drawn : recorded
  }

  async function payWithoutProof(payment: PaymentRow, purchase: Purchase, wasStored: boolean) {
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

/** A bare hash pays for the only payer who sent enough. Of several, calldata bound to this request shows whose call it is. */
function chooseWithoutProof(binding: string): PayerChoice {
  return ({ sufficient, transaction: { from, input } }) => {
    const [first, second] = sufficient
    if (first === undefined) return refuse('payment_insufficient')
    if (second === undefined) return first
    const sender = bindingOf(input) === binding ? sufficient.find(({ payer }) => payer === from) : undefined
    return sender ?? refuse('proof_required')
  }
}

/** Spends the rest of payments, by proofs that their payers signed. */
function createCredit({ store, ledger, waits, settings, clock, findSigner, checkReorg }: PaymentParts) {
  const { chainId, payTo } = settings

  async function findSignerOf(
    paid: readonly Pick<PaymentRow, 'payer'>[],
    txHash: Hex,
    { issuedSeconds, signature }: Proof,
    purchase: Purchase,
  ): Promise<Hex | undefined> {
    const payers = [...new Set(paid.map(({ payer }) => payer as Hex))]
    const digest = proofDigest({ txHash, chainId, payTo, request: purchase, issuedSeconds })
    const signer = await findSigner(payers, digest, signature, purchase)
    return signer === 'invalid' || signer === 'undeployed' ? undefined : signer
  }

  /** Draws on the first of a payer's payments in one transaction that has enough left. The oldest comes first. */
  async function drawOnAny(payments: readonly PaymentRow[], { issuedSeconds }: Proof, purchase: Purchase) {
    // A payer's payments in a transaction may become more, while a proof stays one.
    const { txHash, payer } = payments[0] ?? {}
    const slot = `proof:${txHash}:${payer}:${issuedSeconds}:${purchase.key}`
    const earlier = await store.charges.bySlot(slot)
    let decision: Decision = refuse('payment_unconfirmed', 2)
    for (const payment of payments) {
      if (earlier !== undefined && earlier.paymentId !== payment.id) continue
      if (payment.state !== 'settled' && payment.state !== 'reorged') continue
      decision = await draw(payment, slot, purchase)
      if (!isSpent(decision)) return decision
    }
    return decision
  }

  async function draw(payment: PaymentRow, slot: string, purchase: Purchase): Promise<Decision> {
    const spend = spendRequestFor(purchase, slot)
    // A replay needs no request to the chain.
    const isReplay = (await ledger.recall(payment.id, spend)) !== undefined
    const refusal = isReplay ? undefined : await recheck(payment, purchase)
    return refusal ?? (await waits.claimWhenFree(purchase, () => ledger.claim(payment, spend)))
  }

  /** Checks for a reorganization where one is still possible. Returns why the payment cannot be spent now. */
  async function recheck(payment: PaymentRow, { priceMicros }: Purchase) {
    if (!isReorgPossible(payment, clock.now())) return undefined
    if (checkReorg === undefined) return payment.state === 'reorged' ? refuse('payment_reorged') : undefined
    const presence = await checkReorg(payment, priceMicros)
    if (presence === 'final') return undefined
    return presence === 'reorged' ? refuse('payment_reorged') : refuse('payment_unconfirmed', 2)
  }

  return { findSignerOf, drawOnAny, recheck }
}

/** The payment that was to be drawn on has less left than the price. */
function isSpent(decision: Decision): boolean {
  if (decision.kind !== 'refused') return false
  return decision.reason === 'payment_insufficient' || decision.reason === 'payment_already_used'
}

/** A payment older than this is taken to be final. */
const finalAfterMs = 10 * 60_000

/** A recent payment may vanish with its block, and a vanished one may come back. */
function isReorgPossible({ state, blockTimeMs, createdAtMs }: PaymentRow, nowMs: number): boolean {
  return state === 'reorged' || nowMs - (blockTimeMs ?? createdAtMs) < finalAfterMs
}

const cachedHashesMax = 10_000
const cachedForMs = 60_000

/**
 * Takes transfers of the chosen payer into the ledger, once they are confirmed. The callers of one address who show
 * the same transaction and have the same key share one lookup, one wait and one record; equal keys are equal choices.
 */
function createTransferRecorder(
  { settings, ledger }: PaymentParts,
  verifyTransfer: ReturnType<typeof createTransferVerifier> | undefined,
  countLookup: (clientAddress: string) => void,
) {
  const coalesce = createCoalescer<PaymentRow | PaymentRefusal>()
  /** Transactions in which signed authorizations moved all that we got. */
  const authorizationsOnly = new LRUCache<Hex, true>({ max: cachedHashesMax, ttl: cachedForMs })

  async function verifyAndRecord(offer: TransferOffer): Promise<PaymentRow | PaymentRefusal> {
    const { txHash, clientAddress } = offer
    if (verifyTransfer === undefined)
      throw new OutcomeUnknown('payments_unavailable', 'No RPC is configured.', 60)
    if (authorizationsOnly.has(txHash)) return refuse('payment_made_by_authorization')
    countLookup(clientAddress)
    const verified = await verifyTransfer(offer)
    if (verified.kind === 'refused') {
      if (verified.reason === 'payment_made_by_authorization') authorizationsOnly.set(txHash, true)
      return verified
    }
    const { kind: _, logIndexes, binding = null, ...transfer } = verified
    const kind = { method: 'transfer', via: 'transfer', state: 'settled' } as const
    const terms = { ...termsInLowerCase(settings), chainId: settings.chainId }
    return await ledger.record({ ...transfer, ...terms, ...kind, binding }, logIndexes)
  }

  return (txHash: Hex, { clientAddress, priceMicros }: Purchase, key: string, choose: PayerChoice) => {
    const same = `${addressBlock(clientAddress)} ${txHash} ${priceMicros} ${key}`
    return coalesce(same, () => verifyAndRecord({ txHash, priceMicros, clientAddress, choose }))
  }
}
