import os from 'node:os'
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Worker } from 'node:worker_threads'
import { FairLimiter, LimiterFull } from '../lib/fair-limiter.ts'
import { beginFor, type QueueClient, waitInQueue } from '../lib/waiter.ts'

/** More jobs wait than the pool takes, or the machine is too busy to draw: try again later. */
export class RasterBusy extends Error {
  override readonly name = 'RasterBusy'
}

/** A job cannot be drawn, or its workers died twice. */
export class RasterFailed extends Error {
  override readonly name = 'RasterFailed'
}

export interface ThreadPoolOptions {
  /** Starts a thread, which answers each message with an `Outcome`. */
  readonly spawn: () => Worker
  /** A message for a new thread, which it answers when it has loaded what jobs need. */
  readonly warmUp: object
  /** Threads at most: two when absent, or one on a machine of one core or little memory. */
  readonly threads?: number
  readonly waitingMax?: number
  /** So many large jobs may wait until they are let among the others. */
  readonly largeWaitingMax?: number
  /** A job that takes longer fails, and its thread is terminated: where answers want the core, drawing has a third of it. */
  readonly jobMsMax?: number
  /** A thread that is idle for so long is terminated, because it holds about 100 MB. */
  readonly idleMsMax?: number
  readonly onFault?: (fault: string) => void
}

export interface ThreadJob {
  /** Plain data, because it is cloned. */
  readonly message: object
  /** The pixels that it paints; 0 for one that paints none or few. */
  readonly pixels: number
  readonly read?: (name: string) => Promise<Uint8Array>
}

export type ThreadReply<Result> = { readonly asksFor: string } | Outcome<Result>

/** The answer to a thread that asks for a file: undefined where it cannot be read. */
export type ThreadFile = { readonly file: Uint8Array | undefined }

/** A job of more pixels is large: more than a card has at the width of its size. */
const smallPixelsMax = 2e6
/** After a large job that others waited for, they have the threads to themselves for so many times as long. */
const restTimes = 3
/** Once a job has waited for so long, another thread is started. */
const waitMsMax = 50
/** The first thread ends later than the others, because a card that has to wait for its start is slow. */
const idleMinutesMax = 10
const otherIdleMsMax = 15_000
const smallMemoryBytes = 2 ** 30

