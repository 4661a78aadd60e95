import { beforeAll, describe, expect, test } from 'bun:test'
import { fileURLToPath } from 'node:url'
import type { Check } from './check.ts'
import { denoProgram } from './deno-program.ts'
import { isQuick, slowTest } from './test-size.ts'

/** Tests of the checks of a module on Bun and on Deno; in the quick form of a file on Bun alone. */
export function onBoth(module: URL, checks: readonly Check[]): void {
  describe('on Bun', () => {
    for (const { name, run, isSlow = false } of checks) (isSlow ? slowTest : test)(name, run)
  })
  describe.skipIf(isQuick)('on Deno', () => {
    let onDeno: Promise<ReadonlyMap<string, string | null>>
    beforeAll(() => {
      onDeno = runOnDeno(fileURLToPath(module))
      // The tests below see the failure.
      onDeno.catch(() => {})
    })
    for (const { name } of checks) {
      test(name, async () => {
        expect((await onDeno).get(name)).toBeNull()
      })
    }
  })
}

async function runOnDeno(file: string): Promise<Map<string, string | null>> {
  const runner = fileURLToPath(new URL('./run-checks.ts', import.meta.url))
  const child = Bun.spawn([denoProgram, 'run', '-A', '--quiet', runner, file], {
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [output, complaints] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ])
  const lines = output.split('\n').filter((line) => line.startsWith('['))
  if (lines.length === 0) throw new Error(`Deno ran nothing: ${complaints}`)
  return new Map(lines.map((line) => JSON.parse(line)))
}
