/** A call that asks to be counted. */
export interface ReservationRequest {
  readonly bucket: string
  /** Null: counted without limit. */
  readonly limit: number | null
  /** 1 unless given. 0 asks whether one more would be granted, and counts nothing. */
  readonly n?: number
  /** With both of these the call is part of the traffic statistics. */
  readonly endpoint?: string
  readonly auth?: string
  /** Names a thing that counts once a day in this bucket: when it was counted today it is granted and free. */
  readonly dedupKey?: string | undefined
  /** The key row that the caller decided on. When it has changed since, nothing is granted and `stale` says so. */
  readonly expectedRevision?: { readonly keyId: string; readonly revision: number }
}

/** What became of it. */
export interface QuotaReservation {
  readonly request: ReservationRequest
  readonly granted: boolean
  readonly stale: boolean
  /** How much this take added to the bucket. */
  readonly counted: number
  /** The UTC day it was decided on. */
  readonly day: number
  readonly used: number
  readonly limit: number | null
  readonly remaining: number | null
  readonly resetsAtMs: number
}
