import { afterAll, expect, test } from 'bun:test'
import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
const folder = mkdtempSync(join(tmpdir(), 'mintmark-lockfile-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** The registry is a closed port, because a lockfile that agrees with package.json needs no registry in a dry run. */
const closedRegistry = 'http://127.0.0.1:9'

test('bun.lock agrees with package.json, because a fresh clone installs from the frozen lockfile and would not start', () => {
  for (const name of ['package.json', 'bun.lock']) copyFileSync(join(root, name), join(folder, name))
  const { status, stderr } = spawnSync(process.execPath, ['install', '--frozen-lockfile', '--dry-run'], {
    cwd: folder,
    env: {
      ...process.env,
      BUN_CONFIG_REGISTRY: closedRegistry,
      BUN_INSTALL_CACHE_DIR: join(folder, 'cache'),
    },
    encoding: 'utf8',
  })
  expect({ status, errors: stderr.split('\n').filter((line) => /^(error|note)/.test(line)) }).toEqual({
    status: 0,
    errors: [],
  })
})
