import { hangMsMax } from './hang-limit.ts'

/** Longer than a slow machine takes for anything, and short of the end of a test that hangs. */
const patienceMs = hangMsMax / 4

type Found<Value> = Exclude<Value, false | '' | 0 | null | undefined>

/** Looks again and again until there is something, and returns it. For what happens at another time than it is asked for. */
export async function eventually<Value>(look: () => Value | Promise<Value>): Promise<Found<Value>> {
  const deadlineMs = performance.now() + patienceMs
  for (;;) {
    const found = await look()
    if (found) return found as Found<Value>
    if (performance.now() > deadlineMs) throw new Error(`It did not come to be so: ${look}`)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}
