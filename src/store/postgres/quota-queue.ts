import { type AwakeTimeout, awakeNowMs, setAwakeTimeout } from '../../lib/awake-time.ts'
import { MeterUnavailable } from '../meter.ts'
import type { QuotaReservation, ReservationRequest } from '../quota-reservation.ts'
import { StoreError } from '../store-error.ts'
import type { WaitingCall, WaitingRelease } from '../waiting-call.ts'
import { patienceMs } from './database-link.ts'

/** Calls and releases that wait to be sent, in the order in which they came. */
export interface QuotaQueue {
  addCall(request: ReservationRequest): Promise<QuotaReservation>
  addRelease(reservation: QuotaReservation): Promise<void>
  /** Removes what fits into one batch. */
  take(): Entries
  /** Puts back what was taken and is certainly not stored, in front of all others. */
  putBack(entries: Entries): void
  /** How many calls and releases wait. */
  size(): number
  /** Refuses every call, and lets nobody wait for a release any more. The releases stay. */
  stopWaiting(cause: unknown): void
}

export interface Entries {
  readonly calls: readonly WaitingCall[]
  readonly releases: readonly WaitingRelease[]
}

/** Few enough that nobody waits long for the locks of a batch. */
const entriesMax = 500

export function createQuotaQueue(): QuotaQueue {
  let calls: WaitingCall[] = []
  let releases: WaitingRelease[] = []
  let timer: AwakeTimeout | undefined

  /** Refuses the calls whose time is over. Those that came first are in front. */
  function expire(): void {
    timer = undefined
    const nowMs = awakeNowMs()
    const expired = calls.findIndex(({ deadlineMs }) => deadlineMs > nowMs)
    const over = calls.splice(0, expired === -1 ? calls.length : expired)
    for (const { reject } of over) reject(unavailable(new Error('It waited too long.')))
    schedule()
  }

  function schedule(): void {
    const [first] = calls
    if (first === undefined || timer !== undefined) return
    timer = setAwakeTimeout(expire, first.deadlineMs - awakeNowMs())
  }

  return {
    addCall: (request) =>
      new Promise((resolve, reject) => {
        calls.push({ request, deadlineMs: awakeNowMs() + patienceMs, resolve, reject })
        schedule()
      }),
    addRelease: (reservation) => new Promise((resolve) => releases.push({ reservation, resolve })),
    take: () => ({ calls: calls.splice(0, entriesMax), releases: releases.splice(0, entriesMax) }),
    putBack(entries) {
      calls = [...entries.calls, ...calls]
      releases = [...entries.releases, ...releases]
      schedule()
    },
    size: () => calls.length + releases.length,
    stopWaiting(cause) {
      const refused = calls
      calls = []
      for (const { reject } of refused) reject(unavailable(cause))
      for (const { resolve } of releases) resolve()
    },
  }
}

/** Nothing was granted. What may have been counted is given back. */
export function unavailable(cause: unknown): MeterUnavailable {
  const reason = cause instanceof Error ? cause.message : String(cause)
  const fault = new StoreError('failing', `The call could not be counted (DATABASE_URL): ${reason}`, cause)
  return new MeterUnavailable('The call could not be counted.', { cause: fault })
}
