import { type Clock, utcDay, utcHour } from '../lib/clock.ts'
import type { Store } from '../store/open.ts'
import { cardRowsMax, type SharedCard, sharesLock, withoutCard } from '../store/shares.ts'
import type { TrafficKind } from '../store/usage.ts'
import { previewNetworks } from './crawlers.ts'

export type TrafficLog = ReturnType<typeof createTrafficLog>

interface LogDeps {
  readonly store: Store
  readonly clock: Clock
  /** Counts stay in memory for so long, where a crash loses them. */
  readonly delayMs?: number
}

/** Counts by day what the meter does not count: free, refused and failed requests, free views; and by hour every answer. */
export function createTrafficLog({ store, clock, delayMs = 500 }: LogDeps) {
  const days = createTrafficTally()
  const hours = createTrafficTally()
  const timer = createTimer(flush, delayMs)

  async function flush(): Promise<void> {
    timer.clear()
    const ofDays = days.take()
    const ofHours = hours.take()
    if (ofDays.length === 0 && ofHours.length === 0) return
    try {
      await store.transaction(function* () {
        for (const { at, count, ...kind } of ofDays) yield* store.traffic.add(at, kind, count)
        for (const { at, endpoint, auth, status, count } of ofHours)
          yield* store.trafficHours.add(at, endpoint, auth, status, count)
      })
    } catch {
      // The store is busy or full: the counts are kept and tried again.
      for (const row of ofDays) days.add(row.at, row.endpoint, row.auth, row.status, row.count)
      for (const row of ofHours) hours.add(row.at, row.endpoint, row.auth, row.status, row.count)
      timer.start()
    }
  }

  return {
    /** A negative count takes back what was recorded on that UTC day. */
    record({ endpoint, auth, status }: TrafficKind, count = 1, day = utcDay(clock.now())): void {
      days.add(day, endpoint, auth, status, count)
      timer.start()
    },
    answered(endpoint: string, auth: string, status: string): void {
      hours.add(utcHour(clock.now()), endpoint, auth, status, 1)
      timer.start()
    },
    flush,
  }
}

interface TallyRow extends TrafficKind {
  readonly at: number
  count: number
}

function createTrafficTally() {
  // Replaced when it is emptied: what a cleared map held would stay until a full garbage collection.
  let rows = new Map<string, TallyRow>()
  /** The row that was added to last: calls that come together are mostly of one kind. */
  let last: TallyRow | undefined

  return {
    add(at: number, endpoint: string, auth: string, status: string, count: number): void {
      if (
        last !== undefined &&
        last.at === at &&
        last.endpoint === endpoint &&
        last.auth === auth &&
        last.status === status
      ) {
        last.count += count
        return
      }
      const name = `${at} ${endpoint} ${auth} ${status}`
      const row = rows.get(name) ?? { at, endpoint, auth, status, count: 0 }
      row.count += count
      rows.set(name, row)
      last = row
    },
    /** Empties the tally. Servers that store at once must take rows of a table in one order, so these are ordered. */
    take(): readonly TallyRow[] {
      const taken = [...rows].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, row]) => row)
      rows = new Map()
      last = undefined
      return taken.filter(({ count }) => count !== 0)
    },
  }
}

export type ShareLog = ReturnType<typeof createShareLog>

export type Share = Omit<SharedCard, 'day' | 'count'>

/** So many rows wait to be stored; further cards are not counted. Some 10 MB if every row is as long as can be. */
const waitingMax = 5_000
/** Few enough that other writers hardly wait for a step. */
const rowsAtOnce = 100

/** Counts previews of signed addresses by day, key, network and card. Stores the counts every half second. */
export function createShareLog({ store, clock, delayMs = 500 }: LogDeps) {
  // Replaced at each flush: what a cleared map held would stay until a full garbage collection.
  let waiting = new Map<string, SharedCard>()
  let rowsOfKeys = new Map<string, number>()
  const timer = createTimer(flush, delayMs)

  function add(card: SharedCard): void {
    const { keyId, day, network, address, count } = card
    const name = `${day} ${keyId} ${network} ${address}`
    const before = waiting.get(name)
    if (before !== undefined) {
      waiting.set(name, { ...before, count: before.count + count })
      return
    }
    if (waiting.size >= waitingMax) return
    const nameOfKey = `${day} ${keyId}`
    const rows = rowsOfKeys.get(nameOfKey) ?? 0
    if (rows >= cardRowsMax && address !== '') {
      add(withoutCard(card))
      return
    }
    rowsOfKeys.set(nameOfKey, rows + 1)
    waiting.set(name, card)
    timer.start()
  }

  async function flush(): Promise<void> {
    timer.clear()
    const rows = [...waiting.values()]
    waiting = new Map()
    rowsOfKeys = new Map()
    while (rows.length > 0) {
      const step = rows.slice(0, rowsAtOnce)
      try {
        await store.transaction(() => store.shares.add(step, previewNetworks.length), { locks: [sharesLock] })
      } catch {
        // The store is busy or full: the counts are kept and tried again.
        for (const row of rows) add(row)
        return
      }
      rows.splice(0, rowsAtOnce)
    }
  }

  return {
    record: (share: Share): void => add({ ...share, day: utcDay(clock.now()), count: 1 }),
    flush,
  }
}

function createTimer(work: () => unknown, delayMs: number) {
  let timer: ReturnType<typeof setTimeout> | undefined
  return {
    start(): void {
      if (timer !== undefined) return
      timer = setTimeout(work, delayMs)
      timer.unref()
    },
    clear(): void {
      clearTimeout(timer)
      timer = undefined
    },
  }
}
