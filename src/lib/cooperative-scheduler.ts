/**
 * A cooperative scheduler for work on foreign text. All parsers of the process share `TURN_MS` of each turn of the
 * event loop, so that everything else waits for a few milliseconds, however many long texts are read at once.
 */
export interface CpuBudget {
  /** The processor time of this work is used up: it ends with what it has. */
  isExhausted(): boolean
  /** Runs a bounded piece of work at once and counts its time. */
  measure<T>(work: () => T): T
  /**
   * Runs work that yields after every small step, giving the event loop back whenever this turn's time is over. The
   * work asks `isSpent` itself. A step must be bounded, for example to a few thousand characters.
   */
  run<T>(steps: Iterator<unknown, T>): Promise<T>
  /** Resolves at once, or in a later turn of the event loop when the time of this one is over. */
  pause(): Promise<void>
}

/** @param cpuMsMax milliseconds of processor time for one text, over all turns */
export function createCpuBudget(cpuMsMax = Number.POSITIVE_INFINITY): CpuBudget {
  let spentMs = 0
  let startedAt: number | undefined

  function measure<T>(work: () => T): T {
    const outer = startedAt
    startedAt = performance.now()
    try {
      return work()
    } finally {
      const tookMs = performance.now() - startedAt
      startedAt = outer
      // Work inside of measured work is counted by the outer one.
      if (outer === undefined) {
        spentMs += tookMs
        countWork(tookMs)
      }
    }
  }

  async function pause(): Promise<void> {
    if (isTimeSliceOver()) await nextTurn()
  }

  return {
    measure,
    pause,
    isExhausted: () => spentMs + (startedAt === undefined ? 0 : performance.now() - startedAt) >= cpuMsMax,
    async run(steps) {
      for (;;) {
        await pause()
        const step = measure(() => takeSteps(steps))
        if (step.done === true) return step.value
      }
    },
  }
}

/** Takes steps until the time of this turn is over. */
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

const timeSliceMs = 4

const waiting: (() => void)[] = []
let workedMs = 0
let isScheduled = false

function countWork(ms: number): void {
  workedMs += ms
  schedule()
}

function nextTurn(): Promise<void> {
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
