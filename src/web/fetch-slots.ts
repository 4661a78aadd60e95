import { addressBlock } from '../lib/client-blocks.ts'
import type { Waiter } from '../lib/waiter.ts'
import type { ConcurrencyLimiter, Slot } from './concurrency-limiter.ts'
import type { Requester } from './requester.ts'
import type { SlotTarget } from './slot-table.ts'

/** The limiters that all fetches of the process share. */
export interface FetchLimiters {
  readonly lookups: ConcurrencyLimiter
  readonly requests: ConcurrencyLimiter
}

export interface FetchSlot extends Pick<Slot, 'preempted' | 'retarget'> {
  /** Measures the transfer rate by this count of received bytes from now on. */
  measure(bytesReceived: () => number): void
}

/** All waits together of a fetch without a waiter. */
const waitMsMax = 10_000

/** The slots that one fetch uses, one after the other over all its redirects. */
export function createFetchSlots(
  { lookups, requests }: FetchLimiters,
  requesters: Iterable<Requester>,
  waiter?: Waiter,
) {
  let waitedMs = 0

  /** Returns a function that runs `work` in a slot that is counted for these targets. */
  function slotsOf(limiter: ConcurrencyLimiter) {
    const rate = createTransferRate()
    return async <T>(targets: readonly SlotTarget[], work: (slot: FetchSlot) => Promise<T>): Promise<T> => {
      const queuedAt = performance.now()
      const slot = await limiter.acquire({
        requesters,
        targets,
        isSlow: rate.isSlow,
        ...(waiter === undefined ? { waitMsMax: Math.max(0, waitMsMax - waitedMs) } : { waiter }),
      })
      // A name that is looked up is not yet a request to the site.
      if (limiter === requests) waiter?.begin()
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
/** Connections to one address or IPv6 network, under whatever host names it is reached. */
const perAddressMax = 8

export function targetsOf(url: URL, address: string | undefined): readonly SlotTarget[] {
  const host = { name: `host ${url.hostname}`, max: perHostMax }
  if (address === undefined) return [host]
  return [host, { name: `address ${addressBlock(address)}`, max: perAddressMax }]
}

/** Measures how fast bytes arrive, over all the time in which a fetch held a slot. */
function createTransferRate() {
  let earlierMs = 0
  let earlierBytes = 0
  let startedAtMs: number | undefined
  let currentBytes = () => 0

  function elapsedMs() {
    return earlierMs + (startedAtMs === undefined ? 0 : performance.now() - startedAtMs)
  }

  return {
    /** Starts the clock. `bytesReceived` returns the bytes received since then. */
    start(bytesReceived = () => 0): void {
      startedAtMs ??= performance.now()
      currentBytes = bytesReceived
    },
    stop(): void {
      earlierMs = elapsedMs()
      earlierBytes += currentBytes()
      startedAtMs = undefined
      currentBytes = () => 0
    },
    isSlow: (): boolean =>
      elapsedMs() > graceMs && (earlierBytes + currentBytes()) * 1_000 < bytesPerSecondMin * elapsedMs(),
  }
}

/** At this rate a page of 100 KB takes longer than any fetch may. */
const bytesPerSecondMin = 8_192
/** A site may take this long to answer before it counts as slow. */
const graceMs = 2_000
