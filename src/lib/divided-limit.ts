import { LRUCache } from 'lru-cache'
import { clientBlocks } from './client-blocks.ts'
import { SharedWindow } from './shared-window.ts'

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

/**
 * A budget for each key that many clients share without a credential of their own. A client may use what others leave, but
 * never the last quarter, which is for clients that have had less than an eighth of the budget: so whoever comes first
 * cannot spend it for all.
 */
export function createDividedLimit({ max, windowMs, now, isDivided = () => true }: DividedLimitOptions) {
  const windows = new LRUCache<string, SharedWindow>({ max: 20_000 })

  function windowOf(key: string): SharedWindow {
    const window = windows.get(key) ?? new SharedWindow(windowMs)
    windows.set(key, window)
    window.forget(now())
    return window
  }

  return {
    /**
     * Takes `count` actions of the key for the client, and returns whether there were so many left.
     * @param part the part of the budget that actions of this kind may use together with all others
     */
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
    /**
     * Gives the newest action of the client back to everybody. The client itself has used it. At most twice the budget is
     * given back in a window, because many clients together must not act without bound.
     */
    giveBack(key: string, client: string): void {
      windows.get(key)?.giveBack(clientBlocks(client)[0]?.name, 2 * max)
    },
    /** The seconds until the oldest actions of the key are forgotten, at least 1. */
    waitSeconds: (key: string): number =>
      Math.max(1, Math.ceil(windowOf(key).msUntilFirstEnds(now()) / 1000)),
  }
}
