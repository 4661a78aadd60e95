export type CpuBudget = ReturnType<typeof createCpuBudget>

/**
 * Tasks, such as parsing a page, share a slice of `timeSliceMs` in each turn, so that other work waits for milliseconds only.
 * @param cpuMsMax milliseconds of processor time for the task, over all turns of the event loop
 */
export function createCpuBudget(cpuMsMax = Number.POSITIVE_INFINITY) {
  const isLimited = cpuMsMax !== Number.POSITIVE_INFINITY
  let spentMs = 0
  let start: Moment | undefined

  function measure<T>(work: () => T): T {
    // Nested measurements are part of the outer one.
    if (start !== undefined) return work()
    const began = { atMs: performance.now(), cpuMs: isLimited ? threadCpuMs() : 0 }
    start = began
    try {
      return counted(work)
    } finally {
      start = undefined
      if (isLimited) spentMs += cpuMsSince(began)
    }
  }

  return {
    measure,
    /** True once the task has to end with what it has. */
    isExhausted(): boolean {
      if (!isLimited || start === undefined) return spentMs >= cpuMsMax
      // The clock is asked first, because it is a tenth of the work, and processor time is never more.
      const leftMs = cpuMsMax - spentMs
      return performance.now() - start.atMs >= leftMs && cpuMsSince(start) >= leftMs
    },
    /** Runs small steps, and lets the event loop go on when the slice is over. The work itself checks `isExhausted`. */
    async run<T>(steps: Iterator<unknown, T>): Promise<T> {
      for (;;) {
        if (isTimeSliceOver()) await nextTurn(longWork)
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

function takeSteps<T>(steps: Iterator<unknown, T>): IteratorResult<unknown, T> {
  for (;;) {
    const step = steps.next()
    if (step.done === true || isTimeSliceOver()) return step
  }
}

/** The turn counts from its first counted work, whatever was done in it since. */
export function isTimeSliceOver(): boolean {
  return turnStartMs !== undefined && performance.now() - turnStartMs >= timeSliceMs
}

/** Work that is short alone waits only where the slice is over, so a thousand requests together do not hold the event loop. */
export function inTurn<T>(work: () => T | Promise<T>): T | Promise<T> {
  if (isCounting || !isTimeSliceOver()) return counted(work)
  return nextTurn(shortWork).then(() => counted(work))
}

/** Does work as a part of the time slice, and lets others go on if the slice is not over. */
function counted<T>(work: () => T): T {
  // Work inside of counted work is part of it.
  if (isCounting) return work()
  isCounting = true
  turnStartMs ??= performance.now()
  schedule()
  try {
    return work()
  } finally {
    isCounting = false
    if (shortWork.length + longWork.length > 0 && !isTimeSliceOver()) wakeNext()
  }
}

/** With the last step, which takes less than a millisecond, no turn is longer than four. */
const timeSliceMs = 3

type Waiting = (() => void)[]

/** Each goes first in every other turn: many pages being parsed must not delay a request, nor many requests a page. */
const shortWork: Waiting = []
const longWork: Waiting = []
let isShortFirst = false
let isCounting = false
let turnStartMs: number | undefined
let isScheduled = false

function nextTurn(queue: Waiting): Promise<void> {
  return new Promise((resolve) => {
    queue.push(resolve)
    schedule()
  })
}

function wakeNext(): void {
  const [first, second] = isShortFirst ? [shortWork, longWork] : [longWork, shortWork]
  const wake = first.shift() ?? second.shift()
  wake?.()
}

function schedule(): void {
  if (isScheduled) return
  isScheduled = true
  setImmediate(() => {
    isScheduled = false
    turnStartMs = undefined
    isShortFirst = !isShortFirst
    wakeNext()
    if (shortWork.length + longWork.length > 0) schedule()
  })
}
