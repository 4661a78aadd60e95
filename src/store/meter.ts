import type { QuotaReservation, ReservationRequest } from './quota-reservation.ts'

/** Counts calls against daily quotas: exact over any number of processes, and after any crash. */
export interface Meter {
  /**
   * Counts `n` more in the bucket unless that would pass the limit. Resolves when it is stored. Rejects with
   * `MeterUnavailable`.
   */
  reserve(request: ReservationRequest): Promise<QuotaReservation>
  /**
   * Undoes a granted reservation on the day that it was counted on. The count never goes below zero. Never rejects:
   * what cannot be stored now is kept and stored later.
   */
  release(reservation: QuotaReservation): Promise<void>
}

/** The store could not count: nothing was granted and nothing was counted. Another try may succeed soon. */
export class MeterUnavailable extends Error {
  override readonly name = 'MeterUnavailable'
}
