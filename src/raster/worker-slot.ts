export type Outcome<Result = Uint8Array<ArrayBuffer>> =
  | {
      readonly result: Result
      readonly faults?: readonly string[]
    }
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
