/** Limits of the discovery of one site. `deadlineAtMs` is on the clock of `performance.now()`. */
export interface CrawlLimits {
  readonly deadlineAtMs: number
  readonly pagesMax: number
  readonly bytesMax: number
  readonly requestsMax: number
}

/** What one discovery has used of its limits. */
export interface CrawlBudget {
  readonly requests: () => number
  /** Counts a request and returns the milliseconds and bytes left for it, or undefined if it may not be made. */
  readonly reserve: (
    kind: 'file' | 'page',
  ) => { readonly totalMs: number; readonly bytesMax: number } | undefined
  readonly isOverdue: () => boolean
  readonly addBytes: (bytes: number) => void
}

export function createCrawlBudget(limits: CrawlLimits): CrawlBudget {
  let requests = 0
  let bytes = 0
  let pages = 0
  return {
    requests: () => requests,
    isOverdue: () => performance.now() >= limits.deadlineAtMs,
    addBytes: (more) => {
      bytes += more
    },
    reserve(kind) {
      const totalMs = limits.deadlineAtMs - performance.now()
      const bytesMax = limits.bytesMax - bytes
      if (totalMs < 100 || bytesMax < 1_024 || requests >= limits.requestsMax) return undefined
      if (kind === 'page' && pages >= limits.pagesMax) return undefined
      if (kind === 'page') pages += 1
      requests += 1
      return { totalMs, bytesMax }
    },
  }
}
