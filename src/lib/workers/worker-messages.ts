/** Messages from the supervisor to a worker. */
export type ToWorker =
  | { readonly kind: 'report'; readonly round: number }
  | { readonly kind: 'total'; readonly question: number; readonly total: unknown }

/** Messages from a worker to the supervisor. */
export type ToSupervisor =
  /** The worker listens. */
  | { readonly kind: 'ready' }
  | { readonly kind: 'report'; readonly round: number; readonly report: unknown }
  /** Asks for the sum of all reports, at most this old. */
  | { readonly kind: 'question'; readonly question: number; readonly maxAgeMs: number }
