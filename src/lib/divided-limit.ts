import { LRUCache } from 'lru-cache'
import { type ClientBlock, clientBlocks } from './client-blocks.ts'

interface DividedLimitOptions {
  /** Actions of everybody together in any window. */
  readonly max: number
  readonly windowMs: number
  /** Milliseconds. */
  readonly now: () => number
  /** Whether clients are told apart: behind a proxy that is not trusted, all have one address. Called with each client. */
  readonly isDivided?: (client: string) => boolean
}

export type DividedLimit = ReturnType<typeof createDividedLimit>

/** Actions of a client at one time. */
interface Entry {
  readonly atMs: number
  readonly blocks: readonly ClientBlock[]
  readonly count: number
  /** Whether everybody's actions were given back. The client keeps its own. */
  isGivenBack: boolean
}

/**
 * A budget for each key that many clients share without a credential of their own. A client may use what others leave, but
 * never the last quarter, which is for clients that have had less than an eighth of the budget: so whoever comes first
 * cannot spend it for all.
 */
export function createDividedLimit({ max, windowMs, now, isDivided = () => true }: DividedLimitOptions) {
  const windows = new LRUCache<string, Window>({ max: 20_000 })

  function windowOf(key: string): Window {
    const window = windows.get(key) ?? new Window(windowMs)
    windows.set(key, window)
    window.forget(now())
    return window
  }

  function mayTake(window: Window, blocks: readonly ClientBlock[], count: number, divided: boolean) {
    if (window.total + count > max) return false
    if (!divided) return blocks.every((each) => window.usedBy(each) + count <= max)
    const usual = max * 0.75
    const isWithinUsual =
      window.total + count <= usual &&
      blocks.every((each) => window.usedBy(each) + count <= usual * each.weight)
    return isWithinUsual || blocks.every((each) => window.usedBy(each) + count <= (max / 8) * each.weight)
  }

  return {
    /** Takes `count` actions of the key for the client, and returns whether there were so many left. */
    acquire(key: string, client: string, count = 1): boolean {
      const window = windowOf(key)
      const blocks = clientBlocks(client)
      if (!mayTake(window, blocks, count, isDivided(client))) return false
      window.add({ atMs: now(), blocks, count, isGivenBack: false })
      return true
    },
    /** Gives the newest action of the client back to everybody. The client itself has used it. */
    giveBack(key: string, client: string): void {
      windows.get(key)?.giveBack(clientBlocks(client)[0]?.name)
    },
    /** The seconds until the oldest actions of the key are forgotten, at least 1. */
    waitSeconds: (key: string): number =>
      Math.max(1, Math.ceil(windowOf(key).msUntilFirstEnds(now()) / 1000)),
  }
}

/** The actions of one key in the last `windowMs`. */
class Window {
  readonly #windowMs: number
  #entries: Entry[] = []
  readonly #used = new Map<string, number>()
  total = 0

  constructor(windowMs: number) {
    this.#windowMs = windowMs
  }

  usedBy({ name }: ClientBlock): number {
    return this.#used.get(name) ?? 0
  }

  add(entry: Entry): void {
    this.#entries.push(entry)
    this.#count(entry, entry.count)
    this.total += entry.count
  }

  giveBack(block: string | undefined): void {
    const entry = this.#entries.findLast(
      ({ blocks, isGivenBack }) => !isGivenBack && blocks[0]?.name === block,
    )
    if (entry === undefined) return
    entry.isGivenBack = true
    this.total -= entry.count
  }

  forget(nowMs: number): void {
    const isOver = ({ atMs }: Entry) => atMs > nowMs || nowMs - atMs >= this.#windowMs
    if (!this.#entries.some(isOver)) return
    for (const entry of this.#entries.filter(isOver)) {
      this.#count(entry, -entry.count)
      if (!entry.isGivenBack) this.total -= entry.count
    }
    this.#entries = this.#entries.filter((entry) => !isOver(entry))
  }

  msUntilFirstEnds(nowMs: number): number {
    const [first] = this.#entries
    return first === undefined ? 0 : this.#windowMs - (nowMs - first.atMs)
  }

  #count({ blocks }: Entry, change: number): void {
    for (const { name } of blocks) {
      const used = (this.#used.get(name) ?? 0) + change
      if (used === 0) this.#used.delete(name)
      else this.#used.set(name, used)
    }
  }
}
