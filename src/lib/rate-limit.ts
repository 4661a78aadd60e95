import { LRUCache } from 'lru-cache'
import { type ClientBlock, clientBlocks } from './client-addresses.ts'
import { minuteMs } from './clock.ts'

/** The part of a limit that each process of a server has, which is at least one action. */
export function partOf(limit: number, processes = 1): number {
  return Math.min(limit, Math.max(1, limit / processes))
}

export type RateLimit = ReturnType<typeof createRateLimit>

/** A token bucket for each client, an address with its blocks or any name: `perMinute`, as many at once after a quiet minute. */
export function createRateLimit(perMinute: number, now: () => number) {
  const buckets = new LRUCache<string, { readonly left: number; readonly atMs: number }>({ max: 60_000 })

  function leftOf({ name, weight }: ClientBlock, atMs: number): number {
    const full = perMinute * weight
    const bucket = buckets.get(name) ?? { left: full, atMs }
    // Where the clock was set back, no time has passed.
    const passedMs = Math.max(0, atMs - bucket.atMs)
    return Math.min(full, bucket.left + (passedMs / minuteMs) * full)
  }

  function secondsUntilOne(block: ClientBlock, atMs: number): number {
    const left = leftOf(block, atMs)
    const perSecond = Math.max(perMinute * block.weight, 1) / 60
    return left >= 1 ? 0 : Math.max(1, Math.ceil((1 - left) / perSecond))
  }

  function secondsToWait(blocks: readonly ClientBlock[], atMs: number): number {
    return Math.max(...blocks.map((block) => secondsUntilOne(block, atMs)))
  }

  return {
    /** Takes a token and returns 0, or takes none and returns the seconds to wait. */
    acquire(client: string): number {
      const atMs = now()
      const blocks = clientBlocks(client)
      const waitSeconds = secondsToWait(blocks, atMs)
      for (const block of blocks) {
        const left = leftOf(block, atMs)
        buckets.set(block.name, { left: waitSeconds === 0 ? left - 1 : left, atMs })
      }
      return waitSeconds
    },
    waitSeconds: (client: string): number => secondsToWait(clientBlocks(client), now()),
  }
}

interface DividedLimitOptions {
  /** Actions a minute. */
  readonly max: number
  readonly now: () => number
  /** Behind a proxy that is not trusted, all clients have one address. Called with each client. */
  readonly isDivided?: (client: string) => boolean
}

export type DividedLimit = ReturnType<typeof createDividedLimit>

/** The last quarter of a budget is for clients that have had less than an eighth: so the first cannot spend it for all. */
export function createDividedLimit({ max, now, isDivided = () => true }: DividedLimitOptions) {
  const windows = new LRUCache<string, SharedWindow>({ max: 20_000 })

  function windowOf(key: string): SharedWindow {
    const window = windows.get(key) ?? new SharedWindow()
    windows.set(key, window)
    window.forget(now())
    return window
  }

  return {
    /** Takes `count` actions if they are left. @param part of the budget that this kind may use together with all others */
    acquire(key: string, client: string, count = 1, part = 1): boolean {
      const window = windowOf(key)
      const blocks = clientBlocks(client)
      const isFree = isDivided(client)
        ? window.leavesRoom(max * part, blocks, count)
        : window.hasLeft(max * part, blocks, count)
      if (!isFree) return false
      window.add(blocks, count, now())
      return true
    },
    /** Gives the client's newest action back to everybody else, in a window at most twice the budget, so that there is a bound. */
    giveBack(key: string, client: string): void {
      windows.get(key)?.giveBack(clientBlocks(client)[0]?.name, 2 * max)
    },
    waitSeconds: (key: string): number =>
      Math.max(1, Math.ceil(windowOf(key).msUntilFirstEnds(now()) / 1000)),
  }
}

export interface WindowEntry {
  readonly blocks: readonly ClientBlock[]
  atMs: number
  count: number
  /** Everybody's actions were given back. The client keeps its own. */
  isGivenBack: boolean
}

/** Actions of the last minute, by client. */
export class SharedWindow {
  #entries: WindowEntry[] = []
  readonly #used = new Map<string, number>()
  #givenBack = 0
  total = 0

  /** The last quarter is for clients that have had less than an eighth. `shareMax` bounds what one has before that. */
  leavesRoom(max: number, blocks: readonly ClientBlock[], count: number, shareMax = max * usualPart) {
    if (!this.hasLeft(max, blocks, count)) return false
    const isUsual = this.total + count <= max * usualPart && this.isWithin(shareMax, blocks, count)
    return isUsual || this.isWithin(Math.max(1, max * newcomerPart), blocks, count)
  }

  /** Says whether `count` actions of the `max` are left, however much the client has had. */
  hasLeft(max: number, blocks: readonly ClientBlock[], count: number): boolean {
    return this.total + count <= max && this.isWithin(max, blocks, count)
  }

  add(blocks: readonly ClientBlock[], count: number, atMs: number): WindowEntry {
    const entry = { blocks, count, atMs, isGivenBack: false }
    this.#entries.push(entry)
    this.#change(entry, count)
    return entry
  }

  has(entry: WindowEntry): boolean {
    return this.#entries.includes(entry)
  }

  isEmpty(): boolean {
    return this.#entries.length === 0
  }

  resize(entry: WindowEntry, count: number): void {
    if (!this.has(entry)) return
    this.#change(entry, count - entry.count)
    entry.count = count
  }

  /** Gives the newest action of the client back to everybody, unless `max` of them were given back already. */
  giveBack(block: string | undefined, max: number): void {
    const entry = this.#entries.findLast(
      ({ blocks, isGivenBack }) => !isGivenBack && blocks[0]?.name === block,
    )
    if (entry === undefined || this.#givenBack + entry.count > max) return
    entry.isGivenBack = true
    this.total -= entry.count
    this.#givenBack += entry.count
  }

  /** Forgets what is over. A time that is still to come is from before the clock was set back. */
  forget(nowMs: number): void {
    const isOver = ({ atMs }: WindowEntry) => atMs > nowMs || nowMs - atMs >= minuteMs
    if (!this.#entries.some(isOver)) return
    for (const entry of this.#entries.filter(isOver)) this.#change(entry, -entry.count)
    this.#entries = this.#entries.filter((entry) => !isOver(entry))
  }

  msUntilFirstEnds(nowMs: number): number {
    const [first] = this.#entries
    return first === undefined ? 0 : minuteMs - (nowMs - first.atMs)
  }

  /** Each block of a client has at most its share, however many actions others have had. */
  isWithin(share: number, blocks: readonly ClientBlock[], count: number): boolean {
    return blocks.every(({ name, weight }) => (this.#used.get(name) ?? 0) + count <= share * weight)
  }

  #change({ blocks, isGivenBack }: WindowEntry, change: number): void {
    if (isGivenBack) this.#givenBack += change
    else this.total += change
    for (const { name } of blocks) {
      const used = (this.#used.get(name) ?? 0) + change
      if (used === 0) this.#used.delete(name)
      else this.#used.set(name, used)
    }
  }
}

/** The part of a budget that is not kept for clients that have had little of it. */
export const usualPart = 0.75
/** A client that has had less than this part of a budget may use what is kept. */
export const newcomerPart = 0.125
