import { type Clock, utcDay } from '../lib/clock.ts'
import type { Store } from '../store/open.ts'
import type { QuotaReservation, ReservationRequest } from '../store/postgres/quota-requests.ts'
import { lockPatienceMs, retryDelayMs } from '../store/retry-while-locked.ts'
import { isLocked } from '../store/store-error.ts'
import { createQuotaBatch } from './quota-batch.ts'

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

/**
 * Counts in batches, because a write for each call would halve the throughput. Calls join a batch, and the batch is one
 * transaction at the end of the event loop's turn; a call is answered when its batch is stored. Calls that come while
 * another process holds the write lock join the batch that waits.
 */
export function createMeter({ store, clock }: { readonly store: Store; readonly clock: Clock }): Meter {
  let waiting: WaitingCall[] = []
  let tries = 0

  function flush(): void {
    // What was released makes room for the calls that come after it.
    store.deferred.flush()
    const batch = waiting
    waiting = []
    let reservations: readonly QuotaReservation[]
    try {
      reservations = store.transaction(() => decide(batch))
    } catch (cause) {
      retryOrReject(batch, cause)
      return
    }
    tries = 0
    for (const [index, reservation] of reservations.entries()) batch[index]?.resolve(reservation)
  }

  /** While another process holds the write lock the calls wait for it, each until its own patience ends. */
  function retryOrReject(batch: readonly WaitingCall[], cause: unknown): void {
    const nowMs = performance.now()
    const error = new MeterUnavailable('The call could not be counted.', { cause })
    for (const call of batch) {
      if (isLocked(cause) && nowMs < call.deadlineMs) waiting.push(call)
      else call.reject(error)
    }
    if (waiting.length > 0) setTimeout(flush, retryDelayMs(tries))
    tries += 1
  }

  function decide(batch: readonly WaitingCall[]): readonly QuotaReservation[] {
    // The day is that of now: the one in which the calls came may have ended while they waited for other processes.
    const quotas = createQuotaBatch(store, utcDay(clock.now()))
    const reservations = batch.map(({ request }) => quotas.reserve(request))
    quotas.write()
    return reservations
  }

  return {
    reserve(request) {
      if (waiting.length === 0) setImmediate(flush)
      return new Promise((resolve, reject) => {
        waiting.push({ request, deadlineMs: performance.now() + lockPatienceMs, resolve, reject })
      })
    },
    release: (reservation) =>
      store.deferred.add(() => {
        const quotas = createQuotaBatch(store, reservation.day)
        quotas.release(reservation)
        quotas.write()
      }),
  }
}

/** A call in a batch: decided within the transaction, answered when it is stored. */
interface WaitingCall {
  readonly request: ReservationRequest
  /** Until when it waits for the write lock, by `performance.now()`. */
  readonly deadlineMs: number
  resolve(reservation: QuotaReservation): void
  reject(error: Error): void
}
