import { keccak256, parseTransaction } from 'viem/utils'
import type { PaymentRow } from '../../store/payment-row.ts'
import { readQuantity } from '../chain/hex-values.ts'
import { transition } from '../ledger/transition.ts'
import type { Hex } from '../payment-settings.ts'
import { broadcast } from './broadcast.ts'
import type { GasWatch } from './gas-watch.ts'
import type { SettlerKey } from './settler-nonces.ts'

/** A settlement is stuck if it is not mined after this time. */
const stuckAfterMs = 60_000

/**
 * Replaces the settler's oldest unmined transaction by one with higher fees (replace-by-fee), because all later ones
 * wait behind it. Only one of the two can be mined, and either settles the same authorization.
 */
export async function bumpFee(key: SettlerKey, gas: GasWatch): Promise<void> {
  const { rpc, account, settings } = key
  const stuck = await findStuck(
    key,
    await rpc.first('eth_getTransactionCount', [account.address, 'latest'], readQuantity),
  )
  if (stuck?.rawTransaction == null) return
  const {
    to = null,
    data = '0x',
    gas: gasLimit = 0n,
    ...before
  } = parseTransaction(stuck.rawTransaction as Hex)
  const { maxFeePerGas, maxPriorityFeePerGas } = await gas.fees()
  if (maxFeePerGas < raise(before.maxFeePerGas)) return
  if (maxPriorityFeePerGas < raise(before.maxPriorityFeePerGas)) return
  const raw = await account.signTransaction({
    type: 'eip1559',
    chainId: settings.chainId,
    nonce: stuck.settlerNonce ?? 0,
    to,
    data,
    gas: gasLimit,
    maxFeePerGas,
    maxPriorityFeePerGas,
  })
  const changes = { txHash: keccak256(raw), rawTransaction: raw }
  const from = ['submitted'] as const
  const isWritten = await transition(key, stuck.id, {
    from,
    to: 'submitted',
    ifTxHash: stuck.txHash,
    changes,
  })
  if (isWritten) await broadcast(rpc, raw)
}

async function findStuck(
  { account, settings, store, clock }: SettlerKey,
  nonce: number,
): Promise<PaymentRow | undefined> {
  const settler = account.address.toLowerCase()
  const open = await store.payments.open()
  const stuck = open
    .filter((row) => row.chainId === settings.chainId && row.settler === settler)
    .find((row) => row.state === 'submitted' && row.settlerNonce === nonce)
  return stuck !== undefined && clock.now() - stuck.updatedAtMs >= stuckAfterMs ? stuck : undefined
}

/** Nodes accept a replacement only if every fee rises by a tenth; an eighth is on the safe side. */
function raise(before = 0n): bigint {
  return (before * 9n + 7n) / 8n
}
