import { expect, test } from 'bun:test'
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { denoProgram } from '../support/deno-program.ts'

const script = fileURLToPath(new URL('digest.ts', import.meta.url))

function run(command: string, ...args: string[]): string[] {
  const { stdout, stderr, status } = spawnSync(command, [...args, script], { encoding: 'utf8' })
  if (status !== 0) throw new Error(stderr)
  return stdout.trim().split('\n')
}

test('Bun and Deno draw the same bytes for every text', () => {
  const bun = run(process.execPath)
  expect(bun.length).toBeGreaterThan(200)
  expect(run(denoProgram, 'run', '-A')).toEqual(bun)
})
