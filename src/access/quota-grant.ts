import { runOnce } from '../lib/run-once.ts'
import type { Meter } from '../store/meter.ts'
import type { QuotaReservation } from '../store/quota-reservation.ts'
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
