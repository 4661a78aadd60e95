export interface Reservation {
  /** Resolves when the memory may be used. Never resolves if the reservation is released before. */
  readonly granted: Promise<void>
  readonly isGranted: () => boolean
  /** Gives the memory back, or leaves the queue. */
  release(): void
}

/** Memory that several pieces of work share. A reservation waits in order until there is enough. */
export function createMemoryBudget(bytesMax: number) {
  const queue: { readonly bytes: number; readonly grant: () => void }[] = []
  let bytesUsed = 0

  function grantNext() {
    for (;;) {
      const [first] = queue
      if (first === undefined || bytesUsed + first.bytes > bytesMax) return
      queue.shift()
      bytesUsed += first.bytes
      first.grant()
    }
  }

  return {
    reserve(bytes: number): Reservation {
      let state: 'waiting' | 'granted' | 'released' = 'waiting'
      const { promise: granted, resolve } = Promise.withResolvers<void>()
      const waiter = {
        // A larger reservation would never be granted, so it gets the whole budget.
        bytes: Math.min(bytes, bytesMax),
        grant() {
          state = 'granted'
          resolve()
        },
      }
      queue.push(waiter)
      grantNext()
      return {
        granted,
        isGranted: () => state === 'granted',
        release() {
          if (state === 'waiting') queue.splice(queue.indexOf(waiter), 1)
          if (state === 'granted') bytesUsed -= waiter.bytes
          state = 'released'
          grantNext()
        },
      }
    },
  }
}
