import type { Worker } from 'node:worker_threads'
import { emojiBody } from '../text/emoji-body.ts'
import type { DrawSvgOptions } from './draw-svg.ts'
import { createJobQueue } from './job-queue.ts'
import type { PictureEncoding } from './picture-encoding.ts'
import type { Scene } from './scene.ts'
import { createWorkerSlot } from './worker-slot.ts'
import { connectWorkerThread, type Job, pixelsOf, spawnWorker } from './worker-thread.ts'

/** More jobs wait than the pool takes: try again later. */
export class RasterBusy extends Error {
  override readonly name = 'RasterBusy'
}

/** A job cannot be drawn, took too long, or killed its worker twice. */
export class RasterFailed extends Error {
  override readonly name = 'RasterFailed'
}

export type RasterPool = ReturnType<typeof createRasterPool>

export interface RasterPoolOptions {
  /** Jobs that may wait for the worker, 64 when absent. */
  readonly waitingMax?: number
  /** Of them those that are large, 12 when absent: small ones pass them, and a caller waits some 20 s at most. */
  readonly largeWaitingMax?: number
  /** A job that takes longer fails, and its worker is terminated. */
  readonly jobMsMax?: number
  /** A worker that is idle for so long is terminated: it holds about 80 MB. */
  readonly idleMsMax?: number
  /** Tests start faulty workers. */
  readonly spawn?: () => Worker
}

/** A job of more pixels is large: more than a card has at the width of its size. */
const smallPixelsMax = 2e6

/** Draws pictures off the main thread, one at a time: a second thread costs about 100 MB. */
export function createRasterPool(options: RasterPoolOptions = {}) {
  const { waitingMax = 64, largeWaitingMax = 12, jobMsMax = 10_000, idleMsMax = 15_000 } = options
  const { spawn = spawnWorker } = options
  const slot = createWorkerSlot(() => connectWorkerThread(spawn(), jobMsMax), idleMsMax)
  const queue = createJobQueue()
  let isClosed = false

  async function drawNow(job: Job): Promise<Uint8Array<ArrayBuffer>> {
    if (isClosed) throw new RasterBusy('the pool was closed')
    const outcome = await slot.draw(job)
    if ('bytes' in outcome) return outcome.bytes
    const { failure, cause } = outcome
    if (failure === 'unreadable') throw new RasterFailed(String(cause))
    if (failure === 'stalled') throw new RasterFailed(`not drawn within ${jobMsMax} ms`)
    throw new RasterFailed(isClosed ? 'the pool was closed' : 'the worker died twice over one job', { cause })
  }

  function draw(job: Job): Promise<Uint8Array<ArrayBuffer>> {
    if (isClosed) return Promise.reject(new RasterBusy('the pool is closed'))
    const isLarge = pixelsOf(job) > smallPixelsMax
    if (queue.waitingCount() >= waitingMax)
      return Promise.reject(new RasterBusy(`${waitingMax} drawings wait already`))
    if (isLarge && queue.largeWaitingCount() >= largeWaitingMax)
      return Promise.reject(new RasterBusy(`${largeWaitingMax} large drawings wait already`))
    return queue.run(isLarge, () => drawNow(job))
  }

  return {
    /**
     * Draws a card as a picture, `widthPx` wide.
     * @throws RasterBusy when the queue is full, RasterFailed when it cannot be drawn.
     */
    async scenePicture(
      scene: Scene,
      widthPx: number,
      encoding: PictureEncoding,
    ): Promise<Uint8Array<ArrayBuffer>> {
      return draw({ kind: 'scene', scene, widthPx, encoding, emojiBodies: bodiesOf(scene) })
    },
    /** Draws a self-contained SVG as PNG. Throws like `scenePicture`. */
    svgPng: (svg: string, svgOptions: DrawSvgOptions = {}): Promise<Uint8Array<ArrayBuffer>> =>
      draw({ kind: 'svg', svg, options: svgOptions }),
    /** Ends the worker. Jobs that wait are refused with RasterBusy, a job at work with RasterFailed. */
    close(): void {
      isClosed = true
      slot.close()
    },
  }
}

/** @throws Error when the pack has no such emoji. */
function bodiesOf({ layers }: Scene): ReadonlyMap<string, string> {
  const names = layers.flatMap((layer) => (layer.kind === 'emoji' ? [layer.name] : []))
  return new Map(names.map((name) => [name, emojiBody(name).body]))
}
