import type { TransactionSerializableEIP1559 } from 'viem'
import { keccak256 } from 'viem/utils'
import type { Clock } from '../../lib/clock.ts'
import type { Store } from '../../store/open.ts'
import type { PaymentRow } from '../../store/payment-row.ts'
import { OutcomeUnknown } from '../outcome-unknown.ts'
import type { Hex } from '../payment-settings.ts'
import type { Broadcast } from './broadcast.ts'

interface Deps {
  readonly chainId: number
  readonly address: Hex
  readonly sign: (transaction: TransactionSerializableEIP1559) => Promise<Hex>
  readonly broadcast: Broadcast
  readonly store: Pick<Store, 'transaction' | 'payments'>
  readonly clock: Clock
}

/** The settler's nonces, which all processes with the same database share. */
export function createSettlerNonces({ chainId, address, sign, broadcast, store, clock }: Deps) {
  const settler = address.toLowerCase()

  function freeNonce(from: number, ownId: string): number {
    const taken = store.payments.openSettlerNonces(chainId, settler, ownId)
    let nonce = from
    while (taken.includes(nonce)) nonce += 1
    return nonce
  }

  /** Signs with the next free nonce and stores the transaction; again if another process took that nonce meanwhile. */
  async function signAndStore(
    payment: PaymentRow,
    unsigned: Omit<TransactionSerializableEIP1559, 'nonce'>,
    nonceMin: number,
  ) {
    for (;;) {
      const nonce = freeNonce(nonceMin, payment.id)
      const raw = await sign({ ...unsigned, nonce })
      const txHash = keccak256(raw)
      const changes = { txHash, settler, settlerNonce: nonce, rawTransaction: raw }
      const from = ['reserved', 'submitted'] as const
      const isStored = store.transaction(
        () => {
          if (freeNonce(nonce, payment.id) !== nonce) return false
          const step = { from, to: 'submitted', changes, nowMs: clock.now() } as const
          if (store.payments.transition(payment.id, step)) return true
          throw new OutcomeUnknown('settlement_pending', 'Another call has taken this payment over.')
        },
        { durable: true },
      )
      if (isStored) return { raw, txHash, nonce }
    }
  }

  /** A stored transaction that never arrived would block all later ones, so it is sent again. */
  async function rebroadcast(pendingNonce: number): Promise<void> {
    for (const row of store.payments.open()) {
      const { settlerNonce, rawTransaction } = row
      if (row.chainId !== chainId || row.settler !== settler) continue
      if (settlerNonce === null || rawTransaction === null || settlerNonce < pendingNonce) continue
      await broadcast(rawTransaction as Hex).catch(() => undefined)
    }
  }

  /** Takes a rejected transaction back, so that its nonce is free. */
  function forget({ id }: PaymentRow, ifTxHash: Hex): void {
    const changes = { txHash: null, settlerNonce: null, rawTransaction: null }
    const step = { from: ['submitted'], to: 'reserved', ifTxHash, changes, nowMs: clock.now() } as const
    store.transaction(() => store.payments.transition(id, step), { durable: true })
  }

  return { sign: signAndStore, rebroadcast, forget }
}
