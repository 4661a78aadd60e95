/** A section took longer than it may, so nobody tries it again. */
export class TimeLimitPassed extends Error {
  override readonly name = 'TimeLimitPassed'
}

/** Tells the process of a section when it will be ended: ms since 1970. */
export const deadlineVariable = 'BENCH_DEADLINE_MS'
/** Tells it for how many ms altogether it may measure again what fell short. */
export const repeatsVariable = 'BENCH_REPEATS_MS'

let repeatedMs = 0

/** Whether rows that took so long may be measured again. What the section has not measured yet must not lack the time. */
export function mayRepeat(tookMs: number): boolean {
  if (!hasTimeFor(tookMs) || repeatedMs + tookMs > limitOf(repeatsVariable)) return false
  repeatedMs += tookMs
  return true
}

/**
 * Runs so many rounds, or as many as end within this time and before the section must: one at least. Returns how many it
 * was. A machine that is slow has fewer rounds instead of no result.
 */
export async function inRounds(
  roundsMax: number,
  secondsMax: number,
  run: (index: number) => Promise<void>,
): Promise<number> {
  const startMs = Date.now()
  for (let rounds = 1; ; rounds += 1) {
    await run(rounds - 1)
    const tookMs = Date.now() - startMs
    const nextMs = tookMs / rounds
    if (rounds >= roundsMax || tookMs + nextMs > 1_000 * secondsMax || !hasTimeFor(nextMs)) return rounds
  }
}

/** Whether what took so long can be done again, though it may take a third longer. True where nothing sets a limit. */
function hasTimeFor(spanMs: number): boolean {
  return Date.now() + (spanMs * 4) / 3 < limitOf(deadlineVariable)
}

function limitOf(variable: string): number {
  return Number(process.env[variable] ?? Number.POSITIVE_INFINITY)
}
