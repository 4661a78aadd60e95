import { FetchFailure } from './fetch-failure.ts'
import type { Requester } from './requester.ts'
import type { WebFetcher } from './web-fetcher.ts'

/** Starts the work. It has to fetch through `onBehalfOf(fetcher)`, which takes slots for all requesters that share it. */
export type Start<Result> = (onBehalfOf: (fetcher: WebFetcher) => WebFetcher) => Promise<Result>

/** After a longer wait there is no retry: the client may soon give its connection up as idle. */
const retryWaitMsMax = 5_000
/** More requesters would hardly bring the work forward in the queue. */
const requestersMax = 32

/** Shares work in progress between equal requests. */
export function createSingleFlight<Result>() {
  const inFlight = new Map<string, { readonly result: Promise<Result>; readonly requesters: Requester[] }>()

  function start(key: string, requester: Requester, work: Start<Result>): Promise<Result> {
    const requesters = [requester]
    const result = work((fetcher) => ({
      fetchPage: (url, options) => fetcher.fetchPage(url, { ...options, requesters }),
      reserve: (host, counts) => fetcher.reserve(host, counts, requesters),
    })).finally(() => inFlight.delete(key))
    inFlight.set(key, { result, requesters })
    return result
  }

  return {
    /**
     * Returns the result of the work in progress under this key, or starts it. The fetches of shared work take slots for
     * all requesters that joined. If they get none, each requester tries once more by itself.
     */
    async join(key: string, requester: Requester, work: Start<Result>): Promise<Result> {
      const current = inFlight.get(key)
      if (current === undefined) return start(key, requester, work)
      if (current.requesters.length < requestersMax) current.requesters.push(requester)
      const joinedAt = performance.now()
      try {
        return await current.result
      } catch (failure) {
        const isLate = performance.now() - joinedAt > retryWaitMsMax
        if (isLate || !isCapacityFailure(failure)) throw failure
        return await (inFlight.get(key)?.result ?? start(key, requester, work))
      }
    },
  }
}

/** Whether a fetch failed for want of a slot, so that it says nothing about the site. */
export function isCapacityFailure(failure: unknown): boolean {
  return failure instanceof FetchFailure && (failure.code === 'busy' || failure.preempted)
}
