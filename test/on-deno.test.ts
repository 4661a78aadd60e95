import { beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { Glob } from 'bun'
import type { Check } from './support/check.ts'
import { denoProgram } from './support/deno-program.ts'

const root = join(import.meta.dir, '..')
const modules = [...new Glob('test/**/*-checks.ts').scanSync(root)].toSorted()

/** What Deno said of each check: null where it holds. One process runs all of them. */
let messages: ReadonlyMap<string, string | null>
beforeAll(async () => {
  const runner = join(import.meta.dir, 'support/children/run-on-deno.ts')
  const child = Bun.spawn([denoProgram, 'run', '-A', '--quiet', runner, ...modules], {
    cwd: root,
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [output, complaints] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ])
  const lines = output.split('\n').filter((line) => line.startsWith('["test/'))
  messages = new Map(
    lines.map((line): [string, string | null] => {
      const [module, name, message] = JSON.parse(line)
      return [`${module}: ${name}`, message]
    }),
  )
  if (await child.exited) console.error(complaints)
})

for (const module of modules) {
  const { checks }: { readonly checks: readonly Check[] } = await import(join(root, module))
  describe(module, () => {
    test.each(checks.map(({ name }) => name))('%s', (name) => {
      expect(messages.get(`${module}: ${name}`)).toBeNull()
    })
  })
}
