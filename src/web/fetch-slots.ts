import { addressBlock } from '../lib/address-block.ts'
import { type ConcurrencyLimiter, createConcurrencyLimiter, type Slot } from './concurrency-limiter.ts'
import type { Requester, Target } from './slot-table.ts'
import { createTransferRate, type TransferRate } from './transfer-rate.ts'

/** The limiters that all fetches of the process share. */
export interface FetchLimiters {
  readonly lookups: ConcurrencyLimiter
  readonly requests: ConcurrencyLimiter
}

export function createFetchLimiters(): FetchLimiters {
  return { lookups: createConcurrencyLimiter(), requests: createConcurrencyLimiter() }
}

/** The slots that one fetch uses, one after the other over all its redirects. */
export interface FetchSlots {
  lookup<T>(work: (slot: FetchSlot) => Promise<T>): Promise<T>
  /** Runs `work` in a slot that is counted for these targets. */
  request<T>(targets: readonly Target[], work: (slot: FetchSlot) => Promise<T>): Promise<T>
  /** How long the fetch has waited for slots, in ms. This time is not the site's fault. */
  waitedMs(): number
}

export interface FetchSlot extends Pick<Slot, 'preempted' | 'retarget'> {
  /** Measures the transfer rate by this count of received bytes from now on. */
  measure(bytesReceived: () => number): void
}

/** Over all waits of one fetch, so that an answer comes before a client gives its connection up as idle. */
const waitMsMax = 10_000

export function createFetchSlots(limiters: FetchLimiters, requesters: Iterable<Requester>): FetchSlots {
  let waitedMs = 0

  async function use<T>(
    limiter: ConcurrencyLimiter,
    rate: TransferRate,
    targets: readonly Target[],
    work: (slot: FetchSlot) => Promise<T>,
  ): Promise<T> {
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

  const lookupRate = createTransferRate()
  const requestRate = createTransferRate()
  return {
    lookup: (work) => use(limiters.lookups, lookupRate, [], work),
    request: (targets, work) => use(limiters.requests, requestRate, targets, work),
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
