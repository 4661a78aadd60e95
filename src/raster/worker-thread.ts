import { Worker } from 'node:worker_threads'
import { isExecutable } from '../lib/is-executable.ts'
import type { EmojiBodies } from './paint-scene.ts'
import type { PictureEncoding } from './picture-formats.ts'
import type { Scene } from './scene.ts'
import type { Outcome, WorkerConnection } from './worker-slot.ts'

/** Message to a worker thread, which answers with an `Outcome`: plain data, because it is cloned. */
export type Job =
  | {
      readonly kind: 'scene'
      readonly scene: Scene
      readonly widthPx: number
      readonly encoding: PictureEncoding
      /** The SVG fragments of the emoji that the scene names: workers need not load the pack. */
      readonly emojiBodies: EmojiBodies
    }
  | { readonly kind: 'svg'; readonly svg: string }

/** A thread that has painted more pixels at once is replaced. */
const pixelsMax = 4e6

/** A job that takes longer than `jobMsMax` has stalled. Only a thread that is at work keeps the process alive. */
export function connectWorkerThread(worker: Worker, jobMsMax: number): WorkerConnection<Job> {
  let isOpen = true
  let settle: (outcome: Outcome) => void = () => undefined
  function die(cause: unknown) {
    isOpen = false
    settle({ failure: 'died', cause })
  }
  worker.on('message', (outcome: Outcome) => settle(outcome))
  worker.on('error', die)
  worker.on('exit', (code) => die(new Error(`the worker exited with ${code}`)))
  return {
    draw: (job) =>
      new Promise((resolve) => {
        const timer = setTimeout(() => settle({ failure: 'stalled' }), jobMsMax)
        settle = (outcome) => {
          clearTimeout(timer)
          worker.unref()
          // Ends the thread after a large job, because freeing its buffers and the encoder's memory is worth the cost
          // of a new thread.
          if (pixelsOf(job) > pixelsMax) isOpen = false
          resolve(outcome)
        }
        worker.ref()
        worker.postMessage(job)
      }),
    isOpen: () => isOpen,
    async end() {
      void worker.terminate()
    },
  }
}

/** How many pixels of a card a job paints; 0 for an SVG, which is small. */
export function pixelsOf(job: Job): number {
  if (job.kind === 'svg') return 0
  const { widthPx, heightPx } = job.scene
  return job.widthPx ** 2 * (heightPx / widthPx)
}

/**
 * `node:worker_threads` because Bun, Deno and executables all have it, with exit events and `unref`,
 * which Deno's web Worker lacks.
 *
 * An executable is made by `bun build --compile src/main.ts src/raster/worker.ts`: there the whole program
 * is one file in the place of `src/main.ts`, and the worker keeps its folder.
 */
export function spawnWorker(): Worker {
  return new Worker(new URL(isExecutable ? './raster/worker.ts' : './worker.ts', import.meta.url))
}
