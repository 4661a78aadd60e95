import { createCpuBudget } from '../lib/cooperative-scheduler.ts'
import type { FontSource } from './font-source.ts'
import type { Steps } from './steps.ts'

/** A turn of the event loop has no more time for a drawing, or no font. */
export class TurnOver extends Error {
  override readonly name = 'TurnOver'
}

/** Milliseconds that a drawing may run at once, before the rest goes on in turns. */
const turnMsMax = 4

/** Returns what runs steps one after the other until all of them together took a turn's time. It throws TurnOver then. */
export function untilTurnIsOver(): <T>(steps: Steps<T>) => T {
  const endMs = performance.now() + turnMsMax
  return (steps) => {
    for (;;) {
      const step = steps.next()
      if (step.done === true) return step.value
      if (step.value !== undefined || performance.now() > endMs) throw new TurnOver()
    }
  }
}

/** Runs steps in short turns of the event loop, and loads each font that they ask for. */
export async function inTurns<T>(steps: Steps<T>, load: (source: FontSource) => Promise<void>): Promise<T> {
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

function* untilFont<T>(steps: Steps<T>): Generator<void, FontStep<T>> {
  for (;;) {
    const { done, value } = steps.next()
    if (done === true) return { done, value }
    if (value !== undefined) return { value }
    yield
  }
}
