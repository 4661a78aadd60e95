const waiting: (() => void)[] = []
let workedMs = 0
let isScheduled = false

/** Counts time that was spent without letting anybody else run. */
export const countWork = (ms: number): void => {
  workedMs += ms
  schedule()
}

/** All pages together have worked long enough in this turn of the event loop. */
export const isTurnOver = (): boolean => workedMs > TURN_MS

/**
 * Resolves in a turn that no other page has: many long pages that are read at once take one slice each time around,
 * so that everything else waits for one slice and not for all.
 */
export const nextTurn = (): Promise<void> =>
  new Promise((resolve) => {
    waiting.push(resolve)
    schedule()
  })

const TURN_MS = 4

const schedule = (): void => {
  if (isScheduled) return
  isScheduled = true
  setImmediate(() => {
    isScheduled = false
    workedMs = 0
    waiting.shift()?.()
    if (waiting.length > 0) schedule()
  })
}
