import { expect, test } from 'bun:test'
import { spawnSync } from 'node:child_process'
import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryDirectory } from './store/temporary-directory.ts'

const root = join(import.meta.dir, '..')

/** The output of the first step of the tests on a machine that has only a shell and these programs. */
function firstStep(programs: Readonly<Record<string, string>>, ...words: readonly string[]): string {
  const path = temporaryDirectory()
  for (const [name, target] of Object.entries({ sh: '/bin/sh', ...programs }))
    symlinkSync(target, join(path, name))
  const script = join(root, 'test/support/install-system-packages.ts')
  return String(spawnSync(process.execPath, [script, ...words], { env: { PATH: path } }).stdout)
}

test('without the right to install, the tests say what they leave out and why', () => {
  const said = firstStep({})
  expect(said).not.toContain('installing')
  expect(said).toContain(
    'left out, as chromium (Debian package chromium) is missing: pages in a real browser',
  )
})

test.skipIf(process.getuid?.() !== 0)('what is about to be installed is said before it is', () => {
  const lines = firstStep({ 'apt-get': '/bin/true' }).split('\n')
  expect(lines[0]).toMatch(/^installing (?:[\w-]+, )*chromium,.* for the tests$/)
})

test('the quick tests want fewer packages than all tests', () => {
  const [quick, all] = [firstStep({}), firstStep({}, '--all')]
  for (const debianPackage of ['chromium', 'libxml2-utils']) {
    expect(quick).toContain(`(Debian package ${debianPackage})`)
    expect(all).toContain(`(Debian package ${debianPackage})`)
  }
  for (const debianPackage of ['hugo', 'prometheus', 'pgbouncer', 'buildah', 'caddy']) {
    expect(quick).not.toContain(debianPackage)
    expect(all).toContain(`(Debian package ${debianPackage})`)
  }
})
