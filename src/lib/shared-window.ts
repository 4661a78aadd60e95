import type { ClientBlock } from './client-blocks.ts'

/** Actions of one client at one time. */
export interface WindowEntry {
  readonly blocks: readonly ClientBlock[]
  atMs: number
  count: number
  /** Whether everybody's actions were given back. The client keeps its own. */
  isGivenBack: boolean
}

/** The actions of all clients in the last `windowMs`. */
export class SharedWindow {
  readonly #windowMs: number
  #entries: WindowEntry[] = []
  readonly #used = new Map<string, number>()
  #givenBack = 0
  total = 0

  constructor(windowMs: number) {
    this.#windowMs = windowMs
  }

  /**
   * Whether a client may have `count` actions of the `max`: it may use what others leave, but never the last quarter, which
   * is for clients that have had less than an eighth. `shareMax` bounds what one client may have before that.
   */
  leavesRoom(
    max: number,
    blocks: readonly ClientBlock[],
    count: number,
    shareMax = max * usualPart,
  ): boolean {
    if (!this.hasLeft(max, blocks, count)) return false
    const isUsual = this.total + count <= max * usualPart && this.isWithin(shareMax, blocks, count)
    return isUsual || this.isWithin(Math.max(1, max * newcomerPart), blocks, count)
  }

  /** Whether there are `count` actions of the `max` left, however much the client has had. */
  hasLeft(max: number, blocks: readonly ClientBlock[], count: number): boolean {
    return this.total + count <= max && this.isWithin(max, blocks, count)
  }

  add(blocks: readonly ClientBlock[], count: number, atMs: number): WindowEntry {
    const entry = { blocks, count, atMs, isGivenBack: false }
    this.#entries.push(entry)
    this.#change(entry, count)
    return entry
  }

  /** Whether an entry is not forgotten. */
  has(entry: WindowEntry): boolean {
    return this.#entries.includes(entry)
  }

  isEmpty(): boolean {
    return this.#entries.length === 0
  }

  /** Changes how many actions an entry has, unless it is forgotten. */
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
    const isOver = ({ atMs }: WindowEntry) => atMs > nowMs || nowMs - atMs >= this.#windowMs
    if (!this.#entries.some(isOver)) return
    for (const entry of this.#entries.filter(isOver)) this.#change(entry, -entry.count)
    this.#entries = this.#entries.filter((entry) => !isOver(entry))
  }

  msUntilFirstEnds(nowMs: number): number {
    const [first] = this.#entries
    return first === undefined ? 0 : this.#windowMs - (nowMs - first.atMs)
  }

  /** Whether each block of a client would have at most its share, however many actions others have had. */
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
