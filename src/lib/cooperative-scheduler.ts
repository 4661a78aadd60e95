/**
 * The processor time of one task of a cooperative scheduler, such as parsing a page from the web. All tasks of the
 * process share a time slice of `timeSliceMs` in each turn of the event loop, so that other work waits for a few
 * milliseconds only, however many tasks run at once.
 */
export interface CpuBudget {
  /** Whether the task has used up its processor time and has to end with what it has. */
  isExhausted(): boolean
  /** Runs a short piece of work at once and counts its time. */
  measure<T>(work: () => T): T
  /**
   * Runs work that yields after every small step, for example a few thousand characters. Returns to the event loop
   * whenever the time slice is over. The work itself checks `isExhausted`.
   */
  run<T>(steps: Iterator<unknown, T>): Promise<T>
}

/** @param cpuMsMax milliseconds of processor time for the task, over all turns of the event loop */
export function createCpuBudget(cpuMsMax = Number.POSITIVE_INFINITY): CpuBudget {
  const isLimited = cpuMsMax !== Number.POSITIVE_INFINITY
  let spentMs = 0
  let start: Moment | undefined

  function measure<T>(work: () => T): T {
    // Nested measurements are part of the outer one.
    if (start !== undefined) return work()
    const began = { atMs: performance.now(), cpuMs: isLimited ? threadCpuMs() : 0 }
    start = began
    try {
      return work()
    } finally {
      start = undefined
      if (isLimited) spentMs += cpuMsSince(began)
      countWork(began.atMs)
    }
  }

  return {
    measure,
    isExhausted() {
      if (!isLimited || start === undefined) return spentMs >= cpuMsMax
      // The clock is asked first, because it is a tenth of the work, and processor time is never more.
      const leftMs = cpuMsMax - spentMs
      return performance.now() - start.atMs >= leftMs && cpuMsSince(start) >= leftMs
    },
    async run(steps) {
      for (;;) {
        await (isTimeSliceOver() ? nextTurn() : undefined)
        const step = measure(() => takeSteps(steps))
        if (step.done === true) return step.value
      }
    },
  }
}

interface Moment {
  readonly atMs: number
  readonly cpuMs: number
}

/** The clock goes on while others have the processor, and the thread's own time may be told in coarse steps: the smaller counts. */
function cpuMsSince({ atMs, cpuMs }: Moment): number {
  return Math.min(performance.now() - atMs, threadCpuMs() - cpuMs)
}

function threadCpuMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}

/** Takes steps until the time slice is over. */
function takeSteps<T>(steps: Iterator<unknown, T>): IteratorResult<unknown, T> {
  const startedAt = performance.now()
  const leftMs = timeSliceMs - workedMs
  for (;;) {
    const step = steps.next()
    if (step.done === true || performance.now() - startedAt >= leftMs) return step
  }
}

export function isTimeSliceOver(): boolean {
  return workedMs >= timeSliceMs
}

/** Counts work of this turn that began at a time of `performance.now()`, and lets others go on if the time slice is not over. */
export function countWork(startedAtMs: number): void {
  workedMs += performance.now() - startedAtMs
  if (!isTimeSliceOver()) waiting.shift()?.()
  schedule()
}

/** With the last step, which takes less than a millisecond, no turn is longer than four. */
const timeSliceMs = 3

const waiting: (() => void)[] = []
let workedMs = 0
let isScheduled = false

/** Waits for a turn of the event loop that has time left. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve)
    schedule()
  })
}

function schedule(): void {
  if (isScheduled) return
  isScheduled = true
  setImmediate(() => {
    isScheduled = false
    workedMs = 0
    waiting.shift()?.()
    if (waiting.length > 0) schedule()
  })
}
