import type { Check } from './check.ts'

/** Checks by their names. Deno has no `bun:test`, so this has a file of its own. */
export function checksOf(runs: Readonly<Record<string, Check['run']>>): readonly Check[] {
  return Object.entries(runs).map(([name, run]) => ({ name, run }))
}
