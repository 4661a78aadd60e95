/** Runs one thing at a time. Clients that wait take turns, whatever number of things each has brought. */
export interface FairQueue {
  /** @throws QueueFull at once, or later when it waited too long or made room for a client with less. */
  run<Result>(client: string, work: () => Promise<Result>): Promise<Result>
}

export class QueueFull extends Error {
  override readonly name = 'QueueFull'
}

export interface FairQueueOptions {
  /** Things that may wait, of all clients together. */
  readonly waitingMax: number
  readonly waitMsMax: number
}

interface Waiting {
  readonly start: () => void
  readonly refuse: (reason: string) => void
}

export function createFairQueue({ waitingMax, waitMsMax }: FairQueueOptions): FairQueue {
  /** In the order of their turns; a client is here while it waits for something. */
  const clients = new Map<string, Waiting[]>()
  let isBusy = false

  function waitingOf(client: string): number {
    return clients.get(client)?.length ?? 0
  }

  function remove(client: string, waiting: Waiting): void {
    const left = (clients.get(client) ?? []).filter((each) => each !== waiting)
    if (left.length === 0) clients.delete(client)
    else clients.set(client, left)
  }

  /** Who waits for the most gives up what came last, for a client that would still have less. */
  function makeRoom(client: string): boolean {
    const total = [...clients.values()].reduce((sum, { length }) => sum + length, 0)
    if (total < waitingMax) return true
    const [most = '', its = []] = [...clients].sort(([, a], [, b]) => b.length - a.length)[0] ?? []
    if (its.length <= waitingOf(client) + 1) return false
    const last = its.at(-1)
    if (last !== undefined) remove(most, last)
    last?.refuse('others have less waiting')
    return true
  }

  function turn(client: string): Promise<void> {
    if (!isBusy) {
      isBusy = true
      return Promise.resolve()
    }
    if (!makeRoom(client)) return Promise.reject(new QueueFull(`${waitingMax} wait already`))
    return new Promise((start, reject) => {
      const refuse = (reason: string) => {
        clearTimeout(timer)
        remove(client, waiting)
        reject(new QueueFull(reason))
      }
      const timer = setTimeout(() => refuse(`its turn did not come within ${waitMsMax} ms`), waitMsMax)
      const waiting: Waiting = {
        start() {
          clearTimeout(timer)
          start()
        },
        refuse,
      }
      clients.set(client, [...(clients.get(client) ?? []), waiting])
    })
  }

  function next(): void {
    const [client = '', [first, ...others] = []] = clients.entries().next().value ?? []
    // Behind everybody else.
    clients.delete(client)
    if (others.length > 0) clients.set(client, others)
    if (first === undefined) isBusy = false
    else first.start()
  }

  return {
    async run(client, work) {
      await turn(client)
      try {
        return await work()
      } finally {
        next()
      }
    },
  }
}
