import { type AwakeTimeout, setAwakeTimeout } from '../../lib/awake-time.ts'
import { StoreError } from '../store-error.ts'

/** A bounded number of places, given to those who wait longest. */
export interface Semaphore {
  /** Resolves when this caller has a place. Rejects with a `StoreError` after some time. */
  enter(): Promise<void>
  /** Hands the place to the caller that has waited longest. */
  leave(): void
  /** Whether every place is free. */
  isIdle(): boolean
}

interface Options {
  readonly places: number
  readonly patienceMs: number
  /** The error message of callers whose wait failed. */
  readonly problem: string
}

interface Waiting {
  readonly timer: AwakeTimeout
  start(): void
}

export function createSemaphore({ places, patienceMs, problem }: Options): Semaphore {
  const waiting: Waiting[] = []
  let taken = 0
  return {
    enter() {
      if (taken < places) {
        taken += 1
        return Promise.resolve()
      }
      return new Promise((resolve, reject) => {
        const entry: Waiting = {
          timer: setAwakeTimeout(() => {
            waiting.splice(waiting.indexOf(entry), 1)
            reject(new StoreError('locked', problem))
          }, patienceMs),
          start: resolve,
        }
        waiting.push(entry)
      })
    },
    leave() {
      const next = waiting.shift()
      if (next === undefined) taken -= 1
      else {
        next.timer.clear()
        next.start()
      }
    },
    isIdle: () => taken === 0,
  }
}
