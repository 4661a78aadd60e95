import type { LRUCache } from 'lru-cache'
import { isWithin } from '../lib/clock.ts'
import { FetchFailure } from './fetch-failure.ts'
import { inBackground, type Requester } from './requester.ts'
import { createSingleFlight, isCapacityFailure, type Start } from './single-flight.ts'

/** Something on another site: what was read of it last, and how that has failed since. Times are ms since 1970, 0 for never. */
export class CachedSource<Value> {
  readonly key: string
  value: Value | undefined
  readAtMs = 0
  failure: FetchFailure | undefined
  failedAtMs = 0
  goneAtMs = 0
  isRefreshing = false

  constructor(key: string) {
    this.key = key
  }

  succeed(value: Value, atMs: number): void {
    this.value = value
    this.readAtMs = atMs
    this.failure = undefined
    this.failedAtMs = 0
    this.goneAtMs = 0
  }

  /** Notes a failure. The value that was read last stays. */
  fail(failure: FetchFailure, atMs: number): void {
    this.failure = failure
    this.failedAtMs = atMs
    this.goneAtMs ||= atMs
  }

  recentFailure(nowMs: number, spanMs: number): FetchFailure | undefined {
    return isWithin(this.failedAtMs, nowMs, spanMs) ? this.failure : undefined
  }
}

export interface SourceRequest {
  readonly requester: Requester
  /** Called before the source is read for this request alone. An error that it throws is the result. */
  readonly beforeRead?: (() => void) | undefined
}

export interface SourceCacheOptions<Value, Source extends CachedSource<Value>, Request> {
  readonly now: () => number
  readonly memory: LRUCache<string, Source>
  /** Reads a source; undefined if it has not changed. Rejects with FetchFailure. */
  readonly read: (
    source: Source,
    request: Request,
    ...flight: Parameters<Start<unknown>>
  ) => Promise<Value | undefined>
  readonly freshMs: (value: Value) => number
  readonly retryMs: number
  /** A failure may say nothing of its source; one for want of a slot never does. */
  readonly saysSomething?: (failure: FetchFailure, source: Source) => boolean
  /** Called with the outcome of each reading that says something of its source. */
  readonly record?: (source: Source, request: Request, isChanged: boolean) => void
  /** Resolves to false where another server reads the source again. */
  readonly claim?: (source: Source) => Promise<boolean>
}

/** A stale source is read again while its last value is in use, and keeps that where it fails. Equal requests are one. */
export function createSourceCache<
  Value,
  Source extends CachedSource<Value>,
  Request extends SourceRequest = SourceRequest,
>(options: SourceCacheOptions<Value, Source, Request>) {
  const { now, memory, freshMs, retryMs, saysSomething, record, claim } = options
  const flights = createSingleFlight<Source>()

  function isFresh({ value, readAtMs }: Source, staleMs = 0): boolean {
    return value !== undefined && isWithin(readAtMs, now(), freshMs(value) + staleMs)
  }

  async function outcome(source: Source, request: Request, ...flight: Parameters<Start<unknown>>) {
    try {
      const read = await options.read(source, request, ...flight)
      const value = read ?? source.value
      if (value === undefined) throw new FetchFailure('protocol_error')
      source.succeed(value, now())
      return read !== undefined
    } catch (failure) {
      const isOfSource = failure instanceof FetchFailure && !isCapacityFailure(failure)
      if (!isOfSource || saysSomething?.(failure, source) === false) throw failure
      source.fail(failure, now())
      return false
    }
  }

  /** Reads a source now. Resolves with that of the request which was first, also where it could not be read. */
  function read(source: Source, request: Request): Promise<Source> {
    const { key } = source
    return flights.join(key, request.requester, async (...flight) => {
      request.beforeRead?.()
      const isChanged = await outcome(source, request, ...flight)
      if (memory.maxSize > 0) {
        memory.delete(key)
        memory.set(key, source)
      }
      record?.(source, request, isChanged)
      return source
    })
  }

  async function readAgain(source: Source, request: Request): Promise<void> {
    source.isRefreshing = true
    try {
      if ((await claim?.(source)) === false) return
      await read(source, { ...request, requester: inBackground(request.requester), beforeRead: undefined })
    } catch {
      // Nobody waits for it: the next use tries again.
    } finally {
      source.isRefreshing = false
    }
  }

  return {
    isFresh,
    read,
    /** Reads a source again in the background if that is due, for the request that this returns. */
    refresh(source: Source, request: () => Request | undefined): void {
      if (source.value === undefined || source.isRefreshing) return
      const isDue = source.failure === undefined ? !isFresh(source) : !source.recentFailure(now(), retryMs)
      const due = isDue ? request() : undefined
      if (due !== undefined) void readAgain(source, due)
    },
  }
}
