import type { TransactionSerializableEIP1559 } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { Clock } from '../../lib/clock.ts'
import { createFairLimiter } from '../../lib/fair-limiter.ts'
import type { Store } from '../../store/open.ts'
import type { PaymentRow } from '../../store/payment-row.ts'
import type { Call } from '../chain/chain-types.ts'
import type { Rpc } from '../chain/rpc.ts'
import { RpcRejected } from '../chain/rpc-endpoint.ts'
import { readBigInt, readQuantity, toQuantity } from '../chain/rpc-values.ts'
import { OutcomeUnknown } from '../outcome-unknown.ts'
import type { PaymentRefusal } from '../payment-refusal.ts'
import type { Hex, PaymentSettings } from '../payment-settings.ts'
import { createBroadcast } from './broadcast.ts'
import { createFeeBump } from './fee-bump.ts'
import { createGasWatch, lesser } from './gas-watch.ts'
import { createSettlerNonces } from './settler-nonces.ts'

/** The account that pays gas. It sends one transaction after the other, and stores each before it is broadcast. */
export interface SettlerAccount {
  readonly address: Hex
  /** What is left for gas. */
  gasWei(): Promise<bigint>
  /**
   * Sends a payment's settlement and returns its hash, or what `admit` refuses when the queue reaches it. Throws
   * `RpcRejected` where the chain refuses the transaction; `OutcomeUnknown` or `RpcUnavailable` where nobody can tell
   * whether it arrived, or while gas costs too much.
   */
  send(
    payment: PaymentRow,
    call: Call,
    admit: () => PaymentRefusal | undefined,
  ): Promise<Hex | PaymentRefusal>
  /** Throws `OutcomeUnknown` while gas costs too much or the account cannot pay for it. */
  checkFunds(): Promise<void>
  /** Raises the fees of a transaction that is stuck because gas became more expensive. */
  replaceStuck(): Promise<void>
  /** What keeps it from settling, as of the last check. */
  problem(): string | undefined
}

interface Deps {
  readonly rpc: Rpc
  readonly settings: Pick<PaymentSettings, 'chainId' | 'settleGasMax' | 'gasPriceWeiMax'>
  readonly key: Hex
  readonly store: Pick<Store, 'transaction' | 'payments'>
  readonly clock: Clock
}

const attemptsMax = 8

export function createSettlerAccount({ rpc, settings, key, store, clock }: Deps): SettlerAccount {
  const { chainId, settleGasMax } = settings
  const account = privateKeyToAccount(key)
  const { address, signTransaction: sign } = account
  const gas = createGasWatch({ rpc, settings, address })
  const broadcast = createBroadcast(rpc)
  const shared = { rpc, chainId, address, sign, broadcast, store, clock }
  const nonces = createSettlerNonces(shared)
  const feeBump = createFeeBump({ ...shared, gas })
  /** One at a time: two transactions must not take the same nonce. */
  const queue = createFairLimiter({ runningMax: 1 })

  async function send(
    payment: PaymentRow,
    call: Call,
    admit: () => PaymentRefusal | undefined,
  ): Promise<Hex | PaymentRefusal> {
    const refusal = admit()
    if (refusal !== undefined) return refusal
    let nonceMin = 0
    for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
      const [pending, unsigned] = await Promise.all([
        rpc.first('eth_getTransactionCount', [address, 'pending'], readQuantity),
        transactionFor(call),
      ])
      await nonces.rebroadcast(pending)
      const signed = await nonces.sign(payment, unsigned, Math.max(pending, nonceMin))
      try {
        if ((await broadcast(signed.raw)) === 'sent') return signed.txHash
      } catch (error) {
        // The chain refused it for good: it was never under way.
        if (error instanceof RpcRejected) nonces.forget(payment, signed.txHash)
        throw error
      }
      nonceMin = signed.nonce + 1
    }
    throw new OutcomeUnknown('payments_unavailable', 'The settler’s nonce is contended.')
  }

  async function transactionFor(call: Call): Promise<Omit<TransactionSerializableEIP1559, 'nonce'>> {
    const request = { ...call, from: address, gas: toQuantity(settleGasMax) }
    const [fees, estimate] = await Promise.all([
      gas.fees(),
      rpc.first('eth_estimateGas', [request, 'pending'], readBigInt),
    ])
    // The limit bounds what a settlement costs if it behaves otherwise than the estimate.
    const gasLimit = lesser((estimate * 5n) / 4n, BigInt(settleGasMax))
    return { type: 'eip1559', chainId, to: call.to, data: call.data, gas: gasLimit, ...fees }
  }

  return {
    address,
    gasWei: gas.balanceWei,
    checkFunds: gas.check,
    problem: gas.problem,
    replaceStuck: () => queue.run('', feeBump),
    send: (payment, call, admit) => queue.run('', () => send(payment, call, admit)),
  }
}
