import { emojiBody } from '../text/emoji-body.ts'
import type { DrawSvgOptions } from './draw-svg.ts'
import type { Job } from './job.ts'
import type { Scene } from './scene.ts'
import { createWorkerSlot, type WorkerSlotOptions } from './worker-slot.ts'

/** More jobs wait than the pool takes: try again later. */
export class RasterBusy extends Error {
  override readonly name = 'RasterBusy'
}

export interface RasterPool {
  /**
   * Draws a card as PNG, `widthPx` wide.
   * @throws RasterBusy when the queue is full, RasterFailed when it cannot be drawn.
   */
  scenePng(scene: Scene, widthPx: number): Promise<Uint8Array<ArrayBuffer>>
  /** Draws a self-contained SVG as PNG. Throws like `scenePng`. */
  svgPng(svg: string, options?: DrawSvgOptions): Promise<Uint8Array<ArrayBuffer>>
  /** Ends the workers. Jobs that wait are refused with RasterBusy, a job at work with RasterFailed. */
  close(): void
}

export interface RasterPoolOptions extends Partial<WorkerSlotOptions> {
  /** Threads, 1 when absent: a second one costs about 100 MB. */
  readonly workers?: number
  /** Jobs that may wait for a free worker, 64 when absent. */
  readonly waitingMax?: number
}

interface Waiting {
  readonly job: Job
  readonly resolve: (png: Promise<Uint8Array<ArrayBuffer>>) => void
  readonly reject: (error: Error) => void
}

/** Draws PNGs off the main thread. No worker starts before the first job; idle workers let the process end. */
export function createRasterPool(options: RasterPoolOptions = {}): RasterPool {
  const { workers = 1, waitingMax = 64, jobMsMax = 10_000, idleMsMax = 15_000, spawn } = options
  const free = Array.from({ length: workers }, () =>
    createWorkerSlot({ jobMsMax, idleMsMax, ...(spawn && { spawn }) }),
  )
  const slots = [...free]
  const waiting: Waiting[] = []
  let isClosed = false

  function draw(job: Job): Promise<Uint8Array<ArrayBuffer>> {
    if (isClosed) return Promise.reject(new RasterBusy('the pool is closed'))
    const slot = free.pop()
    if (slot) {
      return slot.run(job).finally(() => {
        free.push(slot)
        const next = waiting.shift()
        next?.resolve(draw(next.job))
      })
    }
    if (waiting.length >= waitingMax)
      return Promise.reject(new RasterBusy(`${waitingMax} drawings wait already`))
    return new Promise((resolve, reject) => waiting.push({ job, resolve, reject }))
  }

  return {
    async scenePng(scene, widthPx) {
      return draw({ kind: 'scene', scene, widthPx, emojiBodies: bodiesOf(scene) })
    },
    svgPng: (svg, svgOptions = {}) => draw({ kind: 'svg', svg, options: svgOptions }),
    close() {
      isClosed = true
      for (const { reject } of waiting.splice(0)) reject(new RasterBusy('the pool was closed'))
      for (const slot of slots) slot.close()
    },
  }
}

/** @throws Error when the pack has no such emoji. */
function bodiesOf({ layers }: Scene): ReadonlyMap<string, string> {
  const names = layers.flatMap((layer) => (layer.kind === 'emoji' ? [layer.name] : []))
  return new Map(names.map((name) => [name, emojiBody(name).body]))
}
