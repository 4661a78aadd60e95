import { nobody } from '../../store/charges.ts'
import type { Steps } from '../../store/database.ts'
import type { PaymentRow } from '../../store/payment-states.ts'
import type { Receipt } from '../chain/answers.ts'
import type { Chain, SettledTransfer } from '../chain/chain.ts'
import { payerLock, transferLock, transition } from '../ledger/claims.ts'
import type { PaymentReason } from '../payment-reasons.ts'
import { clampToNumber, type Hex, type RecordContext } from '../payment-settings.ts'

/** `idle`: no transaction with the authorization is on chain or pending. */
export type SettlementState = 'settled' | 'failed' | 'pending' | 'idle'

export type SettlementResolver = ReturnType<typeof createSettlementResolver>

/** @param chain undefined without an RPC */
export function createSettlementResolver(context: RecordContext, chainId: number, chain: Chain | undefined) {
  const { store, clock } = context

  /** False if the transfer has paid for something else: then this payment is marked as failed. */
  function* settle(payment: PaymentRow, settled: SettledTransfer): Steps<boolean> {
    const nowMs = clock.now()
    const isOurs = yield* store.payments.settle(payment.id, { ...settled, nowMs })
    const failure = { ...failed('payment_already_used'), nowMs }
    if (!isOurs) yield* store.payments.transition(payment.id, failure)
    return isOurs
  }

  function markSettled(payment: PaymentRow, settled: SettledTransfer): Promise<boolean> {
    const locks = [payerLock(payment), transferLock(settled)]
    return store.transaction(() => settle(payment, settled), { durable: true, locks })
  }

  /** Does nothing if the payment has settled, or if its transaction is no longer `ifTxHash`. */
  async function markFailed({ id }: PaymentRow, reason: PaymentReason, ifTxHash?: string | null) {
    await transition(context, id, { ...failed(reason), ...(ifTxHash !== undefined && { ifTxHash }) })
  }

  async function resolveOnChain(chain: Chain, payment: PaymentRow): Promise<SettlementState> {
    const txHash = payment.txHash as Hex | null
    const receipt = txHash === null ? null : await chain.receipt(txHash)
    const isFinal = receipt !== null && (await chain.isFinal(receipt, payment.amountMicros))
    const settled = receipt === null ? undefined : chain.findSettlementIn(receipt, payment)
    if (settled !== undefined) {
      if (!isFinal) return 'pending'
      return (await markSettled(payment, settled)) ? 'settled' : 'failed'
    }
    if (await chain.isUsed(payment)) {
      const found = await chain.findSettlement(payment)
      if (found !== undefined) return (await markSettled(payment, found)) ? 'settled' : 'failed'
      await markFailed(payment, 'invalid_exact_evm_payload_authorization_used', txHash)
      return 'failed'
    }
    // The chain's clock decides. Ours only saves the request while it is too early.
    const untilMs = payment.validUntilMs ?? 0
    if (isFinal || (clock.now() >= untilMs && (await chain.isExpired(payment, untilMs)))) {
      await markFailed(payment, 'settlement_failed', txHash)
      return 'failed'
    }
    const isWaiting = receipt !== null || (txHash !== null && (await chain.transaction(txHash)) !== null)
    return isWaiting ? 'pending' : 'idle'
  }

  async function resolve(payment: PaymentRow): Promise<SettlementState> {
    if (chain === undefined) return 'idle'
    // A payment on another network cannot be looked up here.
    if (payment.chainId !== chainId) return 'pending'
    const outcome = await resolveOnChain(chain, payment)
    const isDecided = outcome === 'settled' || outcome === 'failed'
    // Rows that a facilitator settled have no address as their settler.
    if (!isDecided || payment.txHash === null || payment.settler?.startsWith('0x') !== true) return outcome
    const receipt = await chain.receipt(payment.txHash as Hex).catch(() => null)
    if (receipt !== null) await recordSettlementCost(context, chain, payment, receipt, outcome === 'settled')
    return outcome
  }

  return { resolve, settle, markSettled, markFailed }
}

function failed(reason: PaymentReason) {
  const from = ['reserved', 'submitted', 'released'] as const
  return { from, to: 'failed', changes: { reason, settlerNonce: null, rawTransaction: null } } as const
}

const weiPerGwei = 1_000_000_000n

/** Records what a mined transaction of our settler cost, once per transaction. Never rejects. */
export async function recordSettlementCost(
  { store, clock, log }: RecordContext,
  chain: Chain,
  payment: PaymentRow,
  receipt: Receipt,
  isSettled: boolean,
): Promise<void> {
  const { txHash, cost } = receipt
  const costs = {
    gasUsed: clampToNumber(cost.gasUsed),
    gasPriceWei: clampToNumber(cost.gasPriceWei),
    feeGwei: clampToNumber((cost.feeWei + weiPerGwei - 1n) / weiPerGwei),
  }
  try {
    const isPayers = isSettled || (await isPayersFault(chain, payment, receipt))
    const createdAtMs = clock.now()
    const payer = isPayers ? payment.payer : nobody
    const settlement = { ...costs, txHash, paymentId: payment.id, payer, isSettled, createdAtMs }
    await store.transaction(() => store.settlements.add(settlement))
  } catch (error) {
    // The settlement is decided already: bookkeeping must not change the response.
    const problem = String(error)
    log.error('what a settlement cost could not be written down', { txHash, ...costs, problem })
  }
}

/** A payer could have kept a settlement from failing unless its block came when the authorization had ended. */
async function isPayersFault(chain: Chain, { validUntilMs }: PaymentRow, receipt: Receipt) {
  if (receipt.succeeded) return false
  const block = await chain.block(receipt.blockNumber).catch(() => null)
  // Without the block nobody is blamed: a node that fails is no payer's fault either.
  return block !== null && block.timeMs < (validUntilMs ?? Number.POSITIVE_INFINITY)
}
