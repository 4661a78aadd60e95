import { afterAll, expect, test } from 'bun:test'
import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { validateAction } from '@action-validator/core'
import { YAML } from 'bun'

const root = join(import.meta.dirname, '../../..')
const source = readFileSync(join(root, 'action.yml'), 'utf8')
const action = YAML.parse(source) as Action
const folder = mkdtempSync(join(tmpdir(), 'mintmark-action-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

interface Action {
  readonly runs: {
    readonly steps: readonly {
      readonly name?: string
      readonly run?: string
      readonly with?: Readonly<Record<string, string>>
    }[]
  }
}

test("the action has the form that GitHub's schema asks for, and a mistake in it would be found", () => {
  expect(validateAction(source).errors).toEqual([])
  expect(validateAction(source.replace('using: composite', 'using: compost')).errors).not.toEqual([])
})

test('the action runs the version of Bun that the tests run', () => {
  const { devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  expect(action.runs.steps[0]?.with?.['bun-version']).toBe(devDependencies.bun)
})

test('its script gives a site its cards, whatever is in its inputs', () => {
  const site = join(folder, 'a site; exit 9')
  cpSync(join(root, 'test/fixtures/sites/nuxt'), site, { recursive: true })
  const script = action.runs.steps.find(({ name }) => name === 'Make cards')?.run ?? ''
  const { status, stdout, stderr } = spawnSync(
    'bash',
    ['--noprofile', '--norc', '-eo', 'pipefail', '-c', script],
    {
      cwd: folder,
      encoding: 'utf8',
      env: {
        PATH: `${dirname(process.execPath)}:${process.env['PATH']}`,
        GITHUB_ACTION_PATH: root,
        FOLDER: site,
        BASE: 'https://harbour.example/',
        OPTIONS: '--theme=paper\n\n--format=webp\n',
        CACHE: '.mintmark',
      },
    },
  )
  expect({ status, stderr }).toEqual({ status: 0, stderr: expect.any(String) })
  expect(stdout).toContain('6 pages written')
  expect(readdirSync(join(site, 'og')).filter((name) => name.endsWith('.webp'))).toHaveLength(6)
  expect(readdirSync(join(folder, '.mintmark'))).not.toEqual([])
})
