import { readQuantity } from '../chain/hex-values.ts'
import type { GasWatch } from './gas-watch.ts'
import { isSentBy, raise, readSent, replaceTransaction, type SentSettlement } from './replace-transaction.ts'
import type { SettlerKey } from './settler-key.ts'

/** A settlement is stuck if it is not mined after this time. */
const stuckAfterMs = 60_000

/**
 * Replaces the settler's oldest unmined transaction by one with higher fees (replace-by-fee), because all later ones
 * wait behind it. Either of the two settles the same authorization.
 */
export async function bumpFee(key: SettlerKey, gas: GasWatch): Promise<void> {
  const { rpc, account, settings } = key
  const stuck = await findStuck(
    key,
    await rpc.first('eth_getTransactionCount', [account.address, 'latest'], readQuantity),
  )
  if (stuck === undefined) return
  const before = readSent(stuck)
  const fees = await gas.fees()
  if (fees.maxFeePerGas < raise(before.maxFeePerGas)) return
  if (fees.maxPriorityFeePerGas < raise(before.maxPriorityFeePerGas)) return
  await replaceTransaction(key, stuck, { type: 'eip1559', chainId: settings.chainId, ...before, ...fees })
}

async function findStuck(key: SettlerKey, nonce: number): Promise<SentSettlement | undefined> {
  const open = await key.store.payments.open()
  const stuck = open
    .filter((row) => isSentBy(key, row))
    .find((row) => row.state === 'submitted' && row.settlerNonce === nonce)
  return stuck !== undefined && key.clock.now() - stuck.updatedAtMs >= stuckAfterMs ? stuck : undefined
}
