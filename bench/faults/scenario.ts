import type { FaultContext } from './context.ts'
import type { Outcome } from './outcome.ts'

/** One fault, and what must hold while it lasts. */
export interface Scenario {
  /** Its name on the command line: `bun run faults disk-full`. */
  readonly name: string
  /** The fault, as the table has it. */
  readonly title: string
  /** One sentence about what the scenario does to the server, without figures, because those come from the run. */
  readonly tried: string
  readonly bounds?: Partial<Bounds>
  run(context: FaultContext): Promise<void>
}

export interface Bounds {
  /** The longest that `/healthz` may take, in ms, without what the server waited for a processor. */
  readonly stallMsMax: number
  /** Memory of the process tree above what it has when idle, in MB. */
  readonly memoryMbMax: number
}

export const defaultBounds: Bounds = { stallMsMax: 500, memoryMbMax: 350 }

/** Results of one scenario, and what was measured from outside meanwhile. */
export interface Measurement extends Outcome {
  readonly scenario: Scenario
  readonly seconds: number
  /** Absent where nothing could be measured: no server ran, or we had stopped it. */
  readonly stallMs: number | undefined
  /** The longest that the machine let a server wait for a processor. */
  readonly waitMs: number
  readonly peakMb: number | undefined
  readonly idleMb: number | undefined
  /** Why it could not be tried here, such as a program that is missing. */
  readonly skipped?: string
}

/**
 * Every bound that was missed, in words. An empty list: the fault was held. `stallSlack` widens the bound of the stall,
 * for a machine that does other things meanwhile.
 */
export function failuresOf(measured: Measurement, { stallSlack = 1 } = {}): readonly string[] {
  const { lost, wrong, scenario, stallMs, peakMb, idleMb } = measured
  const { stallMsMax, memoryMbMax } = { ...defaultBounds, ...scenario.bounds }
  const failures = [
    ...[...lost].map(([what, times]) => `lost: ${what} (${times} times)`),
    ...[...wrong].map(([what, times]) => `wrong: ${what} (${times} times)`),
  ]
  if (stallMs !== undefined && stallMs > stallMsMax * stallSlack)
    failures.push(`/healthz took ${Math.round(stallMs)} ms, at most ${stallMsMax} ms are allowed`)
  const grownMb = (peakMb ?? 0) - (idleMb ?? 0)
  if (grownMb > memoryMbMax)
    failures.push(`memory grew by ${Math.round(grownMb)} MB, at most ${memoryMbMax} MB are allowed`)
  return failures
}

export function sumOf(counts: ReadonlyMap<string, number>): number {
  return [...counts.values()].reduce((sum, times) => sum + times, 0)
}
