import { awakeNowMs, type Clock, utcDay } from '../../lib/clock.ts'
import {
  MeterUnavailable,
  type QuotaReservation,
  type ReservationRequest,
  type WaitingCall,
  type WaitingRelease,
} from '../meter.ts'
import type { Sqlite } from '../sqlite.ts'
import { findStoreError, isLocked, lockPatienceMs, retryDelayMs } from '../store-error.ts'
import { createQuotaBatch, prepareQuotaStatements, type QuotaStatements } from './quota-batch.ts'

/** While nobody waits for an answer. */
const releaseDelayMsMax = 1_000

/**
 * Counts in batches, because a write for each call would halve the throughput. A batch is one transaction at the end
 * of the event loop's turn. Calls that come while another process holds the write lock join the batch that waits.
 */
export function createSqliteMeter(sqlite: Sqlite, clock: Clock) {
  const statements = prepareQuotaStatements(sqlite)
  let calls: WaitingCall[] = []
  let releases: WaitingRelease[] = []
  let tries = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  let isScheduled = false

  function schedule(): void {
    if (!isScheduled) setImmediate(flush)
    isScheduled = true
  }

  function flush(): void {
    clearTimeout(timer)
    isScheduled = false
    const batch = calls
    const released = releases
    if (batch.length === 0 && released.length === 0) return
    calls = []
    releases = []
    let reservations: readonly QuotaReservation[]
    try {
      // The day is that of now: the one in which the calls came may have ended while they waited for other processes.
      reservations = sqlite.transaction(() => decide(statements, utcDay(clock.now()), batch, released))
    } catch (cause) {
      retryOrReject(batch, released, cause)
      return
    }
    tries = 0
    for (const { resolve } of released) resolve()
    for (const [index, reservation] of reservations.entries()) batch[index]?.resolve(reservation)
  }

  /** While another process holds the lock, calls wait, each until its patience ends. Nobody waits for releases. */
  function retryOrReject(batch: readonly WaitingCall[], released: readonly WaitingRelease[], cause: unknown) {
    const nowMs = awakeNowMs()
    const error = new MeterUnavailable('The call could not be counted.', { cause })
    for (const call of batch) {
      if (isLocked(cause) && nowMs < call.deadlineMs) calls.push(call)
      else call.reject(error)
    }
    for (const { resolve } of released) resolve()
    if (findStoreError(cause) !== undefined) releases = [...released, ...releases]
    if (calls.length > 0) timer = setTimeout(flush, retryDelayMs(tries))
    else if (releases.length > 0) timer = setTimeout(flush, retryDelayMs(tries, releaseDelayMsMax)).unref()
    tries += 1
  }

  return {
    reserve(request: ReservationRequest): Promise<QuotaReservation> {
      if (calls.length === 0) schedule()
      const deadlineMs = awakeNowMs() + lockPatienceMs
      return new Promise((resolve, reject) => calls.push({ request, deadlineMs, resolve, reject }))
    },
    release(reservation: QuotaReservation): Promise<void> {
      schedule()
      return new Promise((resolve) => releases.push({ reservation, resolve }))
    },
    flush,
  }
}

function decide(
  statements: QuotaStatements,
  today: number,
  calls: readonly WaitingCall[],
  releases: readonly WaitingRelease[],
): readonly QuotaReservation[] {
  // Releases come first, because they make room for the calls.
  for (const { reservation } of releases) {
    const quotas = createQuotaBatch(statements, reservation.day)
    quotas.release(reservation)
    quotas.write()
  }
  const quotas = createQuotaBatch(statements, today)
  const reservations = calls.map(({ request }) => quotas.reserve(request))
  quotas.write()
  return reservations
}
