import { keccak256 } from 'viem/utils'
import type { Steps } from '../../store/operation.ts'
import type { PaymentRow } from '../../store/payment-row.ts'
import { nextBlockTimeMs } from '../chain/next-block-time.ts'
import { settlerLock } from '../ledger/locks.ts'
import { transition } from '../ledger/transition.ts'
import { OutcomeUnknown } from '../outcome-unknown.ts'
import type { Hex } from '../payment-settings.ts'
import { broadcast } from './broadcast.ts'
import { isSentBy, type SentSettlement } from './replace-transaction.ts'
import { isHopeless } from './settlement-withdrawal.ts'
import type { SettlerKey, UnsignedSettlement } from './settler-key.ts'

/** The settler's nonces, which all processes with the same database share. */
export function createSettlerNonces(key: SettlerKey) {
  const { rpc, account, settings, store, clock } = key
  const { chainId } = settings
  const settler = account.address.toLowerCase()

  function* nextFreeNonce(from: number, ownId: string): Steps<number> {
    const taken = yield* store.payments.openSettlerNonces(chainId, settler, ownId)
    let nonce = from
    while (taken.includes(nonce)) nonce += 1
    return nonce
  }

  /** Signs with the next free nonce and stores the transaction; again if another process took that nonce meanwhile. */
  async function sign(payment: PaymentRow, unsigned: UnsignedSettlement, nonceMin: number) {
    for (;;) {
      const nonce = await store.transaction(() => nextFreeNonce(nonceMin, payment.id))
      const raw = await account.signTransaction({ ...unsigned, nonce })
      const txHash = keccak256(raw)
      const changes = { txHash, settler, settlerNonce: nonce, rawTransaction: raw }
      const from = ['reserved', 'submitted'] as const
      const isStored = await store.transaction(
        function* () {
          if ((yield* nextFreeNonce(nonce, payment.id)) !== nonce) return false
          const step = { from, to: 'submitted', changes, nowMs: clock.now() } as const
          if (yield* store.payments.transition(payment.id, step)) return true
          throw new OutcomeUnknown('settlement_pending', 'Another call has taken this payment over.')
        },
        { durable: true, locks: [settlerLock(chainId, settler)] },
      )
      if (isStored) return { raw, txHash, nonce }
    }
  }

  /**
   * A stored transaction that never arrived would block all later ones, so it is sent again; one that could only revert
   * gives its nonce up.
   */
  async function rebroadcast(pendingNonce: number): Promise<void> {
    const open = (await store.payments.open()).filter((row) => isSentBy(key, row))
    const absent = open.filter(({ settlerNonce }) => settlerNonce >= pendingNonce)
    const blockTimeMs = absent.length === 0 ? 0 : await nextBlockTimeMs(rpc)
    for (const row of absent) {
      if (isHopeless(row, blockTimeMs)) await freeNonce(row)
      else await broadcast(rpc, row.rawTransaction).catch(() => undefined)
    }
  }

  /** Its payment stays as it is: the chain tells what became of it. */
  async function freeNonce({ id, txHash }: SentSettlement): Promise<void> {
    const changes = { settlerNonce: null, rawTransaction: null }
    await transition(key, id, { from: ['submitted'], to: 'submitted', ifTxHash: txHash, changes })
  }

  /** Takes a rejected transaction back, so that its nonce is free. */
  async function forget({ id }: PaymentRow, ifTxHash: Hex): Promise<void> {
    const changes = { txHash: null, settlerNonce: null, rawTransaction: null }
    await transition(key, id, { from: ['submitted'], to: 'reserved', ifTxHash, changes })
  }

  return { sign, rebroadcast, forget }
}
