/** What the supervisor says to a worker. */
export type ToWorker =
  | { readonly kind: 'report'; readonly round: number }
  | { readonly kind: 'total'; readonly question: number; readonly total: unknown }

/** What a worker says to the supervisor. */
export type ToSupervisor =
  /** It listens. */
  | { readonly kind: 'ready' }
  | { readonly kind: 'report'; readonly round: number; readonly report: unknown }
  /** It wants to know what all reports together say, at most so old. */
  | { readonly kind: 'question'; readonly question: number; readonly maxAgeMs: number }
