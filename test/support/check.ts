import { test } from 'bun:test'
import { slowTest } from './test-size.ts'

/** A guarantee that must hold on Bun and on Deno. It uses `node:assert`, which both have. */
export interface Check {
  readonly name: string
  readonly run: () => Promise<void> | void
  /** Left out of the quick run, as it takes long. */
  readonly isSlow?: boolean
}

/** Tests of the checks of a module on Bun. `test/on-deno.test.ts` runs every `*-checks.ts` on Deno, in one process. */
export function testChecks(checks: readonly Check[]): void {
  for (const { name, run, isSlow = false } of checks) (isSlow ? slowTest : test)(name, run)
}
