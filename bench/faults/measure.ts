import { createContext, NotPossibleHere } from './context.ts'
import type { Measurement, Scenario } from './scenario.ts'
import { memoryLimitMb } from './support/cgroup.ts'

/** Runs one scenario and says what it came to. What it throws is a failure of the scenario, and counts as wrong. */
export async function measure(scenario: Scenario, { isQuick = false } = {}): Promise<Measurement> {
  const startMs = performance.now()
  const { context, finish } = createContext({ isQuick, memoryLimitMb })
  let skipped: string | undefined
  try {
    await scenario.run(context)
  } catch (error) {
    if (error instanceof NotPossibleHere) skipped = error.message
    else context.mistake(`the scenario broke off: ${error instanceof Error ? error.message : String(error)}`)
  }
  const { reports, ...outcome } = await finish()
  const heaviest = reports.toSorted((a, b) => b.peakMb - b.idleMb - (a.peakMb - a.idleMb))[0]
  return {
    ...outcome,
    scenario,
    seconds: (performance.now() - startMs) / 1000,
    stallMs: reports.length === 0 ? undefined : Math.max(...reports.map(({ stallMs }) => stallMs)),
    waitMs: Math.max(0, ...reports.map(({ waitMs }) => waitMs)),
    peakMb: heaviest?.peakMb,
    idleMb: heaviest?.idleMb,
    ...(skipped !== undefined && { skipped }),
  }
}
