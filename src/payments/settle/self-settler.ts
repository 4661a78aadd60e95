import type { PaymentRow } from '../../store/payment-row.ts'
import type { Block } from '../chain/chain-types.ts'
import { readRevert, settlementCall } from '../chain/eip3009.ts'
import { RpcRejected } from '../chain/rpc-endpoint.ts'
import type { SettlementFinder } from '../chain/settlement-finder.ts'
import { OutcomeUnknown } from '../outcome-unknown.ts'
import type { PayingClient } from '../paying-client.ts'
import { type PaymentRefusal, refuse } from '../payment-reasons.ts'
import { confirmationsFor, type Hex } from '../payment-settings.ts'
import type { OfferedAuthorization } from '../wire/parse-payment.ts'
import { admitSettlement } from './admit-settlement.ts'
import { recordSettlementCost } from './record-settlement-cost.ts'
import { createSettlementCheck, type SelfSettlerDeps } from './settlement-check.ts'
import type { Settlement, Settler } from './settler.ts'

/** Settles with a key of our own, which holds gas and nothing else. */
export function createSelfSettler(deps: SelfSettlerDeps): Settler {
  const { account, finder, codes, settings } = deps

  async function settle(
    payment: PaymentRow,
    offered: OfferedAuthorization,
    { waiter }: Pick<PayingClient, 'waiter'>,
  ): Promise<Settlement | PaymentRefusal> {
    try {
      const hasCode = await codes.hasCode(offered.authorization.from)
      const call = settlementCall(offered, settings)
      const admit = () => admitSettlement(deps, payment.payer, hasCode)
      const txHash = await account.send(payment, call, admit, waiter)
      if (typeof txHash !== 'string') return txHash
      if (settings.settleWait === 'submitted') return { kind: 'submitted', txHash }
      return await awaitSettlement(deps, payment, txHash)
    } catch (error) {
      if (!(error instanceof RpcRejected)) throw error
      const reason = readRevert(error.message)
      if (reason === 'invalid_exact_evm_payload_authorization_used')
        return await findElsewhere(finder, payment, true)
      if (reason === 'settlement_gas_too_high' || /revert/i.test(error.message)) return refuse(reason)
      throw new OutcomeUnknown('payments_unavailable', `The settlement cannot be sent: ${error.message}`, 30)
    }
  }

  return { check: createSettlementCheck(deps), settle }
}

async function awaitSettlement(
  deps: SelfSettlerDeps,
  payment: PaymentRow,
  txHash: Hex,
): Promise<Settlement | PaymentRefusal> {
  const { account, chain, heads, finder, settings } = deps
  const needed = confirmationsFor(settings, payment.amountMicros)
  const deadlineMs = performance.now() + settings.settleTimeoutMs
  // A head that was seen before the receipt was read: a newer one may hold the transaction already.
  let next: Block | undefined
  for (;;) {
    const [receipt, head] = await Promise.all([chain.receipt(txHash), chain.head()])
    if (receipt !== null) {
      const settled = finder.findIn(receipt, payment)
      if (settled !== undefined) await recordSettlementCost(deps, payment, receipt, true)
      const isDeep = Math.max(head.number - receipt.blockNumber + 1, 1) >= needed
      if (isDeep && settled !== undefined) return { kind: 'settled', ...settled }
      if (isDeep) {
        const elsewhere = await findElsewhere(finder, payment)
        await recordSettlementCost(deps, payment, receipt, elsewhere.kind === 'settled')
        return elsewhere
      }
    }
    const seen = receipt === null ? (next?.number ?? head.number - 1) : head.number
    next = await heads.above(seen, deadlineMs)
    if (next !== undefined) continue
    const found = receipt === null ? await finder.find(payment) : undefined
    if (found !== undefined) {
      // Ours can only revert now. Where it cannot be withdrawn, it will.
      await account.withdrawal.withdraw(payment).catch(() => undefined)
      return { kind: 'settled', ...found }
    }
    throw new OutcomeUnknown('settlement_pending', 'The settlement was sent and is not confirmed yet.', 5)
  }
}

/** The settlement that somebody else sent, whose money counts all the same; refused if there is none. */
async function findElsewhere(
  finder: SettlementFinder,
  payment: PaymentRow,
  isUsedInPendingBlock = false,
): Promise<Settlement | PaymentRefusal> {
  const found = await finder.find(payment)
  if (found !== undefined) return { kind: 'settled', ...found }
  const isUsed = await finder.isUsed(payment)
  if (!isUsed && isUsedInPendingBlock) {
    const words = 'Another transaction carries it, which is not mined yet.'
    throw new OutcomeUnknown('settlement_pending', words)
  }
  return refuse(isUsed ? 'invalid_exact_evm_payload_authorization_used' : 'settlement_failed')
}
