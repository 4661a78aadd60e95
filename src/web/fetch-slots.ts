import { addressBlock } from '../lib/address-block.ts'
import {
  type ConcurrencyLimiter,
  createConcurrencyLimiter,
  type Requester,
  type Slot,
  type Target,
} from './concurrency-limiter.ts'
import { createTransferRate, type TransferRate } from './transfer-rate.ts'

/** What all fetches of the process share. */
export interface FetchLimiters {
  readonly lookups: ConcurrencyLimiter
  readonly requests: ConcurrencyLimiter
}

export function createFetchLimiters(): FetchLimiters {
  return { lookups: createConcurrencyLimiter(), requests: createConcurrencyLimiter() }
}

/** The slots of one fetch, one after the other over all its redirects. */
export interface FetchSlots {
  lookup<T>(work: (slot: FetchSlot) => Promise<T>): Promise<T>
  /** Runs `work` in a slot that is counted for these targets. */
  request<T>(targets: readonly Target[], work: (slot: FetchSlot) => Promise<T>): Promise<T>
  /** How long it waited for slots until now, in ms: the sites are not to blame for that. */
  waitedMs(): number
}

export interface FetchSlot extends Pick<Slot, 'preempted' | 'retarget'> {
  /** From now on the pace goes by the bytes that this answers. */
  measure(bytes: () => number): void
}

/** With all waits together an answer comes before a connection is given up for idle. */
const waitMsMax = 10_000

export function createFetchSlots(slots: FetchLimiters, requesters: Iterable<Requester>): FetchSlots {
  let waitedMs = 0

  async function use<T>(
    limiter: ConcurrencyLimiter,
    pace: TransferRate,
    targets: readonly Target[],
    work: (slot: FetchSlot) => Promise<T>,
  ): Promise<T> {
    const queuedAt = performance.now()
    const slot = await limiter.acquire({
      requesters,
      targets,
      isSlow: pace.isSlow,
      waitMsMax: Math.max(0, waitMsMax - waitedMs),
    })
    waitedMs += performance.now() - queuedAt
    pace.start()
    try {
      return await work({ ...slot, measure: pace.start })
    } finally {
      pace.stop()
      slot.release()
    }
  }

  const lookupPace = createTransferRate()
  const requestPace = createTransferRate()
  return {
    lookup: (work) => use(slots.lookups, lookupPace, [], work),
    request: (targets, work) => use(slots.requests, requestPace, targets, work),
    waitedMs: () => waitedMs,
  }
}

/** A host bears a few requests at once; so does an address, under whatever names it is asked. */
const perHostMax = 2
const perAddressMax = 8

export function targetsOf(url: URL, address: string | undefined): readonly Target[] {
  const host = { name: `host ${url.hostname}`, max: perHostMax }
  if (address === undefined) return [host]
  return [host, { name: `address ${addressBlock(address)}`, max: perAddressMax }]
}
