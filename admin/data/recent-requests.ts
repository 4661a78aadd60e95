/** A finished request. Its query is left out, because it may hold a signature. */
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

/** The last requests of this process, without those of the operator's area and of page assets. */
export interface RecentRequests {
  add(request: RecentRequest): void
  /** Newest first. */
  list(): readonly RecentRequest[]
  /** Passes each request from now on to the subscriber. Returns the function that unsubscribes. */
  subscribe(subscriber: RequestSubscriber): () => void
  /** Ends every subscriber, later ones included: the process is about to stop. */
  end(): void
}

export interface RequestSubscriber {
  next(request: RecentRequest): void
  end(): void
}

export function createRecentRequests(capacity = 100): RecentRequests {
  const ring: RecentRequest[] = []
  const subscribers = new Set<RequestSubscriber>()
  let next = 0
  let hasEnded = false
  return {
    add(request) {
      if (/^\/(?:admin|assets)(?:\/|$)/.test(request.path)) return
      ring[next] = request
      next = (next + 1) % capacity
      for (const subscriber of subscribers) subscriber.next(request)
    },
    list: () => [...ring.slice(0, next).reverse(), ...ring.slice(next).reverse()],
    subscribe(subscriber) {
      if (hasEnded) subscriber.end()
      else subscribers.add(subscriber)
      return () => subscribers.delete(subscriber)
    },
    end() {
      hasEnded = true
      for (const subscriber of subscribers) subscriber.end()
    },
  }
}
