import type { Check } from './check.ts'

/** Makes a check. It is apart from `testChecks`, because Deno has none of Bun's tests. */
export function check(name: string, run: Check['run']): Check {
  return { name, run }
}
