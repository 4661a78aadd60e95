import { Counts } from '../lib/counts.ts'
import { queuedMsMax } from '../lib/waiter.ts'
import { FetchFailure } from './fetch-failure.ts'
import { preemptSlowWork } from './preempt-slow-work.ts'
import { operatorRequester, type Requester } from './requester.ts'
import { type SlotRequest, SlotTable, type SlotTarget } from './slot-table.ts'

export interface Slot {
  /** Aborts when others need the slot: the work has to end. */
  readonly preempted: AbortSignal
  /** Counts the slot for these targets from now on, even if that exceeds their maximum. */
  retarget(targets: readonly SlotTarget[]): void
  release(): void
}

interface Waiter {
  readonly request: SlotRequest
  /** The requester whose place in the queue this is. */
  readonly owner: Requester
  readonly grant: (slot: Slot) => void
  readonly refuse: () => void
}

const defaultLimits = {
  overallMax: 64,
  perRequesterMax: 16,
  waitingMax: 512,
  waitingPerRequesterMax: 64,
  waitMs: 10_000,
  preemptEveryMs: 200,
}

/** Shares a bounded number of slots fairly: the requester with the fewest slots comes first, and slow work ends when others wait. */
export class ConcurrencyLimiter {
  readonly #limits: typeof defaultLimits
  readonly #slots: SlotTable
  readonly #waiters: Waiter[] = []
  readonly #waitingByRequester = new Counts()
  #preempting: ReturnType<typeof setInterval> | undefined

  constructor(limits: Partial<typeof defaultLimits> = {}) {
    this.#limits = { ...defaultLimits, ...limits }
    this.#slots = new SlotTable(this.#limits.overallMax, this.#limits.perRequesterMax)
  }

  /** Waits for a slot. Rejects with FetchFailure `too_busy` if the queue is full or the wait is too long. */
  async acquire(request: SlotRequest): Promise<Slot> {
    const owner = [...request.requesters][0] ?? operatorRequester
    if (this.#slots.isAdmissible(request)) return this.#takeSlot(request)
    const isOwnersFull = this.#waitingOf(owner) >= this.#limits.waitingPerRequesterMax
    if (isOwnersFull || !this.#makeRoom(owner)) throw new FetchFailure('too_busy')
    return this.#wait(request, owner)
  }

  #waitingOf(owner: Requester): number {
    return this.#waitingByRequester.max(owner.names)
  }

  #takeSlot(request: SlotRequest): Slot {
    const holder = this.#slots.add(request)
    return {
      preempted: holder.abort.signal,
      retarget: (targets) => {
        if (this.#slots.retarget(holder, targets)) this.#admit()
      },
      release: () => {
        if (this.#slots.remove(holder)) this.#admit()
      },
    }
  }

  #wait(request: SlotRequest, owner: Requester): Promise<Slot> {
    const { waitMs, preemptEveryMs } = this.#limits
    return new Promise((resolve, reject) => {
      const refuse = (error: Error = new FetchFailure('too_busy')) => {
        stopWaiting?.()
        clearTimeout(timer)
        this.#leave(waiter)
        reject(error)
      }
      const grant = (slot: Slot) => {
        stopWaiting?.()
        clearTimeout(timer)
        resolve(slot)
      }
      const stopWaiting = request.waiter?.enter(refuse)
      // A request that nobody waits for leaves the queue as well.
      const waitMsMax =
        request.waiter === undefined ? Math.min(waitMs, request.waitMsMax ?? waitMs) : queuedMsMax
      const timer = setTimeout(() => refuse(), waitMsMax)
      const waiter: Waiter = { request, owner, grant, refuse }
      this.#waiters.push(waiter)
      this.#waitingByRequester.add(owner.names, 1)
      this.#preempting ??= setInterval(() => this.#preempt(), preemptEveryMs)
    })
  }

  /** Refuses the last request of the requester that has the most in a full queue. Returns whether there is room now. */
  #makeRoom(owner: Requester): boolean {
    if (this.#waiters.length < this.#limits.waitingMax) return true
    const victim = this.#waiters.reduceRight((one, other) =>
      this.#waitingOf(other.owner) > this.#waitingOf(one.owner) ? other : one,
    )
    if (this.#waitingOf(victim.owner) <= this.#waitingOf(owner) + 1) return false
    victim.refuse()
    return true
  }

  /** Grants free slots: to the requester with the fewest slots first, in order of arrival between equals. */
  #admit(): void {
    for (;;) {
      const next = this.#slots.mostDeserving(this.#waiters)
      if (next === undefined) return
      this.#leave(next)
      next.grant(this.#takeSlot(next.request))
    }
  }

  #leave(waiter: Waiter): void {
    this.#waiters.splice(this.#waiters.indexOf(waiter), 1)
    this.#waitingByRequester.add(waiter.owner.names, -1)
    if (this.#waiters.length > 0) return
    clearInterval(this.#preempting)
    this.#preempting = undefined
  }

  #preempt(): void {
    // A requester that joined a waiting request may have made it admissible.
    this.#admit()
    preemptSlowWork(
      this.#waiters.map(({ request }) => request),
      this.#slots,
    )
  }
}
