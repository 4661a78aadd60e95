import type { QuotaReservation, ReservationRequest } from './quota-reservation.ts'

/** A call in a batch, answered when it is stored. */
export interface WaitingCall {
  readonly request: ReservationRequest
  /** Until when it waits for the database, by `awakeNowMs`. */
  readonly deadlineMs: number
  resolve(reservation: QuotaReservation): void
  reject(error: Error): void
}

/** A release in a batch. */
export interface WaitingRelease {
  readonly reservation: QuotaReservation
  resolve(): void
}
