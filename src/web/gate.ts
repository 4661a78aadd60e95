import { FetchFailure } from './failure.ts'

/** Lets a bounded number through at once, overall and for each key; the others wait in order. */
export interface Gate {
  /** Resolves to the release function. Rejects with `too_busy` when too many wait already, or for too long. */
  enter(key: string): Promise<() => void>
}

interface Waiter {
  readonly key: string
  readonly admit: () => void
}

export const createGate = ({
  overall = 64,
  perKey = 2,
  waiting = 512,
  waitingPerKey = 64,
  waitMs = 10_000,
} = {}): Gate => {
  const active = new Map<string, number>()
  const queue: Waiter[] = []
  let total = 0

  const isOpen = (key: string) => total < overall && (active.get(key) ?? 0) < perKey
  const isFull = (key: string) =>
    queue.length >= waiting || queue.filter((waiter) => waiter.key === key).length >= waitingPerKey

  const release = (key: string) => {
    total -= 1
    const left = (active.get(key) ?? 1) - 1
    if (left === 0) active.delete(key)
    else active.set(key, left)
    const next = queue.findIndex((waiter) => isOpen(waiter.key))
    if (next >= 0) queue.splice(next, 1)[0]?.admit()
  }

  const take = (key: string) => {
    total += 1
    active.set(key, (active.get(key) ?? 0) + 1)
    let held = true
    return () => {
      if (held) release(key)
      held = false
    }
  }

  const wait = (key: string) =>
    new Promise<() => void>((resolve, reject) => {
      const waiter = {
        key,
        admit: () => {
          clearTimeout(timer)
          resolve(take(key))
        },
      }
      const giveUp = () => {
        queue.splice(queue.indexOf(waiter), 1)
        reject(new FetchFailure('too_busy'))
      }
      const timer = setTimeout(giveUp, waitMs)
      queue.push(waiter)
    })

  return {
    async enter(key) {
      if (isOpen(key)) return take(key)
      if (isFull(key)) throw new FetchFailure('too_busy')
      return wait(key)
    },
  }
}
