import { SharedWaiter, type Waiter } from './waiter.ts'

/**
 * Request coalescing: concurrent calls with the same key share one run, its result and its error. The work waits in queues
 * for all of them: a call whose `waiter` has to leave does so alone. Work that is done at once is not shared.
 */
export function createCoalescer<Result>() {
  const running = new Map<string, { readonly waiter: SharedWaiter; readonly result: Promise<Result> }>()

  return <Made extends Result | Promise<Result>>(
    key: string,
    work: (waiter: Waiter) => Made,
    waiter?: Waiter,
  ): Made | Promise<Result> => {
    const current = running.get(key)
    // Work that everybody has left comes to nothing.
    if (current !== undefined && !current.waiter.hasEnded())
      return current.waiter.join(waiter)(current.result)
    const shared = new SharedWaiter()
    const follow = shared.join(waiter)
    const made = work(shared)
    if (!(made instanceof Promise)) return made
    const result: Promise<Result> = made.finally(() => {
      if (running.get(key)?.waiter === shared) running.delete(key)
    })
    running.set(key, { waiter: shared, result })
    return follow(result)
  }
}
