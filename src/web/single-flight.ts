import type { Requester } from './concurrency-limiter.ts'
import { FetchFailure } from './fetch-failure.ts'
import type { WebFetcher } from './web-fetcher.ts'

/** Work in flight that equal requests share. */
export interface SingleFlight<Result> {
  /**
   * What the work in flight under this key comes to, else what `start` begins. Whoever joins lends it their turn in
   * the queue; and where it fails for want of a slot, they try for themselves.
   */
  join(key: string, requester: Requester, start: Start<Result>): Promise<Result>
}

/** Begins the work. The fetcher asks for slots in the name of all who share it. */
export type Start<Result> = (onBehalfOf: (fetcher: WebFetcher) => WebFetcher) => Promise<Result>

/** Who has waited longer is told, before the connection is given up for idle. */
const retryMsMax = 5_000
/** More do not change anybody's turn by much. */
const requestersMax = 32

export function createSingleFlight<Result>(): SingleFlight<Result> {
  const flights = new Map<string, { readonly result: Promise<Result>; readonly requesters: Requester[] }>()

  function start(key: string, requester: Requester, work: Start<Result>): Promise<Result> {
    const requesters = [requester]
    const result = work((fetcher) => ({
      fetchPage: (url, options) => fetcher.fetchPage(url, { ...options, requesters }),
    })).finally(() => flights.delete(key))
    flights.set(key, { result, requesters })
    return result
  }

  return {
    async join(key, requester, work) {
      const current = flights.get(key)
      if (current === undefined) return start(key, requester, work)
      if (current.requesters.length < requestersMax) current.requesters.push(requester)
      const joinedAt = performance.now()
      try {
        return await current.result
      } catch (failure) {
        const isLate = performance.now() - joinedAt > retryMsMax
        if (isLate || !isCapacityFailure(failure)) throw failure
        return await (flights.get(key)?.result ?? start(key, requester, work))
      }
    },
  }
}

/** The site is not to blame: with more luck, or for another requester, the same fetch may succeed. */
export function isCapacityFailure(failure: unknown): boolean {
  return failure instanceof FetchFailure && (failure.code === 'busy' || failure.preempted)
}
