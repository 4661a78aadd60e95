import { Counts } from '../lib/counts.ts'
import type { Waiter } from '../lib/waiter.ts'
import { operatorRequester, type Requester } from './requester.ts'

/** Something that bears only so much work at once, such as a host. */
export interface SlotTarget {
  readonly name: string
  readonly max: number
}

export interface SlotRequest {
  /** More requesters may join while the request waits. The one with the fewest slots decides its turn. */
  readonly requesters: Iterable<Requester>
  readonly targets: readonly SlotTarget[]
  /** Whether the work makes so little progress that it has to end when others wait. */
  readonly isSlow: () => boolean
  /** How long the request may wait for a slot, in ms; without effect where a waiter is named. */
  readonly waitMsMax?: number
  readonly waiter?: Waiter
}

/** A slot in use. */
export interface SlotHolder {
  readonly requester: Requester
  readonly request: SlotRequest
  readonly abort: AbortController
  targets: readonly string[]
}

/** The slots in use, counted for each requester and each target. */
export class SlotTable {
  readonly holders = new Set<SlotHolder>()
  readonly #overallMax: number
  readonly #perRequesterMax: number
  readonly #byRequester = new Counts()
  readonly #byTarget = new Counts()

  constructor(overallMax: number, perRequesterMax: number) {
    this.#overallMax = overallMax
    this.#perRequesterMax = perRequesterMax
  }

  /** How many slots a requester has, under the name that has the most. */
  load(requester: Requester): number {
    return this.#byRequester.max(requester.names)
  }

  /** How many slots the least loaded requester of a request has. */
  loadOf(request: SlotRequest): number {
    return this.load(this.#leastLoaded(request))
  }

  isFull(): boolean {
    return this.holders.size >= this.#overallMax
  }

  isCrowded({ name, max }: SlotTarget): boolean {
    return this.#byTarget.of(name) >= max
  }

  hasAllowance(request: SlotRequest): boolean {
    return this.loadOf(request) < this.#perRequesterMax
  }

  isAdmissible(request: SlotRequest): boolean {
    return !this.isFull() && !this.#isBlocked(request) && this.hasAllowance(request)
  }

  /** The admissible request whose requester has the fewest slots; the first of several. */
  mostDeserving<Item extends { readonly request: SlotRequest }>(waiting: readonly Item[]): Item | undefined {
    let best: Item | undefined
    let bestLoad = this.#perRequesterMax
    if (this.isFull()) return undefined
    for (const item of waiting) {
      // Most of a long queue waits for the same few targets.
      if (this.#isBlocked(item.request)) continue
      const load = this.loadOf(item.request)
      if (load >= bestLoad) continue
      best = item
      bestLoad = load
      if (load === 0) break
    }
    return best
  }

  add(request: SlotRequest): SlotHolder {
    const holder: SlotHolder = {
      requester: this.#leastLoaded(request),
      request,
      abort: new AbortController(),
      targets: namesOf(request.targets),
    }
    this.holders.add(holder)
    this.#byRequester.add(holder.requester.names, 1)
    this.#byTarget.add(holder.targets, 1)
    return holder
  }

  /** Returns false if nothing changed, or if the slot was released before. */
  retarget(holder: SlotHolder, targets: readonly SlotTarget[]): boolean {
    const names = namesOf(targets)
    if (!this.holders.has(holder) || isSame(names, holder.targets)) return false
    this.#byTarget.add(holder.targets, -1)
    holder.targets = names
    this.#byTarget.add(holder.targets, 1)
    return true
  }

  /** Returns false if the slot was released before. */
  remove(holder: SlotHolder): boolean {
    if (!this.holders.delete(holder)) return false
    this.#byRequester.add(holder.requester.names, -1)
    this.#byTarget.add(holder.targets, -1)
    return true
  }

  #leastLoaded({ requesters }: SlotRequest): Requester {
    let best: Requester | undefined
    for (const requester of requesters)
      if (best === undefined || this.load(requester) < this.load(best)) best = requester
    return best ?? operatorRequester
  }

  #isBlocked({ targets }: SlotRequest): boolean {
    for (const target of targets) if (this.isCrowded(target)) return true
    return false
  }
}

function isSame(names: readonly string[], others: readonly string[]): boolean {
  return names.length === others.length && names.every((name, index) => name === others[index])
}

function namesOf(targets: readonly SlotTarget[]): readonly string[] {
  return targets.map(({ name }) => name)
}
