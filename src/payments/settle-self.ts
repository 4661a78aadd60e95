import type { PaymentRow } from '../store/payments.ts'
import type { Block, Chain } from './chain.ts'
import { readRevert, settlementCall } from './exact.ts'
import type { SettlementFinder } from './find-settlement.ts'
import { toMicros } from './money.ts'
import type { OfferedAuthorization } from './parse-payment.ts'
import { promisedBy } from './promised.ts'
import { OutcomeUnknown, type Refusal, refuse } from './reasons.ts'
import { RpcRejected } from './rpc-endpoint.ts'
import { confirmationsFor, type Hex, type PaymentSettings } from './settings.ts'
import type { Checked, Moved, Settler } from './settler.ts'
import type { SettlerAccount } from './settler-account.ts'
import type { HeadWatch } from './watch-head.ts'

interface Deps {
  readonly account: SettlerAccount
  readonly chain: Chain
  readonly heads: HeadWatch
  readonly finder: SettlementFinder
  readonly settings: PaymentSettings
}

/** Settles with a key of our own that holds gas and nothing else. */
export function createSelfSettler({ account, chain, heads, finder, settings }: Deps): Settler {
  async function check(offered: OfferedAuthorization): Promise<Checked | Refusal> {
    const { from, nonce, value } = offered.authorization
    const promised = { payer: from, nonce, amountMicros: toMicros(value, settings.asset) }
    const [balance, isUsed, obstacle] = await Promise.all([
      chain.balanceOf(settings.asset.address, from),
      finder.isUsed(promised),
      simulate(offered),
    ])
    const balanceMicros = toMicros(balance, settings.asset)
    if (isUsed) {
      const carried = await finder.find(promised)
      if (carried === undefined) return refuse('invalid_exact_evm_payload_authorization_used')
      return { kind: 'good', balanceMicros, carried }
    }
    if (balance < value) return refuse('insufficient_funds')
    // Used in a block to come: somebody's transaction waits with it, and ours would find it there.
    if (obstacle === undefined || obstacle === 'invalid_exact_evm_payload_authorization_used') {
      return { kind: 'good', balanceMicros }
    }
    return refuse(obstacle)
  }

  /** Why the token would refuse the authorization in the next block. */
  async function simulate(offered: OfferedAuthorization) {
    try {
      await chain.call({ ...settlementCall(offered, settings), from: account.address }, 'pending')
      return undefined
    } catch (error) {
      if (error instanceof RpcRejected) return readRevert(error.message)
      throw error
    }
  }

  async function settle(payment: PaymentRow, offered: OfferedAuthorization): Promise<Moved | Refusal> {
    try {
      const txHash = await account.send(payment, settlementCall(offered, settings))
      if (settings.settleWait === 'submitted') return { kind: 'submitted', txHash }
      return await awaitMoney(payment, txHash)
    } catch (error) {
      if (!(error instanceof RpcRejected)) throw error
      const reason = readRevert(error.message)
      if (reason === 'invalid_exact_evm_payload_authorization_used') return await adopt(payment)
      if (/revert/i.test(error.message)) return refuse(reason)
      throw new OutcomeUnknown('payments_unavailable', `The settlement cannot be sent: ${error.message}`, 30)
    }
  }

  async function awaitMoney(payment: PaymentRow, txHash: Hex): Promise<Moved | Refusal> {
    const promised = promisedBy(payment)
    const needed = confirmationsFor(settings, payment.amountMicros)
    const deadlineMs = performance.now() + settings.settleTimeoutMs
    // A block that was there before the look: the one that came with it may hold what the look did not see yet.
    let next: Block | undefined
    for (;;) {
      const [receipt, head] = await Promise.all([chain.receipt(txHash), chain.head()])
      if (receipt !== null) {
        const settled = finder.settles(receipt, promised)
        if (settled === undefined) return await adopt(payment)
        const isDeep = Math.max(head.number - settled.blockNumber + 1, 1) >= needed
        if (isDeep) return { kind: 'settled', ...settled }
      }
      const seen = receipt === null ? (next?.number ?? head.number - 1) : head.number
      next = await heads.above(seen, deadlineMs)
      if (next !== undefined) continue
      const found = receipt === null ? await finder.find(promised) : undefined
      if (found !== undefined) return { kind: 'settled', ...found }
      throw new OutcomeUnknown('settlement_pending', 'The settlement was sent and is not confirmed yet.', 5)
    }
  }

  /** Somebody else carried the authorization: the money is ours all the same, or it was cancelled. */
  async function adopt(payment: PaymentRow): Promise<Moved | Refusal> {
    const promised = promisedBy(payment)
    const found = await finder.find(promised)
    if (found !== undefined) return { kind: 'settled', ...found }
    const isUsed = await finder.isUsed(promised)
    return refuse(isUsed ? 'invalid_exact_evm_payload_authorization_used' : 'settlement_failed')
  }

  return { check, settle }
}
