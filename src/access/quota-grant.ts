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

/** HEAD is decided like GET, and counts nothing. */
export function callsToCount({ method }: AuthorizationRequest): number {
  return method === 'HEAD' ? 0 : 1
}

/** Runs `action` at the first call and shares its outcome with all later ones. */
export function runOnce(action: () => Promise<void>): () => Promise<void> {
  let outcome: Promise<void> | undefined
  return () => {
    outcome ??= action()
    return outcome
  }
}
