import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { denoProgram } from '../support/deno-program.ts'

const script = join(import.meta.dir, 'children/prints-priorities.ts')

/** Only Linux has a priority for each thread. */
test.skipIf(process.platform !== 'linux').each([
  ['Bun', [process.execPath]],
  ['Deno', [denoProgram, 'run', '-A']],
])('what is drawn stands back behind answers that are ready, on %s', async (_, runtime) => {
  const { stdout, exited } = Bun.spawn([...runtime, script], { stdout: 'pipe', stderr: 'inherit' })
  const { main, ofThreads, ofPictures } = JSON.parse(await new Response(stdout).text())
  expect(await exited).toBe(0)
  const standsBack = Math.min(19, main + 3)
  expect(ofThreads.filter((each: number) => each === main).length).toBeGreaterThan(1)
  expect(ofThreads).toContain(standsBack)
  expect(ofPictures).toEqual([standsBack])
})
