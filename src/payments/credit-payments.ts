import type { PaymentRow } from '../store/payment-row.ts'
import type { SignerFinder } from './chain/signature-checker.ts'
import type { PaymentContext } from './payment-context.ts'
import { type PaymentRefusal, refuse } from './payment-reasons.ts'
import type { Hex } from './payment-settings.ts'
import { type ClaimContext, type Decision, type Purchase, spendRequestFor } from './purchase.ts'
import type { ReorgCheck } from './settle/reorg-check.ts'
import { type Proof, proofDigest } from './wire/transfer-proof.ts'

export interface CreditDeps extends PaymentContext, ClaimContext {
  readonly findSigner: SignerFinder
  /** Undefined without an RPC. */
  readonly checkReorg: ReorgCheck | undefined
}

/** Payments from what is left of an earlier one, by a proof that its payer signed. */
export function createCreditPayments(deps: CreditDeps) {
  const { store, ledger, waits, settings, clock, findSigner, checkReorg } = deps
  const { chainId, payTo } = settings

  /** Which of the payers in a transaction signed the proof; undefined if none did. */
  async function findSignerOf(
    paid: readonly Pick<PaymentRow, 'payer'>[],
    txHash: Hex,
    { issuedSeconds, signature }: Proof,
    purchase: Purchase,
  ): Promise<Hex | undefined> {
    const payers = [...new Set(paid.map(({ payer }) => payer as Hex))]
    const digest = proofDigest({ txHash, chainId, payTo, request: purchase, issuedSeconds })
    return await findSigner(payers, digest, signature, purchase)
  }

  /** Draws on the first of a payer's payments in one transaction that has enough left. The oldest comes first. */
  async function drawOnAny(
    payments: readonly PaymentRow[],
    { issuedSeconds }: Proof,
    purchase: Purchase,
  ): Promise<Decision> {
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

  return { findSignerOf, drawOnAny, recheck }
}

/** Whether the payment that was to be drawn on has less left than the price. */
export function isSpent(decision: Decision): boolean {
  if (decision.kind !== 'refused') return false
  return decision.reason === 'payment_insufficient' || decision.reason === 'payment_already_used'
}

/** A payment older than this is taken to be final. */
const finalAfterMs = 10 * 60_000

/** A recent payment may vanish with its block, and a vanished one may come back. */
export function isReorgPossible({ state, blockTimeMs, createdAtMs }: PaymentRow, nowMs: number): boolean {
  return state === 'reorged' || nowMs - (blockTimeMs ?? createdAtMs) < finalAfterMs
}
