/** The result of a piece of work, and how it delayed the event loop. */
export interface LoopLag<T> {
  readonly value: T
  /**
   * The longest time for which nothing else could run, in milliseconds: as the clock saw it or as the processor did,
   * whichever is less, because on a busy machine other processes make every gap long.
   */
  readonly stallMs: number
  /** How often the event loop went round. */
  readonly turns: number
}

/** Does the work and watches from within how long the event loop stands still. */
export async function watchEventLoop<T>(work: () => T | Promise<T>): Promise<LoopLag<T>> {
  let stallMs = 0
  let turns = 0
  let isWatching = true
  let last = now()
  function tick() {
    const current = now()
    stallMs = Math.max(stallMs, Math.min(current.wallMs - last.wallMs, current.cpuMs - last.cpuMs))
    last = current
    turns += 1
    if (isWatching) setImmediate(tick)
  }
  setImmediate(tick)
  await new Promise((resolve) => setImmediate(resolve))
  last = now()
  const value = await work()
  isWatching = false
  await new Promise((resolve) => setImmediate(() => setImmediate(resolve)))
  return { value, stallMs, turns }
}

function now() {
  const { user, system } = process.cpuUsage()
  return { wallMs: performance.now(), cpuMs: (user + system) / 1000 }
}

/** Nothing that a stranger sends may hold the event loop for longer, on a slow machine included. It is meant to be 10 ms. */
export const stallMsMax = 300
