import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { validateWorkflow } from '@action-validator/core'
import { YAML } from 'bun'

const root = join(import.meta.dirname, '..')
const source = readFileSync(join(root, '.github/workflows/release.yml'), 'utf8')

interface Workflow {
  readonly jobs: {
    readonly archives: {
      readonly steps: readonly { readonly run?: string; readonly with?: Readonly<Record<string, string>> }[]
    }
  }
}

const { steps } = (YAML.parse(source) as Workflow).jobs.archives

test("the workflow has the form that GitHub's schema asks for, and a mistake in it would be found", () => {
  expect(validateWorkflow(source).errors).toEqual([])
  expect(validateWorkflow(source.replace('runs-on:', 'run-on:')).errors).not.toEqual([])
})

test('it builds with the version of Bun that the tests run', () => {
  const { devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  expect(steps.map((step) => step.with?.['bun-version']).filter(Boolean)).toEqual([devDependencies.bun])
})

test('it builds an archive of every platform that there is', () => {
  const build = steps.find(({ run }) => run?.startsWith('bun run build'))?.run ?? ''
  const targets = [...build.matchAll(/--target (\S+)/g)].map(([, target]) => target)
  const { stderr } = Bun.spawnSync([process.execPath, join(root, 'src/cli/build.ts'), '--target', 'none'])
  expect(String(stderr)).toContain(`--target must be one of ${targets.join(', ')}, not none`)
})
