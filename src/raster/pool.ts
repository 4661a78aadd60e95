import { setTimeout as sleep } from 'node:timers/promises'
import type { Worker } from 'node:worker_threads'
import { createFairLimiter, LimiterFull } from '../lib/fair-limiter.ts'
import { beginFor, type QueueClient, waitInQueue } from '../lib/waiter.ts'
import type { PictureEncoding } from './picture-formats.ts'
import type { Scene } from './scene.ts'
import { createWorkerSlot } from './worker-slot.ts'
import { connectWorkerThread, type Job, pixelsOf, spawnWorker } from './worker-thread.ts'

/** More jobs wait than the pool takes, or the machine is too busy to draw: try again later. */
export class RasterBusy extends Error {
  override readonly name = 'RasterBusy'
}

/** A job cannot be drawn, or killed its worker twice. */
export class RasterFailed extends Error {
  override readonly name = 'RasterFailed'
}

export type RasterPool = ReturnType<typeof createRasterPool>

export interface RasterPoolOptions {
  /** Jobs that may wait for the worker, 64 when absent. */
  readonly waitingMax?: number
  /** Large jobs that may wait until they are let among the others, 12 when absent. */
  readonly largeWaitingMax?: number
  /** A job that takes longer fails, and its worker is terminated: where answers want the core, drawing has a third of it. */
  readonly jobMsMax?: number
  /** A worker that is idle for so long is terminated: it holds about 80 MB. */
  readonly idleMsMax?: number
  /** Hears what is left out of a card because it cannot be drawn. */
  readonly onFault?: (fault: string) => void
  /** Tests start faulty workers. */
  readonly spawn?: () => Worker
}

/** A job of more pixels is large: more than a card has at the width of its size. */
const smallPixelsMax = 2e6
/** After a large job that others waited for, they have the worker to themselves for so many times as long. */
const restTimes = 3

/**
 * Draws pictures off the main thread, one at a time: a second thread costs about 100 MB. Clients take turns. A large
 * job begins only where no other waits, and large jobs have at most a quarter of the time while others wait.
 */
export function createRasterPool(options: RasterPoolOptions = {}) {
  const { waitingMax = 64, largeWaitingMax = 12, jobMsMax = 15_000, idleMsMax = 15_000 } = options
  const { onFault = () => undefined, spawn = spawnWorker } = options
  const slot = createWorkerSlot(() => connectWorkerThread(spawn(), jobMsMax), idleMsMax)
  const queue = createFairLimiter({ runningMax: 1, waitingMax, dropsNewest: true })
  const largeQueue = createFairLimiter({ runningMax: 1, waitingMax: largeWaitingMax, dropsNewest: true })
  let largeFromMs = 0
  let isClosed = false

  async function drawNow(job: Job, client: QueueClient): Promise<Uint8Array<ArrayBuffer>> {
    if (isClosed) throw new RasterBusy('the pool was closed')
    beginFor(client)
    const outcome = await slot.draw(job)
    if ('bytes' in outcome) {
      for (const fault of new Set(outcome.faults)) onFault(fault)
      return outcome.bytes
    }
    const { failure, cause } = outcome
    if (failure === 'unreadable') throw new RasterFailed(String(cause))
    // A failure of the machine says nothing about the job: it may be drawn later.
    if (failure === 'stalled') throw new RasterBusy(`not drawn within ${jobMsMax} ms`)
    if (failure === 'unstarted' && !isClosed) throw new RasterBusy('the worker did not start', { cause })
    throw new RasterFailed(isClosed ? 'the pool was closed' : 'the worker died twice over one job', { cause })
  }

  /** Draws a large job once nobody else wants to draw. */
  async function drawLarge(job: Job, client: QueueClient): Promise<Uint8Array<ArrayBuffer>> {
    for (;;) {
      const restMs = largeFromMs - performance.now()
      if (queue.isIdle() && restMs <= 0) break
      await waitInQueue(client, queue.isIdle() ? sleep(restMs) : queue.idle())
    }
    const startMs = performance.now()
    try {
      return await queue.run(client, () => drawNow(job, client))
    } finally {
      const endMs = performance.now()
      if (!queue.isIdle()) largeFromMs = endMs + restTimes * (endMs - startMs)
    }
  }

  async function draw(job: Job, client: QueueClient): Promise<Uint8Array<ArrayBuffer>> {
    if (isClosed) throw new RasterBusy('the pool is closed')
    const isLarge = pixelsOf(job) > smallPixelsMax
    try {
      return await (isLarge
        ? largeQueue.run(client, () => drawLarge(job, client))
        : queue.run(client, () => drawNow(job, client)))
    } catch (error) {
      throw error instanceof LimiterFull ? new RasterBusy(error.message, { cause: error }) : error
    }
  }

  return {
    /**
     * Draws a card as a picture, `widthPx` wide.
     * @param client whose turn it is; all that name none are one
     * A part that cannot be drawn is left out.
     * @throws RasterBusy when the queue is full or the machine too busy, RasterFailed when its worker died twice, WaitEnded.
     */
    async scenePicture(
      scene: Scene,
      widthPx: number,
      encoding: PictureEncoding,
      client: QueueClient = '',
    ): Promise<Uint8Array<ArrayBuffer>> {
      const names = emojiNames(scene)
      const emojiBodies = names.length === 0 ? new Map() : await emojiBodiesOf(names)
      return draw({ kind: 'scene', scene, widthPx, encoding, emojiBodies }, client)
    },
    /** Draws a self-contained SVG as PNG. Throws like `scenePicture`. */
    svgPng: (svg: string, client: QueueClient = ''): Promise<Uint8Array<ArrayBuffer>> =>
      draw({ kind: 'svg', svg }, client),
    /** Ends the worker. Jobs that wait are refused with RasterBusy, a job at work with RasterFailed. */
    close(): void {
      isClosed = true
      slot.close()
    },
  }
}

function emojiNames({ layers }: Scene): readonly string[] {
  return layers.flatMap((layer) => (layer.kind === 'emoji' ? [layer.name] : []))
}

/** @throws Error when the pack has no such emoji. */
async function emojiBodiesOf(names: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const { emojiBody } = await import('../text/emoji-body.ts')
  return new Map(names.map((name) => [name, emojiBody(name).body]))
}
