import type { PaymentRow } from '../../store/payments.ts'
import { type Block, type Chain, toQuantity } from '../chain/chain.ts'
import type { CodeLookup } from '../chain/code-lookup.ts'
import { readRevert, settlementCall } from '../chain/eip3009.ts'
import type { HeadWatch } from '../chain/head-watch.ts'
import { RpcRejected } from '../chain/rpc-endpoint.ts'
import type { SettlementFinder } from '../chain/settlement-finder.ts'
import { OutcomeUnknown } from '../outcome-unknown.ts'
import { type PaymentRefusal, refuse } from '../payment-refusal.ts'
import { confirmationsFor, type Hex, type PaymentSettings } from '../payment-settings.ts'
import { toMicros } from '../token-amount.ts'
import type { OfferedAuthorization } from '../wire/parse-payment.ts'
import { authorizationReferenceOf } from './authorization-reference.ts'
import type { SettlementCostLog } from './settlement-cost-log.ts'
import type { SettlementGuard } from './settlement-guard.ts'
import type { CheckedAuthorization, Settlement, Settler } from './settler.ts'
import type { SettlerAccount } from './settler-account.ts'

interface Deps {
  readonly account: SettlerAccount
  readonly chain: Chain
  readonly heads: HeadWatch
  readonly finder: SettlementFinder
  readonly guard: SettlementGuard
  readonly costs: SettlementCostLog
  readonly codes: CodeLookup
  readonly settings: PaymentSettings
}

/** Settles with a key of our own that holds gas and nothing else. */
export function createSelfSettler(deps: Deps): Settler {
  const { account, chain, heads, finder, guard, costs, codes, settings } = deps

  async function check(offered: OfferedAuthorization): Promise<CheckedAuthorization | PaymentRefusal> {
    const { from, nonce, value } = offered.authorization
    const reference = { payer: from, nonce, amountMicros: toMicros(value, settings.asset) }
    const [balance, isUsed, obstacle, hasCode] = await Promise.all([
      chain.balanceOf(settings.asset.address, from),
      finder.isUsed(reference),
      simulate(offered),
      codes.hasCode(from),
      account.checkFunds(),
    ])
    const balanceMicros = toMicros(balance, settings.asset)
    if (isUsed) {
      const carried = await finder.find(reference)
      if (carried === undefined) return refuse('invalid_exact_evm_payload_authorization_used')
      return { kind: 'good', balanceMicros, carried }
    }
    if (balance < value) return refuse('insufficient_funds')
    const barred = guard.admit(from, hasCode)
    if (barred !== undefined) return barred
    // Used in a block to come: somebody's transaction waits with it, and ours would find it there.
    if (obstacle === undefined || obstacle === 'invalid_exact_evm_payload_authorization_used') {
      return { kind: 'good', balanceMicros }
    }
    // The wallet has vouched for the signature when it was asked by itself: what it lacks here is gas.
    const isStarved = hasCode && obstacle === 'invalid_exact_evm_payload_signature'
    return refuse(isStarved ? 'settlement_gas_too_high' : obstacle)
  }

  /** Why the token would refuse the authorization in the next block. */
  async function simulate(offered: OfferedAuthorization) {
    try {
      const gas = toQuantity(settings.settleGasMax)
      await chain.call({ ...settlementCall(offered, settings), from: account.address, gas }, 'pending')
      return undefined
    } catch (error) {
      if (error instanceof RpcRejected) return readRevert(error.message)
      throw error
    }
  }

  async function settle(
    payment: PaymentRow,
    offered: OfferedAuthorization,
  ): Promise<Settlement | PaymentRefusal> {
    try {
      const hasCode = await codes.hasCode(offered.authorization.from)
      function admit() {
        return guard.admit(payment.payer, hasCode)
      }
      const txHash = await account.send(payment, settlementCall(offered, settings), admit)
      if (typeof txHash !== 'string') return txHash
      if (settings.settleWait === 'submitted') return { kind: 'submitted', txHash }
      return await awaitMoney(payment, txHash)
    } catch (error) {
      if (!(error instanceof RpcRejected)) throw error
      const reason = readRevert(error.message)
      if (reason === 'invalid_exact_evm_payload_authorization_used') return await adopt(payment, true)
      if (reason === 'settlement_gas_too_high' || /revert/i.test(error.message)) return refuse(reason)
      throw new OutcomeUnknown('payments_unavailable', `The settlement cannot be sent: ${error.message}`, 30)
    }
  }

  async function awaitMoney(payment: PaymentRow, txHash: Hex): Promise<Settlement | PaymentRefusal> {
    const reference = authorizationReferenceOf(payment)
    const needed = confirmationsFor(settings, payment.amountMicros)
    const deadlineMs = performance.now() + settings.settleTimeoutMs
    // A block that was there before the look: the one that came with it may hold what the look did not see yet.
    let next: Block | undefined
    for (;;) {
      const [receipt, head] = await Promise.all([chain.receipt(txHash), chain.head()])
      if (receipt !== null) {
        const settled = finder.findIn(receipt, reference)
        if (settled !== undefined) costs.record(payment, txHash, receipt, true)
        const isDeep = Math.max(head.number - receipt.blockNumber + 1, 1) >= needed
        if (isDeep && settled !== undefined) return { kind: 'settled', ...settled }
        if (isDeep) {
          const adopted = await adopt(payment)
          costs.record(payment, txHash, receipt, adopted.kind === 'settled')
          return adopted
        }
      }
      const seen = receipt === null ? (next?.number ?? head.number - 1) : head.number
      next = await heads.above(seen, deadlineMs)
      if (next !== undefined) continue
      const found = receipt === null ? await finder.find(reference) : undefined
      if (found !== undefined) return { kind: 'settled', ...found }
      throw new OutcomeUnknown('settlement_pending', 'The settlement was sent and is not confirmed yet.', 5)
    }
  }

  /** Somebody else carried the authorization: the money is ours all the same, or it was cancelled. */
  async function adopt(payment: PaymentRow, isUsedSoon = false): Promise<Settlement | PaymentRefusal> {
    const reference = authorizationReferenceOf(payment)
    const found = await finder.find(reference)
    if (found !== undefined) return { kind: 'settled', ...found }
    const isUsed = await finder.isUsed(reference)
    if (!isUsed && isUsedSoon)
      throw new OutcomeUnknown(
        'settlement_pending',
        'Another transaction carries it, which is not mined yet.',
      )
    return refuse(isUsed ? 'invalid_exact_evm_payload_authorization_used' : 'settlement_failed')
  }

  return { check, settle }
}
