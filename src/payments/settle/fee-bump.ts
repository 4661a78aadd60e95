import type { TransactionSerializableEIP1559 } from 'viem'
import { keccak256, parseTransaction } from 'viem/utils'
import type { Clock } from '../../lib/clock.ts'
import type { Store } from '../../store/open.ts'
import type { PaymentRow } from '../../store/payment-row.ts'
import type { Rpc } from '../chain/rpc.ts'
import { readQuantity } from '../chain/rpc-values.ts'
import type { Hex } from '../payment-settings.ts'
import type { GasWatch } from './gas-watch.ts'

interface Deps {
  readonly rpc: Rpc
  readonly gas: Pick<GasWatch, 'fees'>
  readonly chainId: number
  readonly address: Hex
  readonly sign: (transaction: TransactionSerializableEIP1559) => Promise<Hex>
  readonly broadcast: (raw: Hex) => Promise<unknown>
  readonly store: Pick<Store, 'transaction' | 'payments'>
  readonly clock: Clock
}

/** A settlement is stuck if it is not mined after this time. */
const stuckAfterMs = 60_000

/**
 * Replaces the settler's oldest unmined transaction by one with higher fees (replace-by-fee), because all later ones
 * wait behind it. Only one of the two can be mined, and either settles the same authorization.
 */
export function createFeeBump(deps: Deps): () => Promise<void> {
  const { rpc, gas, chainId, address, sign, broadcast, store, clock } = deps

  function findStuck(nonce: number): PaymentRow | undefined {
    function isIt(row: PaymentRow) {
      return row.chainId === chainId && row.settler === address.toLowerCase() && row.settlerNonce === nonce
    }
    const stuck = store.payments.open().find((row) => row.state === 'submitted' && isIt(row))
    return stuck !== undefined && clock.now() - stuck.updatedAtMs >= stuckAfterMs ? stuck : undefined
  }

  /** Nodes accept a replacement only if every fee rises by a tenth; an eighth is on the safe side. */
  function raise(before: bigint): bigint {
    return (before * 9n + 7n) / 8n
  }

  return async () => {
    const stuck = findStuck(await rpc.first('eth_getTransactionCount', [address, 'latest'], readQuantity))
    if (stuck?.rawTransaction == null) return
    const { to, data, gas: gasLimit, ...before } = parseTransaction(stuck.rawTransaction as Hex)
    const fees = await gas.fees()
    const { maxFeePerGas, maxPriorityFeePerGas } = fees
    if (maxFeePerGas < raise(before.maxFeePerGas ?? 0n)) return
    if (maxPriorityFeePerGas < raise(before.maxPriorityFeePerGas ?? 0n)) return
    const raw = await sign({
      type: 'eip1559',
      chainId,
      nonce: stuck.settlerNonce ?? 0,
      to: to ?? null,
      data: data ?? '0x',
      gas: gasLimit ?? 0n,
      maxFeePerGas,
      maxPriorityFeePerGas,
    })
    const changes = { txHash: keccak256(raw), rawTransaction: raw }
    const isWritten = store.transaction(
      () =>
        store.payments.transition(stuck.id, {
          from: ['submitted'],
          to: 'submitted',
          ifTxHash: stuck.txHash,
          changes,
          nowMs: clock.now(),
        }),
      { durable: true },
    )
    if (isWritten) await broadcast(raw)
  }
}
