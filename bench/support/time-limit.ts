/** A section took longer than it may, so nobody tries it again. */
export class TimeLimitPassed extends Error {
  override readonly name = 'TimeLimitPassed'
}

/** Tells the process of a section when it will be ended: ms since 1970. */
export const deadlineVariable = 'BENCH_DEADLINE_MS'

/** Whether what took so long can be done again, though it may take a third longer. True where nothing sets a limit. */
export function hasTimeFor(spanMs: number, nowMs = Date.now()): boolean {
  return nowMs + (spanMs * 4) / 3 < Number(process.env[deadlineVariable] ?? Number.POSITIVE_INFINITY)
}
