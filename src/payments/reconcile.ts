import type { Clock } from '../lib/clock.ts'
import type { Log } from '../lib/log.ts'
import type { Store } from '../store/open.ts'
import { isGone } from './holder.ts'
import type { Ledger } from './ledger.ts'
import { isLeased, plainSlot } from './ledger.ts'
import type { Resolver } from './resolve.ts'
import { RpcUnavailable } from './rpc.ts'

interface Deps {
  readonly store: Store
  readonly ledger: Ledger
  readonly resolver: Resolver
  readonly clock: Clock
  readonly log: Log
}

/** Puts in order what processes left behind that died or lost their connection in the middle of a payment. */
export function createReconciler({ store, ledger, resolver, clock, log }: Deps) {
  /** Calls whose process is gone, or that ran out of time, give their money back. */
  function releaseOrphans(): void {
    for (const charge of store.charges.reserved()) {
      if (isLeased(charge, clock.now()) && !isGone(charge.holder)) continue
      ledger.release(charge.id)
      log.warn('released the hold of a call that never ended', {
        charge: charge.id,
        payment: charge.paymentId,
      })
    }
  }

  async function resolveOpen(): Promise<void> {
    for (const payment of store.payments.open()) {
      const charge = store.charges.bySlot(plainSlot(payment.id))
      if (charge?.state === 'reserved') continue
      if (payment.state === 'reserved') {
        ledger.abandon(payment.id, 'reserved')
        continue
      }
      const outcome = await resolver.resolve(payment)
      // What never reached the network, and was never answered, must not keep its nonce from others.
      if (outcome === 'idle' && payment.settlerNonce !== null) ledger.freeNonce(payment)
      log.info('looked after an open settlement', { payment: payment.id, outcome })
    }
  }

  return async (): Promise<void> => {
    releaseOrphans()
    try {
      await resolveOpen()
    } catch (error) {
      if (!(error instanceof RpcUnavailable)) throw error
      log.warn('open settlements wait for the chain', { problem: error.message })
    }
  }
}
