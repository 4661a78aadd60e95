import { createCoalescer, type Waiter } from '../lib/waiter.ts'
import { FetchFailure } from './fetch-failure.ts'
import type { Requester } from './requester.ts'
import type { WebFetcher } from './web-fetcher.ts'

/** It has to fetch through `onBehalfOf(fetcher)`, which takes slots for all requesters that share it. */
export type Start<Result> = (
  onBehalfOf: (fetcher: WebFetcher) => WebFetcher,
  waiter: Waiter,
) => Promise<Result>

/** After a longer wait there is no retry. */
const retryWaitMsMax = 5_000
/** More requesters would hardly bring the work forward in the queue. */
const requestersMax = 32

export function createSingleFlight<Result>() {
  const coalesce = createCoalescer<Result>()
  const inFlight = new Map<string, Requester[]>()

  function share(key: string, requester: Requester, work: Start<Result>): Promise<Result> {
    const others = inFlight.get(key)
    if (others !== undefined && others.length < requestersMax) others.push(requester)
    function start(waiter: Waiter): Promise<Result> {
      const requesters = [requester]
      inFlight.set(key, requesters)
      return work(
        (fetcher) => ({
          fetchPage: (url, options) => fetcher.fetchPage(url, { ...options, requesters, waiter }),
          reserve: (host, counts) => fetcher.reserve(host, counts, requesters),
        }),
        waiter,
      ).finally(() => {
        if (inFlight.get(key) === requesters) inFlight.delete(key)
      })
    }
    return coalesce(key, start, requester.waiter)
  }

  return {
    /** Fetches take slots for all who joined; if they get none, each tries once more alone. @throws WaitEnded */
    async join(key: string, requester: Requester, work: Start<Result>): Promise<Result> {
      if (!inFlight.has(key)) return share(key, requester, work)
      const joinedAt = performance.now()
      try {
        return await share(key, requester, work)
      } catch (failure) {
        const isLate = performance.now() - joinedAt > retryWaitMsMax
        if (isLate || !isCapacityFailure(failure)) throw failure
        return await share(key, requester, work)
      }
    },
  }
}

/** A fetch that failed for want of a slot says nothing about the site. */
export function isCapacityFailure(failure: unknown): boolean {
  return failure instanceof FetchFailure && failure.code === 'busy'
}
