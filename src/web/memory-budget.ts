/** Memory that several pieces of work share. Who finds too little left waits in line. */
export interface MemoryBudget {
  reserve(bytes: number): Reservation
}

export interface Reservation {
  /** Resolves when the memory may be used; never, if it is released before. */
  readonly granted: Promise<void>
  readonly isGranted: () => boolean
  /** Gives the memory back, or the place in the line. */
  release(): void
}

interface Waiter {
  readonly bytes: number
  readonly admit: () => void
}

export function createMemoryBudget(bytesMax: number): MemoryBudget {
  const line: Waiter[] = []
  let bytesUsed = 0

  function admit() {
    for (;;) {
      const [first] = line
      if (first === undefined || bytesUsed + first.bytes > bytesMax) return
      line.shift()
      bytesUsed += first.bytes
      first.admit()
    }
  }

  return {
    reserve(bytes) {
      let state: 'waiting' | 'granted' | 'released' = 'waiting'
      const { promise: granted, resolve } = Promise.withResolvers<void>()
      const waiter: Waiter = {
        // What is larger than all of it would wait for ever: it gets everything.
        bytes: Math.min(bytes, bytesMax),
        admit() {
          state = 'granted'
          resolve()
        },
      }
      line.push(waiter)
      admit()
      return {
        granted,
        isGranted: () => state === 'granted',
        release() {
          if (state === 'waiting') line.splice(line.indexOf(waiter), 1)
          if (state === 'granted') bytesUsed -= waiter.bytes
          state = 'released'
          admit()
        },
      }
    },
  }
}
