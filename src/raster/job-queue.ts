/** A large job lets at most so many small ones pass before it is its turn. */
const passedMax = 16

interface Waiting {
  readonly isLarge: boolean
  readonly start: () => void
}

/**
 * Runs jobs one after the other: small ones in the order in which they came, and before large ones that wait, so that
 * nobody's card waits for ten of another caller's. Of every seventeen turns one at least is that of the oldest job.
 */
export function createJobQueue() {
  const waiting: Waiting[] = []
  let isRunning = false
  /** How many turns went by without the oldest job that waits. */
  let passed = 0

  function startNext(): void {
    const small = waiting.findIndex(({ isLarge }) => !isLarge)
    const index = passed >= passedMax ? 0 : Math.max(0, small)
    const [next] = waiting.splice(index, 1)
    passed = index === 0 ? 0 : passed + 1
    isRunning = next !== undefined
    next?.start()
  }

  return {
    waitingCount: (): number => waiting.length,
    largeWaitingCount: (): number => waiting.filter(({ isLarge }) => isLarge).length,
    /** Settles as the job does, when it has had its turn. */
    async run<T>(isLarge: boolean, job: () => Promise<T>): Promise<T> {
      if (isRunning) await new Promise<void>((resolve) => waiting.push({ isLarge, start: resolve }))
      isRunning = true
      try {
        return await job()
      } finally {
        startNext()
      }
    },
  }
}
