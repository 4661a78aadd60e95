import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startProgram } from './start-program.ts'
import { hasWrk, load } from './wrk.ts'

/** Tells how much slower than at its best the machine is right now. */
export interface Quietness {
  /** How many times as many requests a second the constant route answered at its best; undefined without wrk. */
  probe(): Promise<number | undefined>
  /** The best so far, in requests a second. */
  best(): number
  stop(): void
}

/** The look after a section is also the one before the next, which begins at once. */
const freshMs = 1_000

/** A machine that is slower than this is busy: its rows are shown, and not judged. */
export const quietTimesMax = 1.2

/**
 * Asks the constant route of the http section for a second, twice. Whatever else runs on the machine takes from it, as
 * it takes from the rows. The better of both counts, against the best that this machine has ever shown.
 */
export async function watchQuietness(bestPerSecond = 0): Promise<Quietness> {
  if (!hasWrk) return { probe: async () => undefined, best: () => bestPerSecond, stop: () => {} }
  const directory = mkdtempSync(join(tmpdir(), 'mintmark-bench-'))
  const file = join(directory, 'answer')
  await Bun.write(file, 'x'.repeat(answerBytes))
  const { url, pid, stop } = await startProgram(['bench/support/constant-server.ts', '{port}', file])
  await load(url, pid, { seconds: 1 })
  const { slowerTimes, best } = againstBest(bestPerSecond)
  let lookedAtMs = 0
  let slowerLast = 1
  return {
    async probe() {
      if (Date.now() - lookedAtMs < freshMs) return slowerLast
      const one = await load(url, pid, { seconds: 1 })
      const other = await load(url, pid, { seconds: 1 })
      slowerLast = slowerTimes(Math.max(one.requestsPerSecond, other.requestsPerSecond))
      lookedAtMs = Date.now()
      return slowerLast
    },
    best,
    stop() {
      stop()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

/** Compares with the best so far, beginning with one from earlier runs; 0 where there was none. */
export function againstBest(knownPerSecond: number) {
  let best = knownPerSecond
  return {
    slowerTimes(perSecond: number): number {
      best = Math.max(best, perSecond)
      return best / perSecond
    },
    best: () => best,
  }
}

/** About as many as a card has. */
const answerBytes = 10_000
