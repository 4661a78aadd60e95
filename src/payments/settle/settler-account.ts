import { privateKeyToAccount } from 'viem/accounts'
import { createFairLimiter } from '../../lib/fair-limiter.ts'
import type { Waiter } from '../../lib/waiter.ts'
import type { PaymentRow } from '../../store/payment-row.ts'
import type { Call } from '../chain/chain-types.ts'
import { readBigInt, readQuantity, toQuantity } from '../chain/hex-values.ts'
import type { Rpc } from '../chain/rpc.ts'
import { RpcRejected } from '../chain/rpc-endpoint.ts'
import { OutcomeUnknown } from '../outcome-unknown.ts'
import type { PaymentContext } from '../payment-context.ts'
import type { PaymentRefusal } from '../payment-reasons.ts'
import type { Hex } from '../payment-settings.ts'
import { broadcast } from './broadcast.ts'
import { bumpFee } from './fee-bump.ts'
import { createGasWatch, lesser } from './gas-watch.ts'
import { createSettlementWithdrawal } from './settlement-withdrawal.ts'
import type { UnsignedSettlement } from './settler-key.ts'
import { createSettlerNonces } from './settler-nonces.ts'

const attemptsMax = 8

export type SettlerAccount = ReturnType<typeof createSettlerAccount>

/** The account that pays gas. It sends one transaction after the other, and stores each before it is broadcast. */
export function createSettlerAccount(context: PaymentContext, rpc: Rpc, privateKey: Hex) {
  const { chainId, settleGasMax } = context.settings
  const key = { ...context, rpc, account: privateKeyToAccount(privateKey) }
  const { address } = key.account
  const gas = createGasWatch(key)
  const nonces = createSettlerNonces(key)
  /** One at a time: two transactions must not take the same nonce. */
  const queue = createFairLimiter({ runningMax: 1 })

  async function send(
    payment: PaymentRow,
    call: Call,
    admit: () => Promise<PaymentRefusal | undefined>,
    waiter?: Waiter,
  ): Promise<Hex | PaymentRefusal> {
    waiter?.begin()
    const refusal = await admit()
    if (refusal !== undefined) return refusal
    let nonceMin = 0
    for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
      const [pending, unsigned] = await Promise.all([
        rpc.first('eth_getTransactionCount', [address, 'pending'], readQuantity),
        transactionFor(call),
      ])
      await nonces.rebroadcast(pending)
      const signed = await nonces.sign(payment, unsigned, Math.max(pending, nonceMin))
      withdrawal.watch(payment)
      try {
        if ((await broadcast(rpc, signed.raw)) === 'sent') return signed.txHash
      } catch (error) {
        // The chain refused it for good: it was never under way.
        if (error instanceof RpcRejected) await nonces.forget(payment, signed.txHash)
        throw error
      }
      nonceMin = signed.nonce + 1
    }
    throw new OutcomeUnknown('payments_unavailable', 'The settler’s nonce is contended.')
  }

  async function transactionFor(call: Call): Promise<UnsignedSettlement> {
    const request = { ...call, from: address, gas: toQuantity(settleGasMax) }
    const [fees, estimate] = await Promise.all([
      gas.fees(),
      rpc.first('eth_estimateGas', [request, 'pending'], readBigInt),
    ])
    // The limit bounds what a settlement costs if it behaves otherwise than the estimate.
    const gasLimit = lesser((estimate * 5n) / 4n, BigInt(settleGasMax))
    return { type: 'eip1559', chainId, to: call.to, data: call.data, gas: gasLimit, ...fees }
  }

  const withdrawal = createSettlementWithdrawal(key, gas, (work) => queue.run('', work))

  return {
    address,
    gas,
    /** Withdraws settlements from the pool that can only revert. */
    withdrawal,
    /** Raises the fees of a transaction that is stuck because gas became more expensive. */
    replaceStuck: () => queue.run('', () => bumpFee(key, gas)),
    /**
     * Sends a payment's settlement and returns its hash, or what `admit` refuses when the queue reaches it. Throws
     * `RpcRejected` where the chain refuses the transaction; `OutcomeUnknown` or `RpcUnavailable` where nobody can tell
     * whether it arrived, or while gas costs too much.
     */
    send(...of: Parameters<typeof send>): ReturnType<typeof send> {
      const [, , , waiter] = of
      return queue.run({ name: '', waiter }, () => send(...of))
    },
  }
}
