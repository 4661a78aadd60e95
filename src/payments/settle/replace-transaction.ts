import { keccak256, parseTransaction } from 'viem/utils'
import type { PaymentRow } from '../../store/payment-row.ts'
import { transition } from '../ledger/transition.ts'
import type { Hex } from '../payment-settings.ts'
import { broadcast } from './broadcast.ts'
import type { SettlerKey, UnsignedSettlement } from './settler-key.ts'

/** A settlement that was signed with a nonce of ours. */
export type SentSettlement = PaymentRow & {
  readonly txHash: Hex
  readonly settlerNonce: number
  readonly rawTransaction: Hex
}

/** Whether the settlement's transaction is known, and signed by this account. */
export function isSentBy({ account, settings }: SettlerKey, row: PaymentRow): row is SentSettlement {
  const isOurs = row.chainId === settings.chainId && row.settler === account.address.toLowerCase()
  return isOurs && row.txHash !== null && row.settlerNonce !== null && row.rawTransaction !== null
}

export function readSent({ rawTransaction }: SentSettlement) {
  const { to, data = '0x', gas = 0n, ...fees } = parseTransaction(rawTransaction)
  const { maxFeePerGas = 0n, maxPriorityFeePerGas = 0n } = fees
  return { to: to ?? '0x', data, gas, maxFeePerGas, maxPriorityFeePerGas }
}

/**
 * Stores and sends another transaction under the settlement's nonce: only one of the two can be mined. Returns its hash;
 * undefined if the one before has been mined, or the payment has changed.
 */
export async function replaceTransaction(
  key: SettlerKey,
  { id, txHash: oldHash, settlerNonce: nonce, rawTransaction: oldRaw }: SentSettlement,
  unsigned: UnsignedSettlement,
): Promise<Hex | undefined> {
  const raw = await key.account.signTransaction({ ...unsigned, nonce })
  const txHash = keccak256(raw)
  const step = { from: ['submitted'], to: 'submitted' } as const
  const changes = { txHash, rawTransaction: raw }
  if (!(await transition(key, id, { ...step, ifTxHash: oldHash, changes }))) return undefined
  if ((await broadcast(key.rpc, raw)) === 'sent') return txHash
  await transition(key, id, {
    ...step,
    ifTxHash: txHash,
    changes: { txHash: oldHash, rawTransaction: oldRaw },
  })
  return undefined
}

/** The least that a replacement must bid. Nodes want a tenth more; an eighth is on the safe side. */
export function raise(before: bigint): bigint {
  return (before * 9n + 7n) / 8n
}
