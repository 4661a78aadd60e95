import { type Clock, utcDay } from '../lib/clock.ts'
import type { Store } from '../store/open.ts'
import { cardRowsMax, type SharedCard, sharesLock, withoutCard } from '../store/shares.ts'
import { previewNetworks } from './crawlers.ts'

export type ShareLog = ReturnType<typeof createShareLog>

/** A card that a link-preview crawler was given. */
export type Share = Omit<SharedCard, 'day' | 'count'>

interface ShareLogDeps {
  readonly store: Pick<Store, 'transaction' | 'shares'>
  readonly clock: Clock
  /** How long counts stay in memory, where a crash loses them. */
  readonly delayMs?: number
}

/** How many rows wait to be stored; further cards are not counted. Some 10 MB if every row is as long as can be. */
const waitingMax = 5_000
/** Few enough that other writers hardly wait for a step. */
const rowsAtOnce = 100

/** Counts previews of signed addresses by day, key, network and card. Stores the counts every half second. */
export function createShareLog({ store, clock, delayMs = 500 }: ShareLogDeps) {
  // Replaced at each flush: what a cleared map held would stay until a full garbage collection.
  let waiting = new Map<string, SharedCard>()
  let rowsOfKeys = new Map<string, number>()
  let timer: ReturnType<typeof setTimeout> | undefined

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
    schedule()
  }

  function schedule(): void {
    if (timer !== undefined) return
    timer = setTimeout(flush, delayMs)
    timer.unref()
  }

  /** Stores the counts now. To be called before the store is closed. */
  async function flush(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
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
