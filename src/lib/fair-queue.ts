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

export function createFairQueue({ waitingMax, waitMsMax }: FairQueueOptions): FairQueue {
  const lines = createLines(waitingMax)
  let isBusy = false

  function turn(client: string): Promise<void> {
    if (!isBusy) {
      isBusy = true
      return Promise.resolve()
    }
    if (!lines.makeRoom(client)) return Promise.reject(new QueueFull(`${waitingMax} wait already`))
    return new Promise((start, reject) => {
      function refuse(reason: string) {
        clearTimeout(timer)
        lines.remove(client, waiting)
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
      lines.add(client, waiting)
    })
  }

  return {
    async run(client, work) {
      await turn(client)
      try {
        return await work()
      } finally {
        const next = lines.next()
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

/** What each client has waiting. */
function createLines(waitingMax: number) {
  /** In the order of their turns; a client is here while it waits for something. */
  const clients = new Map<string, readonly Waiting[]>()

  function of(client: string) {
    return clients.get(client) ?? []
  }

  function keep(client: string, waiting: readonly Waiting[]): void {
    if (waiting.length === 0) clients.delete(client)
    else clients.set(client, waiting)
  }

  return {
    add: (client: string, waiting: Waiting) => keep(client, [...of(client), waiting]),
    remove(client: string, waiting: Waiting): void {
      keep(
        client,
        of(client).filter((each) => each !== waiting),
      )
    },
    /** Who waits for the most gives up what came last, for a client that would still have less. */
    makeRoom(client: string): boolean {
      const all = [...clients.values()]
      if (all.reduce((sum, { length }) => sum + length, 0) < waitingMax) return true
      const most = all.reduce((longest, each) => (each.length > longest.length ? each : longest), [])
      if (most.length <= of(client).length + 1) return false
      most.at(-1)?.refuse('others have less waiting')
      return true
    },
    /** The first of the client whose turn it is, which then stands behind everybody else. */
    next(): Waiting | undefined {
      const [client = '', [first, ...others] = []] = clients.entries().next().value ?? []
      clients.delete(client)
      keep(client, others)
      return first
    },
  }
}
