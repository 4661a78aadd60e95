import type { DrawingShares } from '../access/drawing-shares.ts'
import { Problem } from '../errors.ts'
import { createCoalescer } from '../lib/coalescer.ts'
import { createFairLimiter, type FairLimiter, LimiterFull } from '../lib/fair-limiter.ts'
import { type QueueClient, type Waiter, waitInQueue } from '../lib/waiter.ts'

export interface DrawingQueueDeps {
  readonly shares: Pick<DrawingShares, 'take'>
  /** A busy server never has a moment without drawings: then a late drawing starts after so long, 2 s when absent. */
  readonly patienceMs?: number
}

export type DrawingQueue = ReturnType<typeof createDrawingQueue>

/** The key that a signed address is drawn for. */
export interface DrawingOwner {
  readonly keyId: string
  /** Calls that the key has a day; null: without limit. */
  readonly dailyQuota: number | null
  /** Clients of one key take turns. */
  readonly client: string
}

/** Drawings of one key beyond its bound that may wait. */
const waitingPerKeyMax = 10

/**
 * Decides whose drawing starts when. Nearly all start at once. A drawing beyond the bound of its key is late: it waits
 * until no other one is under way, and one late drawing is made at a time.
 */
export function createDrawingQueue({ shares, patienceMs = 2_000 }: DrawingQueueDeps) {
  const underWay = new Set<Promise<unknown>>()
  const lateKeys = createLateKeys()
  const turns = createFairLimiter({ runningMax: 1 })
  const coalesce = createCoalescer<unknown>()

  async function othersDone(): Promise<void> {
    const startMs = performance.now()
    while (underWay.size > 0 && performance.now() - startMs < patienceMs) await Promise.allSettled(underWay)
  }

  async function drawLate<T>(
    { keyId, client }: DrawingOwner,
    draw: () => T | Promise<T>,
    waiter: Waiter,
  ): Promise<T> {
    function inTurn() {
      return turns.run({ name: keyId, waiter }, async () => {
        await waitInQueue({ name: keyId, waiter }, othersDone())
        return draw()
      })
    }
    try {
      return await lateKeys.run(keyId, { name: client, waiter }, inTurn)
    } catch (error) {
      throw error instanceof LimiterFull ? tooManyLate(error) : error
    }
  }

  return {
    /** Draws at once. Late drawings wait for it. */
    draw<T>(work: () => T | Promise<T>): T | Promise<T> {
      const drawing = work()
      if (!(drawing instanceof Promise)) return drawing
      underWay.add(drawing)
      function end() {
        underWay.delete(drawing as Promise<T>)
      }
      drawing.then(end, end)
      return drawing
    },
    /**
     * Draws what a signed address names, as soon as the drawings of its key allow. Equal pictures of a key that are asked
     * for at the same time are one drawing.
     * @param draw calls the `draw` above unless the picture is in memory by then
     * @throws Problem `busy` if too many drawings of the key wait already, WaitEnded
     */
    drawFor<T>(
      owner: DrawingOwner,
      picture: string,
      draw: (waiter: Waiter) => T | Promise<T>,
      waiter?: Waiter,
    ): Promise<T> {
      async function drawCounted(shared: Waiter): Promise<unknown> {
        const isInBound = await shares.take(owner.keyId, owner.dailyQuota)
        return isInBound ? draw(shared) : drawLate(owner, () => draw(shared), shared)
      }
      return coalesce(`${owner.keyId} ${picture}`, drawCounted, waiter) as Promise<T>
    },
  }
}

/** Late drawings of each key, one at a time. Keys without any take no memory. */
function createLateKeys() {
  const keys = new Map<string, { readonly limiter: FairLimiter; count: number }>()
  return {
    /** Rejects with `LimiterFull` where too many wait, and the client has no fewer of them than the others. */
    async run<T>(keyId: string, client: QueueClient, work: () => Promise<T>): Promise<T> {
      const key = keys.get(keyId) ?? { limiter: createKeyLimiter(), count: 0 }
      keys.set(keyId, key)
      key.count += 1
      try {
        return await key.limiter.run(client, work)
      } finally {
        key.count -= 1
        if (key.count === 0) keys.delete(keyId)
      }
    },
  }
}

function createKeyLimiter(): FairLimiter {
  return createFairLimiter({ runningMax: 1, waitingMax: waitingPerKeyMax, dropsNewest: true })
}

function tooManyLate(cause: LimiterFull): Problem {
  const detail = `The key has used up its drawings of today, and ${waitingPerKeyMax} of its pictures wait to be drawn.`
  return new Problem('busy', detail, { headers: { 'retry-after': '5' }, cause })
}