/** Clients take turns. A large job begins where no other waits; while others wait, large ones have a quarter of the time. */
export function createThreadPool<Result>(options: ThreadPoolOptions) {
  const { threads = usualThreads(), waitingMax = 64, largeWaitingMax = 12, jobMsMax = 15_000 } = options
  const { spawn, warmUp, onFault = () => undefined, idleMsMax } = options
  const slots = Array.from({ length: threads }, (_, index) =>
    createWorkerSlot(
      () => connectThread<Result>(spawn(), jobMsMax),
      idleMsMax ?? (index === 0 ? idleMinutesMax * 60_000 : otherIdleMsMax),
    ),
  )
  const [first, ...others] = slots
  const taken = new Set<(typeof slots)[number]>()
  const warming = new Set<(typeof slots)[number]>()
  const queue = new FairLimiter({
    get runningMax() {
      let open = 1
      for (const slot of others) if (slot.isOpen() && !warming.has(slot)) open += 1
      return open
    },
    waitingMax,
    dropsNewest: true,
  })
  const largeQueue = new FairLimiter({ runningMax: 1, waitingMax: largeWaitingMax, dropsNewest: true })
  let largeFromMs = 0
  let isClosed = false

  async function inSlot(job: ThreadJob): Promise<Outcome<Result>> {
    const free = slots.filter((slot) => !taken.has(slot))
    const slot = free.find((each) => each === first || each.isOpen()) ?? free[0]
    if (slot === undefined) return { failure: 'unstarted' }
    taken.add(slot)
    try {
      return await slot.draw(job)
    } finally {
      taken.delete(slot)
    }
  }

  async function addThread(): Promise<void> {
    const slot = others.find((each) => !(taken.has(each) || each.isOpen()))
    if (slot === undefined || isClosed) return
    taken.add(slot)
    warming.add(slot)
    await slot.draw({ message: warmUp, pixels: 0 })
    warming.delete(slot)
    taken.delete(slot)
    queue.startWaiting()
  }

  async function drawNow(job: ThreadJob, client: QueueClient): Promise<Result> {
    if (isClosed) throw new RasterBusy('the pool was closed')
    beginFor(client)
    const outcome = await inSlot(job)
    if ('result' in outcome) {
      for (const fault of new Set(outcome.faults)) onFault(fault)
      return outcome.result
    }
    const { failure, cause } = outcome
    if (failure === 'unreadable') throw new RasterFailed(String(cause))
    // A failure of the machine says nothing about the job: it may be drawn later.
    if (failure === 'stalled') throw new RasterBusy(`not drawn within ${jobMsMax} ms`)
    if (failure === 'unstarted' && !isClosed) throw new RasterBusy('the worker did not start', { cause })
    throw new RasterFailed(isClosed ? 'the pool was closed' : 'the worker died twice over one job', { cause })
  }

  async function drawSmall(job: ThreadJob, client: QueueClient): Promise<Result> {
    const timer = queue.isIdle() || others.length === 0 ? undefined : setTimeout(addThread, waitMsMax)
    try {
      return await queue.run(client, () => {
        clearTimeout(timer)
        return drawNow(job, client)
      })
    } finally {
      clearTimeout(timer)
    }
  }

  async function drawLarge(job: ThreadJob, client: QueueClient): Promise<Result> {
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

  return {
    /** @throws RasterBusy when the queue is full or the machine too busy, RasterFailed when its thread died twice, WaitEnded. */
    async draw(job: ThreadJob, client: QueueClient): Promise<Result> {
      if (isClosed) throw new RasterBusy('the pool is closed')
      const isLarge = job.pixels > smallPixelsMax
      const drawn = isLarge ? largeQueue.run(client, () => drawLarge(job, client)) : drawSmall(job, client)
      return drawn.catch(throwFull)
    },
    /** Ends the threads. Jobs that wait are refused with RasterBusy, jobs at work with RasterFailed. */
    close(): void {
      isClosed = true
      for (const slot of slots) slot.close()
    },
  }
}

export function throwFull(error: unknown): never {
  throw error instanceof LimiterFull ? new RasterBusy(error.message, { cause: error }) : error
}

function usualThreads(): number {
  const memoryBytes = Math.min(os.totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY)
  return os.availableParallelism() > 1 && memoryBytes >= smallMemoryBytes ? 2 : 1
}

/** A thread that has painted more pixels at once is replaced. */
const pixelsMax = 4e6

/** A job that takes longer than `jobMsMax` has stalled. The timer of a job keeps the process alive; a thread by itself does not. */
export function connectThread<Result>(worker: Worker, jobMsMax: number): WorkerConnection<ThreadJob, Result> {
  let isOpen = true
  let settle: (outcome: Outcome<Result>) => void = () => undefined
  let read: ThreadJob['read']
  function die(cause: unknown) {
    isOpen = false
    settle({ failure: 'died', cause })
  }
  async function answer(name: string) {
    const file = await read?.(name).catch(() => undefined)
    worker.postMessage({ file } satisfies ThreadFile)
  }
  // Bun forgets an `unref` from before the thread runs.
  worker.once('message', () => worker.unref())
  worker.on('message', (reply: ThreadReply<Result>) =>
    'asksFor' in reply ? void answer(reply.asksFor) : settle(reply),
  )
  worker.on('error', die)
  worker.on('exit', (code) => die(new Error(`the worker exited with ${code}`)))
  return {
    draw: (job) =>
      new Promise((resolve) => {
        const timer = setTimeout(() => settle({ failure: 'stalled' }), jobMsMax)
        settle = (outcome) => {
          clearTimeout(timer)
          // Freeing the buffers of a large job and the encoder's memory is worth the cost of a new thread.
          if (job.pixels > pixelsMax) isOpen = false
          resolve(outcome)
        }
        read = job.read
        worker.postMessage(job.message)
      }),
    isOpen: () => isOpen,
    async end() {
      void worker.terminate()
    },
  }
}

export type Outcome<Result = Uint8Array<ArrayBuffer>> =
  | { readonly result: Result; readonly faults?: readonly string[] }
  | {
      /** The job is at fault where it is `unreadable`, `oversized`, an `overrun` or its workers `died`; else the machine is. */
      readonly failure: 'unreadable' | 'oversized' | 'overrun' | 'died' | 'stalled' | 'unstarted'
      readonly cause?: unknown
    }

/** A thread or a process that draws one job at a time. */
export interface WorkerConnection<Job, Result = Uint8Array<ArrayBuffer>> {
  /** Settles in bounded time, whatever the worker does, and never rejects. */
  draw(job: Job): Promise<Outcome<Result>>
  /** False once the worker is gone or wants to be replaced. */
  isOpen(): boolean
  /** Kills the worker. The next one waits for this: two at a time would take twice the memory. */
  end(): Promise<void>
}

/** The place of one worker: it starts with the first job, is replaced when it dies, and ends after `idleMsMax` without a job. */
export function createWorkerSlot<Job, Result = Uint8Array<ArrayBuffer>>(
  connect: () => WorkerConnection<Job, Result>,
  idleMsMax: number,
) {
  let connection: WorkerConnection<Job, Result> | undefined
  let exited: Promise<void> | undefined
  let idleTimer: ReturnType<typeof setTimeout> | undefined
  let isClosed = false

  function end(): void {
    clearTimeout(idleTimer)
    exited = connection?.end()
    connection = undefined
  }

  async function attempt(job: Job): Promise<Outcome<Result>> {
    clearTimeout(idleTimer)
    if (connection?.isOpen() !== true) {
      if (exited !== undefined) await exited
      if (isClosed) return { failure: 'unstarted' }
      try {
        connection = connect()
      } catch (cause) {
        return { failure: 'unstarted', cause }
      }
    }
    const outcome = await connection.draw(job)
    const isSound = 'result' in outcome || outcome.failure === 'unreadable'
    if (isSound && connection?.isOpen()) {
      idleTimer = setTimeout(end, idleMsMax)
      idleTimer.unref()
    } else end()
    return outcome
  }

  return {
    isOpen: (): boolean => connection?.isOpen() === true,
    async draw(job: Job): Promise<Outcome<Result>> {
      const outcome = await attempt(job)
      // Somebody else may have killed the worker; a job that does so twice does it by itself.
      return 'failure' in outcome && outcome.failure === 'died' && !isClosed ? attempt(job) : outcome
    },
    close(): void {
      isClosed = true
      end()
    },
  }
}
