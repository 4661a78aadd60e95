import { addressBlock } from '../lib/address-block.ts'
import { ConcurrencyLimiter, type Slot } from './concurrency-limiter.ts'
import type { Requester, Target } from './slot-table.ts'
import { createTransferRate } from './transfer-rate.ts'

/** The limiters that all fetches of the process share. */
export interface FetchLimiters {
  readonly lookups: ConcurrencyLimiter
  readonly requests: ConcurrencyLimiter
}

export function createFetchLimiters(): FetchLimiters {
  return { lookups: new ConcurrencyLimiter(), requests: new ConcurrencyLimiter() }
}

export interface FetchSlot extends Pick<Slot, 'preempted' | 'retarget'> {
  /** Measures the transfer rate by this count of received bytes from now on. */
  measure(bytesReceived: () => number): void
}

/** Over all waits of one fetch, so that an answer comes before a client gives its connection up as idle. */
const waitMsMax = 10_000

/** The slots that one fetch uses, one after the other over all its redirects. */
export function createFetchSlots({ lookups, requests }: FetchLimiters, requesters: Iterable<Requester>) {
  let waitedMs = 0

  /** Returns a function that runs `work` in a slot that is counted for these targets. */
  function slotsOf(limiter: ConcurrencyLimiter) {
    const rate = createTransferRate()
    return async <T>(targets: readonly Target[], work: (slot: FetchSlot) => Promise<T>): Promise<T> => {
      const queuedAt = performance.now()
      const slot = await limiter.acquire({
        requesters,
        targets,
        isSlow: rate.isSlow,
        waitMsMax: Math.max(0, waitMsMax - waitedMs),
      })
      waitedMs += performance.now() - queuedAt
      rate.start()
      try {
        return await work({ ...slot, measure: rate.start })
      } finally {
        rate.stop()
        slot.release()
      }
    }
  }

  return {
    lookup: slotsOf(lookups),
    request: slotsOf(requests),
    /** How long the fetch has waited for slots, in ms. This time is not the site's fault. */
    waitedMs: () => waitedMs,
  }
}

const perHostMax = 2
/** Of one address or IPv6 network, under whatever host names it is reached. */
const perAddressMax = 8

export function targetsOf(url: URL, address: string | undefined): readonly Target[] {
  const host = { name: `host ${url.hostname}`, max: perHostMax }
  if (address === undefined) return [host]
  return [host, { name: `address ${addressBlock(address)}`, max: perAddressMax }]
}
