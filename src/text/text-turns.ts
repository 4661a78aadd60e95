import { createCpuBudget } from '../lib/cooperative-scheduler.ts'
import type { FontSource } from './font-source.ts'
import type { TextSteps } from './steps.ts'

/** A turn of the event loop has no more time for a drawing, or no font. */
export class TurnOver extends Error {
  override readonly name = 'TurnOver'
}

/** Steps of a drawing in one turn: one that takes more goes on in later turns. Usual cards take fewer steps, whatever the clock says. */
const stepsMax = 16

/** Counts the steps of one drawing after the other. */
export class TurnSteps {
  private left = 0

  /** Another drawing begins. */
  start(): void {
    this.left = stepsMax
  }

  /** Runs steps one after the other. @throws TurnOver where the drawing has no more of them in this turn, or no font. */
  run<T>(steps: TextSteps<T>): T {
    for (;;) {
      const step = steps.next()
      if (step.done === true) return step.value
      if (step.value !== undefined || this.left-- === 0) throw new TurnOver()
    }
  }
}

/** Runs steps in short turns of the event loop, and loads each font that they ask for. */
export async function inTurns<T>(
  steps: TextSteps<T>,
  load: (source: FontSource) => Promise<void>,
): Promise<T> {
  const budget = createCpuBudget()
  for (;;) {
    const step = await budget.run(untilFont(steps))
    if (step.done === true) return step.value
    await load(step.value)
  }
}

type FontStep<T> =
  | { readonly done: true; readonly value: T }
  | { readonly done?: false; readonly value: FontSource }

function* untilFont<T>(steps: TextSteps<T>): Generator<void, FontStep<T>> {
  for (;;) {
    const { done, value } = steps.next()
    if (done === true) return { done, value }
    if (value !== undefined) return { value }
    yield
  }
}
