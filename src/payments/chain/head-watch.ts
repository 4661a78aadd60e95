import type { Chain } from './chain.ts'
import type { Block } from './chain-types.ts'

/** Waits for blocks on behalf of many requests with one poller. */
export interface HeadWatch {
  /** The first head above `number`, or undefined when there was none by `deadlineMs` of `performance.now()`. */
  above(number: number, deadlineMs: number): Promise<Block | undefined>
  stop(): void
}

interface Waiter {
  readonly number: number
  readonly deadlineMs: number
  resolve(head: Block | undefined): void
  reject(error: unknown): void
}

export function createHeadWatch(chain: Pick<Chain, 'head'>, pollMs: number): HeadWatch {
  const waiters = new Set<Waiter>()
  let timer: ReturnType<typeof setTimeout> | undefined

  async function look(): Promise<void> {
    try {
      const head = await chain.head()
      for (const waiter of waiters) {
        if (head.number > waiter.number) settle(waiter, () => waiter.resolve(head))
      }
    } catch (error) {
      for (const waiter of waiters) settle(waiter, () => waiter.reject(error))
    }
    for (const waiter of waiters) {
      if (performance.now() >= waiter.deadlineMs) settle(waiter, () => waiter.resolve(undefined))
    }
    timer = undefined
    schedule()
  }

  function schedule(): void {
    if (waiters.size === 0 || timer !== undefined) return
    const soonest = Math.min(...[...waiters].map((waiter) => waiter.deadlineMs)) - performance.now()
    timer = setTimeout(look, Math.max(Math.min(pollMs, soonest), 1))
  }

  function settle(waiter: Waiter, answer: () => void): void {
    waiters.delete(waiter)
    answer()
  }

  return {
    above: (number, deadlineMs) =>
      new Promise((resolve, reject) => {
        waiters.add({ number, deadlineMs, resolve, reject })
        schedule()
      }),
    stop() {
      clearTimeout(timer)
      for (const waiter of waiters) settle(waiter, () => waiter.resolve(undefined))
    },
  }
}
