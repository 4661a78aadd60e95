/** Runs one job at a time. Waiting clients take turns, however many jobs each of them has queued. */
export interface FairQueue {
  /** Rejects with `QueueFull` at once, or later when the job waited too long or was dropped for a client with fewer. */
  run<Result>(client: string, work: () => Promise<Result>): Promise<Result>
}

export class QueueFull extends Error {
  override readonly name = 'QueueFull'
}

export interface FairQueueOptions {
  /** Jobs of all clients together that may wait. */
  readonly waitingMax: number
  readonly waitMsMax: number
}

export function createFairQueue({ waitingMax, waitMsMax }: FairQueueOptions): FairQueue {
  const queues = createClientQueues(waitingMax)
  let isBusy = false

  function waitForTurn(client: string): Promise<void> {
    if (!isBusy) {
      isBusy = true
      return Promise.resolve()
    }
    if (!queues.makeRoom(client)) return Promise.reject(new QueueFull(`${waitingMax} wait already`))
    return new Promise((start, reject) => {
      function refuse(reason: string) {
        clearTimeout(timer)
        queues.remove(client, waiting)
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
      queues.add(client, waiting)
    })
  }

  return {
    async run(client, work) {
      await waitForTurn(client)
      try {
        return await work()
      } finally {
        const next = queues.next()
        if (next === undefined) isBusy = false
        else next.start()
      }
    },
  }
}

interface Waiting {
  readonly start: () => void
  readonly refuse: (reason: string) => void
}

/** The waiting jobs of each client. */
function createClientQueues(waitingMax: number) {
  /** In the order of their turns; a client without waiting jobs has no entry. */
  const clients = new Map<string, readonly Waiting[]>()

  function jobsOf(client: string) {
    return clients.get(client) ?? []
  }

  function keep(client: string, waiting: readonly Waiting[]): void {
    if (waiting.length === 0) clients.delete(client)
    else clients.set(client, waiting)
  }

  return {
    add: (client: string, waiting: Waiting) => keep(client, [...jobsOf(client), waiting]),
    remove(client: string, waiting: Waiting): void {
      keep(
        client,
        jobsOf(client).filter((each) => each !== waiting),
      )
    },
    /** When the queue is full, drops the newest job of the client with the most, if that is more than this client has. */
    makeRoom(client: string): boolean {
      const all = [...clients.values()]
      if (all.reduce((sum, { length }) => sum + length, 0) < waitingMax) return true
      const longest = all.reduce((best, each) => (each.length > best.length ? each : best), [])
      if (longest.length <= jobsOf(client).length + 1) return false
      longest.at(-1)?.refuse('others have less waiting')
      return true
    },
    /** Takes the first job of the client whose turn it is, and moves that client to the end. */
    next(): Waiting | undefined {
      const [client = '', [first, ...others] = []] = clients.entries().next().value ?? []
      clients.delete(client)
      keep(client, others)
      return first
    },
  }
}
