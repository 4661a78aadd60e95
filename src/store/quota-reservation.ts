/** A request to count a call in a bucket. */
export interface ReservationRequest {
  readonly bucket: string
  /** Null: counted without limit. */
  readonly limit: number | null
  /** 1 unless given. 0 asks whether one more would be granted, and counts nothing. */
  readonly n?: number
  /** With both of these the call is part of the traffic statistics. */
  readonly endpoint?: string
  readonly auth?: string
  /** A call with this key counts once a day in its bucket; after that it is granted and free. */
  readonly dedupKey?: string | undefined
  /** The revision of the key that the caller decided on. */
  readonly expectedRevision?: ExpectedRevision
}

export interface ExpectedRevision {
  readonly keyId: string
  readonly revision: number
  /** The generation of all keys when it was read, or an earlier one. */
  readonly generation?: number
}

/** The outcome of a request to count a call. */
export interface QuotaReservation {
  readonly request: ReservationRequest
  readonly granted: boolean
  /** Whether the key has another revision than the request expected; nothing is granted then. */
  readonly stale: boolean
  /** Calls that this reservation added to the bucket. */
  readonly counted: number
  /** The UTC day it counts on, in days since 1970-01-01. */
  readonly day: number
  readonly used: number
  readonly limit: number | null
  readonly remaining: number | null
  readonly resetsAtMs: number
}
