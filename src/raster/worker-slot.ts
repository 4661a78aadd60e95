import { Worker } from 'node:worker_threads'
import { isExecutable } from '../lib/is-executable.ts'
import type { Job, JobResult } from './job.ts'

/** A job cannot be drawn, took too long, or killed its worker twice. */
export class RasterFailed extends Error {
  override readonly name = 'RasterFailed'
}

interface Death {
  readonly death: unknown
}

/** Runs one job at a time on one worker. The worker starts with the first job and is replaced when it dies. */
export interface WorkerSlot {
  run(job: Job): Promise<Uint8Array<ArrayBuffer>>
  close(): void
}

export interface WorkerSlotOptions {
  /** A job that takes longer fails, and its worker is terminated. */
  readonly jobMsMax: number
  /** A worker that is idle for so long is terminated: it holds about 80 MB. */
  readonly idleMsMax: number
  /** Tests start faulty workers. */
  readonly spawn?: () => Worker
}

/**
 * `node:worker_threads` because Bun, Deno and executables all have it, with exit events and `unref`,
 * which Deno's web Worker lacks.
 *
 * An executable is made by `bun build --compile src/main.ts src/raster/worker.ts`: there the whole program
 * is one file in the place of `src/main.ts`, and the worker keeps its folder.
 */
function spawnWorker() {
  return new Worker(new URL(isExecutable ? './raster/worker.ts' : './worker.ts', import.meta.url))
}

export function createWorkerSlot(options: WorkerSlotOptions): WorkerSlot {
  const { jobMsMax, idleMsMax, spawn = spawnWorker } = options
  let worker: Worker | undefined
  let idleTimer: ReturnType<typeof setTimeout> | undefined
  let isClosed = false

  function end() {
    clearTimeout(idleTimer)
    const ended = worker
    worker = undefined
    void ended?.terminate()
  }

  function attempt(job: Job) {
    return new Promise<JobResult | Death>((resolve) => {
      clearTimeout(idleTimer)
      worker ??= spawn()
      const current = worker
      function settle(result: JobResult | Death) {
        clearTimeout(timer)
        current.removeAllListeners()
        // An error that comes after the exit was reported must not become an uncaught one.
        current.on('error', () => undefined)
        if ('death' in result) end()
        else {
          current.unref()
          idleTimer = setTimeout(end, idleMsMax)
          idleTimer.unref()
        }
        resolve(result)
      }
      const timer = setTimeout(() => {
        end()
        settle({ error: `not drawn within ${jobMsMax} ms` })
      }, jobMsMax)
      current.on('message', settle)
      current.on('error', (death) => settle({ death }))
      current.on('exit', (code) => settle({ death: new Error(`the worker exited with ${code}`) }))
      // Only a worker that is at work keeps the process alive.
      current.ref()
      current.postMessage(job)
    })
  }

  return {
    async run(job) {
      let result = await attempt(job)
      if ('death' in result && !isClosed) result = await attempt(job)
      if ('png' in result) return result.png
      if ('error' in result) throw new RasterFailed(result.error)
      throw new RasterFailed(isClosed ? 'the pool was closed' : 'the worker died twice over one job', {
        cause: result.death,
      })
    },
    close() {
      isClosed = true
      end()
    },
  }
}
