import { FetchFailure } from './fetch-failure.ts'

/** Shares a bounded number of slots fairly: whoever holds the fewest comes first, and slow work makes room for others. */
export interface ConcurrencyLimiter {
  /** Rejects with `too_busy` when too many wait already, or for too long. */
  acquire(request: SlotRequest): Promise<Slot>
}

/** Somebody whom work is done for, by every name that it is counted under: its address, its key. Empty: ourselves. */
export type Requester = readonly string[]

export interface SlotRequest {
  /** More may join while the work waits; the one who holds the fewest slots decides about its turn. */
  readonly requesters: Iterable<Requester>
  readonly targets: readonly Target[]
  /** Whether the work goes on so slowly that it has to end when others wait. */
  readonly isSlow: () => boolean
  /** For how long it may wait, in ms. */
  readonly waitMsMax?: number
}

/** What work is done to, such as a host, and how much of it at once. */
export interface Target {
  readonly name: string
  readonly max: number
}

export interface Slot {
  /** Aborts when the slot is needed by others: the work has to end. */
  readonly preempted: AbortSignal
  /** From now on the slot counts for these targets, also where they have more than their maximum. */
  retarget(targets: readonly Target[]): void
  release(): void
}

interface Waiter {
  readonly request: SlotRequest
  readonly owner: Requester
  readonly grant: (slot: Slot) => void
  readonly refuse: () => void
}

interface Holder {
  readonly requester: Requester
  readonly request: SlotRequest
  readonly abort: AbortController
  targets: readonly Target[]
}

export function createConcurrencyLimiter({
  overallMax = 64,
  perRequesterMax = 16,
  waitingMax = 512,
  waitingPerRequesterMax = 64,
  waitMs = 10_000,
  preemptEveryMs = 200,
} = {}): ConcurrencyLimiter {
  const holders = new Set<Holder>()
  const waiters: Waiter[] = []
  const heldFor = createTally()
  const heldOf = createTally()
  const waitingFor = createTally()
  let preempting: ReturnType<typeof setInterval> | undefined

  function load(requester: Requester) {
    return heldFor.max(requester)
  }
  function namesOf(targets: readonly Target[]) {
    return targets.map(({ name }) => name)
  }

  function lightest({ requesters }: SlotRequest): Requester {
    const all = [...requesters]
    return all.reduce((one, other) => (load(other) < load(one) ? other : one), all[0] ?? [])
  }

  function isCrowded({ name, max }: Target) {
    return heldOf.of(name) >= max
  }

  function isAdmissible(request: SlotRequest) {
    return (
      holders.size < overallMax &&
      load(lightest(request)) < perRequesterMax &&
      !request.targets.some(isCrowded)
    )
  }

  function hold(request: SlotRequest): Slot {
    const requester = lightest(request)
    const holder: Holder = { requester, request, abort: new AbortController(), targets: request.targets }
    holders.add(holder)
    heldFor.add(requester, 1)
    heldOf.add(namesOf(holder.targets), 1)
    function retarget(targets: readonly Target[]) {
      heldOf.add(namesOf(holder.targets), -1)
      heldOf.add(namesOf(targets), 1)
      holder.targets = targets
    }
    return {
      preempted: holder.abort.signal,
      retarget: (targets) => {
        if (!holders.has(holder)) return
        retarget(targets)
        admit()
      },
      release() {
        if (!holders.delete(holder)) return
        heldFor.add(requester, -1)
        heldOf.add(namesOf(holder.targets), -1)
        admit()
      },
    }
  }

  /** Those who wait, whoever holds the fewest slots first; among equals the one who came first. */
  function admit(): void {
    for (;;) {
      const next = waiters
        .filter(({ request }) => isAdmissible(request))
        .reduce<Waiter | undefined>(
          (one, other) =>
            one === undefined || load(lightest(other.request)) < load(lightest(one.request)) ? other : one,
          undefined,
        )
      if (next === undefined) return
      leave(next)
      next.grant(hold(next.request))
    }
  }

  function leave(waiter: Waiter): void {
    waiters.splice(waiters.indexOf(waiter), 1)
    waitingFor.add(waiter.owner, -1)
    if (waiters.length > 0) return
    clearInterval(preempting)
    preempting = undefined
  }

  /**
   * Ends slow work of those who hold more slots than the ones who wait for them, one for each who waits. A slow site
   * is slow for everybody: for a place there nobody is ended who would only change places with the one who waits.
   */
  function preempt(): void {
    // Others may have joined those who wait.
    admit()
    const wanted = createTally()
    function makePlace(place: string, candidates: readonly Holder[], loadMin: number) {
      wanted.add([place], 1)
      const ending = candidates.filter(({ abort }) => abort.signal.aborted).length
      if (ending < wanted.of(place)) endSlow(candidates, loadMin)
    }
    for (const { request } of [...waiters]) {
      const own = load(lightest(request))
      if (own >= perRequesterMax) continue
      if (holders.size >= overallMax) makePlace('', [...holders], own + 1)
      for (const { name } of request.targets.filter(isCrowded)) {
        const there = [...holders].filter(({ targets }) => targets.some((target) => target.name === name))
        makePlace(name, there, own + 2)
      }
    }
  }

  /** Of these ends the slow one whose requester holds the most, where that is at least `loadMin`. */
  function endSlow(candidates: readonly Holder[], loadMin: number): void {
    const [victim] = candidates
      .filter(({ abort, requester, request }) => {
        return !abort.signal.aborted && load(requester) >= loadMin && request.isSlow()
      })
      .sort((one, other) => load(other.requester) - load(one.requester))
    victim?.abort.abort()
  }

  function wait(request: SlotRequest, owner: Requester): Promise<Slot> {
    return new Promise((resolve, reject) => {
      function refuse() {
        clearTimeout(timer)
        leave(waiter)
        reject(new FetchFailure('too_busy'))
      }
      function grant(slot: Slot) {
        clearTimeout(timer)
        resolve(slot)
      }
      const timer = setTimeout(refuse, Math.min(waitMs, request.waitMsMax ?? waitMs))
      const waiter: Waiter = { request, owner, grant, refuse }
      waiters.push(waiter)
      waitingFor.add(owner, 1)
      preempting ??= setInterval(preempt, preemptEveryMs)
    })
  }

  /** A full queue is made room in at the cost of whoever has the most in it. Returns whether there is room now. */
  function makeRoom(owner: Requester): boolean {
    if (waiters.length < waitingMax) return true
    const most = waiters.reduceRight((one, other) =>
      waitingFor.max(other.owner) > waitingFor.max(one.owner) ? other : one,
    )
    if (waitingFor.max(most.owner) <= waitingFor.max(owner) + 1) return false
    most.refuse()
    return true
  }

  return {
    async acquire(request) {
      const owner = [...request.requesters][0] ?? []
      if (isAdmissible(request)) return hold(request)
      if (waitingFor.max(owner) >= waitingPerRequesterMax || !makeRoom(owner))
        throw new FetchFailure('too_busy')
      return wait(request, owner)
    },
  }
}

/** Counts by name; what is at zero takes no room. */
function createTally() {
  const counts = new Map<string, number>()
  function of(name: string) {
    return counts.get(name) ?? 0
  }
  return {
    of,
    max: (names: readonly string[]) => Math.max(0, ...names.map(of)),
    add(names: readonly string[], change: number): void {
      for (const name of names) {
        const count = of(name) + change
        if (count === 0) counts.delete(name)
        else counts.set(name, count)
      }
    },
  }
}
