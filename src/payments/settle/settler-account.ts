import type { TransactionSerializableEIP1559 } from 'viem'
import { privateKeyToAccount, privateKeyToAddress } from 'viem/accounts'
import { keccak256 } from 'viem/utils'
import type { Clock } from '../../lib/clock.ts'
import type { Store } from '../../store/open.ts'
import type { PaymentRow } from '../../store/payments.ts'
import { type Call, toQuantity } from '../chain/chain.ts'
import type { Rpc } from '../chain/rpc.ts'
import { RpcRejected } from '../chain/rpc-endpoint.ts'
import { readBigInt, readHex, readQuantity } from '../chain/rpc-values.ts'
import { OutcomeUnknown } from '../outcome-unknown.ts'
import type { PaymentRefusal } from '../payment-refusal.ts'
import type { Hex, PaymentSettings } from '../payment-settings.ts'
import { createFeeBump } from './fee-bump.ts'
import { createGasWatch, lesser } from './gas-watch.ts'

/** The account that pays gas: it sends one transaction after the other, and none that was not written down. */
export interface SettlerAccount {
  readonly address: Hex
  /** What is left for gas. */
  gasWei(): Promise<bigint>
  /**
   * Sends a payment's settlement. Its hash is stored before it is broadcast. `admit` is asked when its turn comes,
   * after all that were sent before. Throws `RpcRejected` where the chain refuses it, and `OutcomeUnknown` or
   * `RpcUnavailable` where nobody can tell whether it arrived, or while gas is dearer than it may be.
   */
  send(
    payment: PaymentRow,
    call: Call,
    admit: () => PaymentRefusal | undefined,
  ): Promise<Hex | PaymentRefusal>
  /** Throws `OutcomeUnknown` while nothing can be sent, because gas is too dear or used up. */
  checkFunds(): Promise<void>
  /** Bids more for a transaction that waits because gas became dearer than it offers. */
  replaceStuck(): Promise<void>
  /** What keeps it from settling, as it was last seen. */
  problem(): string | undefined
}

interface Deps {
  readonly rpc: Rpc
  readonly settings: Pick<PaymentSettings, 'chainId' | 'settleGasMax' | 'gasPriceWeiMax'>
  readonly key: Hex
  readonly store: Pick<Store, 'transaction' | 'payments'>
  readonly clock: Clock
}

type Unsigned = Omit<TransactionSerializableEIP1559, 'nonce'>

const attemptsMax = 8

