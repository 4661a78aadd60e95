/** Counts calls against daily quotas: exact over any number of processes, and after any crash. */
export interface Meter {
  /** Counts `n` more in the bucket unless that would pass the limit. Rejects with `MeterUnavailable`. */
  reserve(request: ReservationRequest): Promise<QuotaReservation>
  /** Undoes a granted reservation on its day. Never rejects: what cannot be stored now is stored later. */
  release(reservation: QuotaReservation): Promise<void>
}

/** The store could not count: nothing was granted and nothing was counted. Another try may succeed soon. */
export class MeterUnavailable extends Error {
  override readonly name = 'MeterUnavailable'
}

export interface ReservationRequest {
  readonly bucket: string
  readonly limit: number | null
  /** 1 unless given. 0 asks whether one more would be granted, and counts nothing. */
  readonly n?: number
  /** With both of these the call is part of the traffic statistics. */
  readonly endpoint?: string
  readonly auth?: string
  /** A call with this key counts once a day in its bucket; after that it is granted and free. */
  readonly dedupKey?: string | undefined
  /** It counts once for as long as it is asked for; after that it is granted and free. It needs `expectedRevision`. */
  readonly address?: CountedAddress | undefined
  readonly expectedRevision?: ExpectedRevision
}

/** A signed address, as the store knows it. The deduplication key beside it is the name that it was counted under before. */
export interface CountedAddress {
  readonly keyId: string
  readonly digest: string
  /** The version of the secret that the call was signed with. */
  readonly version: number
}

interface ExpectedRevision {
  readonly keyId: string
  readonly revision: number
  /** The generation of all keys when it was read, or an earlier one. */
  readonly generation?: number
}

export interface QuotaReservation {
  readonly request: ReservationRequest
  readonly granted: boolean
  /** The key has another revision than the request expected; nothing is granted then. */
  readonly stale: boolean
  readonly counted: number
  /** The UTC day it counts on, in days since 1970-01-01. */
  readonly day: number
  readonly used: number
  readonly limit: number | null
  readonly remaining: number | null
  readonly resetsAtMs: number
}

/** A call in a batch, answered when it is stored. */
export interface WaitingCall {
  readonly request: ReservationRequest
  /** Until when it waits for the database, by `awakeNowMs`. */
  readonly deadlineMs: number
  resolve(reservation: QuotaReservation): void
  reject(error: Error): void
}

export interface WaitingRelease {
  readonly reservation: QuotaReservation
  resolve(): void
}
