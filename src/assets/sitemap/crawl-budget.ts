/** What one discovery may cost. */
export interface CrawlLimits {
  readonly deadlineAtMs: number
  readonly pagesMax: number
  readonly bytesMax: number
  readonly requestsMax: number
}

export interface CrawlBudget {
  readonly requests: () => number
  /** Milliseconds and bytes left for the next request, or null when it may not be made. Pages are counted by themselves. */
  readonly reserve: (kind: 'file' | 'page') => { readonly totalMs: number; readonly bytesMax: number } | null
  readonly isOverdue: () => boolean
  readonly addBytes: (bytes: number) => void
}

export function createCrawlBudget(budget: CrawlLimits): CrawlBudget {
  let requests = 0
  let bytes = 0
  let pages = 0
  return {
    requests: () => requests,
    isOverdue: () => performance.now() >= budget.deadlineAtMs,
    addBytes: (more) => {
      bytes += more
    },
    reserve(kind) {
      const totalMs = budget.deadlineAtMs - performance.now()
      const bytesMax = budget.bytesMax - bytes
      if (totalMs < 100 || bytesMax < 1_024 || requests >= budget.requestsMax) return null
      if (kind === 'page' && pages >= budget.pagesMax) return null
      if (kind === 'page') pages += 1
      requests += 1
      return { totalMs, bytesMax }
    },
  }
}