export function createSettlerAccount({ rpc, settings, key, store, clock }: Deps): SettlerAccount {
  const { chainId, settleGasMax } = settings
  const gas = createGasWatch({ rpc, settings, address: privateKeyToAddress(key) })
  const account = privateKeyToAccount(key)
  const { address } = account
  const settler = address.toLowerCase()
  const replaceStuck = createFeeBump({
    rpc,
    gas,
    chainId,
    address,
    sign: account.signTransaction,
    broadcast,
    store,
    clock,
  })
  let queue: Promise<unknown> = Promise.resolve()

  /** One at a time: two transactions of one account must not take the same nonce. */
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = queue.then(work, work)
    queue = turn.catch(() => undefined)
    return turn
  }

  async function send(
    payment: PaymentRow,
    call: Call,
    admit: () => PaymentRefusal | undefined,
  ): Promise<Hex | PaymentRefusal> {
    const refusal = admit()
    if (refusal !== undefined) return refusal
    let nonceMin = 0
    for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
      const [pending, fees, estimate] = await Promise.all([
        rpc.first('eth_getTransactionCount', [address, 'pending'], readQuantity),
        gas.fees(),
        rpc.first(
          'eth_estimateGas',
          [{ ...call, from: address, gas: toQuantity(settleGasMax) }, 'pending'],
          readBigInt,
        ),
      ])
      await fillGap(pending)
      const unsigned = {
        type: 'eip1559' as const,
        chainId,
        to: call.to,
        data: call.data,
        // What the estimate did not show cannot cost more than this.
        gas: lesser((estimate * 5n) / 4n, BigInt(settleGasMax)),
        ...fees,
      }
      const { raw, txHash, nonce } = await signWithFreeNonce(payment, unsigned, Math.max(pending, nonceMin))
      if ((await tryBroadcast(payment, raw, txHash)) === 'sent') return txHash
      nonceMin = nonce + 1
    }
    throw new OutcomeUnknown('payments_unavailable', 'The settler’s nonce is contended.')
  }

  /** Signs and writes down; once more if another process wrote that nonce down while this one signed. */
  async function signWithFreeNonce(payment: PaymentRow, unsigned: Unsigned, nonceMin: number) {
    for (;;) {
      const nonce = freeNonce(nonceMin, payment.id)
      const raw = await account.signTransaction({ ...unsigned, nonce })
      const txHash = keccak256(raw)
      const changes = { txHash, settler, settlerNonce: nonce, rawTransaction: raw }
      const isWritten = store.transaction(
        () => {
          if (freeNonce(nonce, payment.id) !== nonce) return false
          const step = {
            from: ['reserved', 'submitted'],
            to: 'submitted',
            changes,
            nowMs: clock.now(),
          } as const
          if (store.payments.transition(payment.id, step)) return true
          throw new OutcomeUnknown('settlement_pending', 'Another call has taken this payment over.')
        },
        { durable: true },
      )
      if (isWritten) return { raw, txHash, nonce }
    }
  }

  /** What the chain refused for good was never under way. */
  async function tryBroadcast(payment: PaymentRow, raw: Hex, txHash: Hex): Promise<Broadcast> {
    try {
      return await broadcast(raw)
    } catch (error) {
      if (error instanceof RpcRejected) forget(payment, txHash)
      throw error
    }
  }

  async function broadcast(raw: Hex): Promise<Broadcast> {
    try {
      await rpc.first('eth_sendRawTransaction', [raw], readHex)
      return 'sent'
    } catch (error) {
      const found = error instanceof RpcRejected && answers.find(([pattern]) => pattern.test(error.message))
      if (found) return found[1]
      throw error
    }
  }

  /** A transaction that was stored and never arrived would hold up all that come after it. */
  async function fillGap(pending: number): Promise<void> {
    for (const row of store.payments.open()) {
      const { settlerNonce, rawTransaction } = row
      if (row.chainId !== chainId || row.settler !== settler) continue
      if (settlerNonce === null || rawTransaction === null) continue
      if (settlerNonce >= pending) await broadcast(rawTransaction as Hex).catch(() => undefined)
    }
  }

  function freeNonce(from: number, ownId: string): number {
    const taken = store.payments.openSettlerNonces(chainId, settler, ownId)
    let nonce = from
    while (taken.includes(nonce)) nonce += 1
    return nonce
  }

  function forget(payment: PaymentRow, txHash: Hex): void {
    const changes = { txHash: null, settlerNonce: null, rawTransaction: null }
    const step = {
      from: ['submitted'],
      to: 'reserved',
      ifTxHash: txHash,
      changes,
      nowMs: clock.now(),
    } as const
    store.transaction(() => store.payments.transition(payment.id, step), { durable: true })
  }

  return {
    address,
    gasWei: gas.balanceWei,
    checkFunds: gas.check,
    problem: gas.problem,
    replaceStuck: () => inTurn(replaceStuck),
    send: (payment, call, admit) => inTurn(() => send(payment, call, admit)),
  }
}

/** `taken`: another transaction used the nonce up or waits with it. */
type Broadcast = 'sent' | 'taken'

const answers: readonly (readonly [RegExp, Broadcast])[] = [
  [/already known|already imported|known transaction/i, 'sent'],
  [/nonce too low|underpriced/i, 'taken'],
]
