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

interface RequestSubscriber {
  next(request: RecentRequest): void
  end(): void
}

export type RecentRequests = ReturnType<typeof createRecentRequests>

const capacity = 100

/** The last requests of this process, without those of the operator's area and of page assets. */
export function createRecentRequests() {
  const ring: RecentRequest[] = []
  const subscribers = new Set<RequestSubscriber>()
  let next = 0
  let hasEnded = false
  return {
    add(request: RecentRequest): void {
      if (/^\/(?:admin|assets)(?:\/|$)/.test(request.path)) return
      ring[next] = request
      next = (next + 1) % capacity
      for (const subscriber of subscribers) subscriber.next(request)
    },
    /** Newest first. */
    list: (): readonly RecentRequest[] => [...ring.slice(0, next).reverse(), ...ring.slice(next).reverse()],
    /** Passes each request from now on to the subscriber. Returns the function that unsubscribes. */
    subscribe(subscriber: RequestSubscriber): () => void {
      if (hasEnded) subscriber.end()
      else subscribers.add(subscriber)
      return () => subscribers.delete(subscriber)
    },
    /** Ends every subscriber, later ones included: the process is about to stop. */
    end(): void {
      hasEnded = true
      for (const subscriber of subscribers) subscriber.end()
    },
  }
}
