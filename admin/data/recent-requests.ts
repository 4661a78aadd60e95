/** One finished request, without its query: it may hold a signature. */
export interface RecentRequest {
  readonly atMs: number
  readonly id: string
  readonly method: string
  readonly path: string
  readonly status: number
  readonly durationMs: number
  /** `demo`, `key`, `payment`, or empty. */
  readonly auth: string
}

/** The last requests of this process but for those of the operator's own pages, and a way to follow the next ones. */
export interface RecentRequests {
  add(request: RecentRequest): void
  /** Newest first. */
  list(): readonly RecentRequest[]
  /** Tells the follower of each request from now on; the returned function stops that. */
  subscribe(follower: RequestSubscriber): () => void
  /** Ends every follower, those to come included: the process is about to stop. */
  end(): void
}

export interface RequestSubscriber {
  next(request: RecentRequest): void
  end(): void
}

export function createRecentRequests(capacity = 100): RecentRequests {
  const ring: RecentRequest[] = []
  const followers = new Set<RequestSubscriber>()
  let next = 0
  let hasEnded = false
  return {
    add(request) {
      if (/^\/(?:admin|assets)(?:\/|$)/.test(request.path)) return
      ring[next] = request
      next = (next + 1) % capacity
      for (const follower of followers) follower.next(request)
    },
    list: () => [...ring.slice(0, next).reverse(), ...ring.slice(next).reverse()],
    subscribe(follower) {
      if (hasEnded) follower.end()
      else followers.add(follower)
      return () => followers.delete(follower)
    },
    end() {
      hasEnded = true
      for (const follower of followers) follower.end()
    },
  }
}
