import type { Clock } from '../../lib/clock.ts'
import type { Log } from '../../lib/log.ts'
import type { Store } from '../../store/open.ts'
import { RpcUnavailable } from '../chain/rpc.ts'
import { isLeaseOwnerGone } from '../ledger/lease-owner.ts'
import type { Ledger } from '../ledger/ledger.ts'
import { isLeased, paymentSlot } from '../ledger/ledger.ts'
import { OutcomeUnknown } from '../outcome-unknown.ts'
import type { PaymentSettings } from '../payment-settings.ts'
import type { ReorgCheck } from './reorg-check.ts'
import type { SettlementResolver } from './settlement-resolver.ts'

interface Deps {
  readonly store: Store
  readonly ledger: Ledger
  readonly resolver: SettlementResolver
  /** Absent without an RPC. */
  readonly reorgCheck: ReorgCheck | undefined
  readonly settings: Pick<PaymentSettings, 'chainId' | 'maxAgeMs'>
  readonly clock: Clock
  readonly log: Log
}

const droppedAtOnce = 50

/** Puts in order what processes left behind that died or lost their connection in the middle of a payment. */
export function createReconciler({
  store,
  ledger,
  resolver,
  reorgCheck: standings,
  settings,
  clock,
  log,
}: Deps) {
  const { chainId, maxAgeMs } = settings

  /** Calls whose process is gone, or that ran out of time, give their money back. */
  function releaseOrphans(): void {
    for (const charge of store.charges.reserved()) {
      if (isLeased(charge, clock.now()) && !isLeaseOwnerGone(charge.leaseOwner)) continue
      ledger.release(charge.id)
      log.warn('released the hold of a call that never ended', {
        charge: charge.id,
        payment: charge.paymentId,
      })
    }
  }

  async function resolveOpen(): Promise<void> {
    for (const payment of store.payments.open()) {
      const charge = store.charges.bySlot(paymentSlot(payment.id))
      if (charge?.state === 'reserved') continue
      if (payment.state === 'reserved') {
        ledger.abandon(payment.id, 'reserved')
        continue
      }
      const outcome = await resolver.resolve(payment).catch(unknownOnly)
      // What never reached the network, and was never answered, must not keep its nonce from others.
      if (outcome === 'idle' && payment.settlerNonce !== null) ledger.freeNonce(payment)
      log.info('looked after an open settlement', { payment: payment.id, outcome })
    }
  }

  /** What the chain dropped may come back in another block, with the same hash. */
  async function lookForDropped(): Promise<void> {
    for (const payment of store.paymentList.newest('reorged', droppedAtOnce)) {
      if (payment.chainId !== chainId || clock.now() - payment.createdAtMs > maxAgeMs) continue
      const presence = await standings?.check(payment, payment.amountMicros).catch(unknownOnly)
      if (presence === 'stands') log.info('a payment that was dropped is back', { payment: payment.id })
    }
  }

  return async (): Promise<void> => {
    releaseOrphans()
    try {
      await resolveOpen()
      await lookForDropped()
    } catch (error) {
      if (!(error instanceof RpcUnavailable)) throw error
      log.warn('open settlements wait for the chain', { problem: error.message })
    }
  }
}

/** One payment of which nothing is known must not hold up the others. */
function unknownOnly(error: unknown): 'unknown' {
  if (error instanceof OutcomeUnknown) return 'unknown'
  throw error
}
