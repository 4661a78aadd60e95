import type { Chain } from './chain.ts'
import type { Block } from './chain-types.ts'

interface Waiter {
  readonly number: number
  readonly deadlineMs: number
  resolve(head: Block | undefined): void
  reject(error: unknown): void
}

/** Waits for blocks on behalf of many requests with one poller. */
export function createHeadWatch(chain: Chain, pollMs: number) {
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
    /** The first head above `number`, or undefined when there was none by `deadlineMs` of `performance.now()`. */
    above(number: number, deadlineMs: number): Promise<Block | undefined> {
      const { promise, resolve, reject } = Promise.withResolvers<Block | undefined>()
      waiters.add({ number, deadlineMs, resolve, reject })
      schedule()
      return promise
    },
    stop(): void {
      clearTimeout(timer)
      for (const waiter of waiters) settle(waiter, () => waiter.resolve(undefined))
    },
  }
}
