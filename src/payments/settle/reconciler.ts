import { RpcUnavailable } from '../chain/rpc-endpoint.ts'
import { isLeased, paymentSlot } from '../ledger/claims.ts'
import type { Ledger } from '../ledger/ledger.ts'
import { OutcomeUnknown } from '../outcome-unknown.ts'
import type { PaymentContext } from '../payment-context.ts'
import type { PaymentSettings } from '../payment-settings.ts'
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

  /** Releases the charges of requests whose process is gone or whose lease has expired. */
  async function releaseOrphans(): Promise<void> {
    for (const charge of await store.charges.reserved()) {
      if (isLeased(charge, clock.now()) && !(await store.peers.isGone(charge.leaseOwner))) continue
      const { id, paymentId: payment } = charge
      const paid = await store.payments.byId(payment)
      if (paid !== undefined) await ledger.release(id, paid)
      log.warn('released the charge of a request that never ended', { charge: id, payment })
    }
  }

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
