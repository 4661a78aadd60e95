import { runOnce } from '../lib/run-once.ts'
import type { ChangeWatch } from '../store/change-watch.ts'
import type { Meter, QuotaReservation } from '../store/meter.ts'
import type { AuthorizationRequest, Granted } from './authorization.ts'

/** The grant of a call that a quota was reserved for. A refund releases the reservation. */
export function grantByQuota(mode: 'demo' | 'key', meter: Meter, reservation: QuotaReservation): Granted {
  return {
    granted: true,
    mode,
    quota: reservation,
    refund: runOnce(() => meter.release(reservation)),
  }
}

export async function nothingToRefund(): Promise<void> {}

/** The grant of a call that is not signed, by somebody who has the answer: nothing was counted. */
export const demoRevalidation: Granted = { granted: true, mode: 'demo', refund: nothingToRefund }

/** HEAD is decided like GET, and counts nothing. */
export function callsToCount({ method }: AuthorizationRequest): number {
  return method === 'HEAD' ? 0 : 1
}

/**
 * Returns the grant of an address that counts once: a view where it was counted before, else one whose refund makes it
 * unknown again. Grants given since then rest on the count just refunded, so they have to be asked for again.
 */
export function addressGrant(
  grant: Granted,
  { counted }: Pick<QuotaReservation, 'counted'>,
  changes: Pick<ChangeWatch, 'note'>,
  forget: () => void,
): Granted {
  if (counted === 0) return { ...grant, isView: true }
  const refund = runOnce(async () => {
    forget()
    await grant.refund()
    changes.note()
  })
  return { ...grant, refund }
}
