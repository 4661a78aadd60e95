import { RpcUnavailable } from '../chain/rpc.ts'
import { paymentSlot } from '../ledger/claims.ts'
import type { Ledger } from '../ledger/ledger.ts'
import { OutcomeUnknown } from '../outcome-unknown.ts'
import type { PaymentContext } from '../payment-context.ts'
import type { PaymentSettings } from '../payment-settings.ts'
import { createOrphanRelease } from './orphan-charges.ts'
import type { ReorgCheck } from './reorg-check.ts'
import type { SettlementResolver } from './settlement-resolver.ts'

interface Deps extends Pick<PaymentContext, 'store' | 'clock' | 'log'> {
  readonly ledger: Ledger
  readonly resolver: SettlementResolver
  /** Undefined without an RPC. */
  readonly checkReorg: ReorgCheck | undefined
  readonly settings: Pick<PaymentSettings, 'chainId' | 'maxAgeMs'>
}

const reorgedAtOnce = 50

/** Releases or settles what was left open by processes that died or lost the chain in the middle of a payment. */
export function createReconciler({ store, ledger, resolver, checkReorg, settings, clock, log }: Deps) {
  const { chainId, maxAgeMs } = settings
  const releaseOrphans = createOrphanRelease({ store, ledger, clock, log })

  async function resolveOpen(): Promise<void> {
    for (const payment of await store.payments.open()) {
      const charge = await store.charges.bySlot(paymentSlot(payment.id))
      if (charge?.state === 'reserved') continue
      if (payment.state === 'reserved') {
        await ledger.abandon(payment, 'reserved')
        continue
      }
      const outcome = await resolver.resolve(payment).catch(unknownOnly)
      // A transaction that never reached the network must not block its nonce.
      if (outcome === 'idle' && payment.settlerNonce !== null) await ledger.freeNonce(payment)
      log.info('looked after an open settlement', { payment: payment.id, outcome })
    }
  }

  /** A dropped transaction may return in another block with the same hash. */
  async function recheckReorged(): Promise<void> {
    for (const payment of await store.paymentList.newest('reorged', reorgedAtOnce)) {
      if (payment.chainId !== chainId || clock.now() - payment.createdAtMs > maxAgeMs) continue
      const presence = await checkReorg?.(payment, payment.amountMicros).catch(unknownOnly)
      if (presence === 'final') log.info('a payment that was dropped is back', { payment: payment.id })
    }
  }

  return async (): Promise<void> => {
    await releaseOrphans()
    try {
      await resolveOpen()
      await recheckReorged()
    } catch (error) {
      if (!(error instanceof RpcUnavailable)) throw error
      log.warn('open settlements wait for the chain', { problem: error.message })
    }
  }
}

/** A payment with an unknown outcome must not stop the loop. */
function unknownOnly(error: unknown): 'unknown' {
  if (error instanceof OutcomeUnknown) return 'unknown'
  throw error
}
