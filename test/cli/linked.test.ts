import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { version } from '../../src/lib/version.ts'
import { page } from './cards/site.ts'

// Installers start slowly on a busy machine.
const root = join(import.meta.dirname, '../..')
const folder = mkdtempSync(join(tmpdir(), 'mintmark-linked-'))
const clone = join(folder, 'clone')
const node = dirname(Bun.which('node') ?? '/usr/bin/node')
/** A user without rights of its own, where the tests run as root. */
const user = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}
const isReadable = spawnSync('ls', [root], { ...user, cwd: '/' }).status === 0

beforeAll(() => {
  // The command needs these of a clone. Packages are installed once, and a link to them is as good.
  const names = 'LICENSE admin bin bunfig.toml client docs drizzle package.json src tsconfig.json'.split(' ')
  for (const name of names) cpSync(join(root, name), join(clone, name), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(clone, 'node_modules'))
  chmodSync(folder, 0o755)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function environment(more: Readonly<Record<string, string>> = {}) {
  return { PATH: `${node}:/usr/bin:/bin`, HOME: join(folder, 'home'), ...more }
}

const links = {
  'npm link': (prefix: string) => ({
    command: ['npm', 'link'],
    env: { npm_config_prefix: prefix },
    program: join(prefix, 'bin/mintmark'),
  }),
  'bun link': (prefix: string) => ({
    command: [process.execPath, 'link'],
    env: { BUN_INSTALL: prefix },
    program: join(prefix, 'bin/mintmark'),
  }),
}

/** Links the clone once more, and returns the command. */
function linked(name: keyof typeof links): string {
  const { command, env, program } = links[name](join(folder, name.replace(' ', '-')))
  const [installer = '', ...words] = command
  const { status, stderr } = spawnSync(installer, words, {
    cwd: clone,
    env: environment(env),
    encoding: 'utf8',
  })
  expect([status, stderr]).toEqual([0, expect.any(String)])
  return program
}

let sites = 0

/** The folder of an author, with settings that Bun would read if the command let it. */
function project() {
  sites += 1
  const path = join(folder, `site-${sites}`)
  mkdirSync(join(path, 'dist'), { recursive: true })
  const files = {
    'package.json': '{ "name": "site" }',
    'bunfig.toml': 'preload = ["./missing.ts"]',
    '.env': 'DATABASE_URL=mysql://another-program',
    'dist/index.html': page('Hello'),
  }
  for (const [name, text] of Object.entries(files)) void Bun.write(join(path, name), text)
  spawnSync('chmod', ['-R', 'a+rwX', path])
  return path
}

describe.if(isReadable)('a clone that was linked once', () => {
  test.each(Object.keys(links) as (keyof typeof links)[])(
    'after %s the command works in another folder, on paths from there, for a user without rights to the clone',
    async (name) => {
      const program = linked(name)
      const cwd = project()
      const words = ['cards', './dist', '--base', 'https://a.example/', '--sheet', 'cards.html']
      const run = spawnSync(program, words, { ...user, cwd, env: environment(), encoding: 'utf8' })
      expect(run).toMatchObject({ status: 0, stderr: '' })
      expect(run.stdout).toContain('1 page written')
      expect(readFileSync(join(cwd, 'dist/index.html'), 'utf8')).toContain('og:image')
      expect(readdirSync(join(cwd, 'dist/og')).filter((file) => file.endsWith('.png'))).toHaveLength(1)
      expect(readdirSync(cwd)).toContain('cards.html')
      // Notes of the run are in the cache beside the package.json of the site.
      expect(readdirSync(join(cwd, 'node_modules/.cache/mintmark')).toSorted()).toEqual(['pictures', 'sites'])
    },
  )

  test('the exit code is that of the program', () => {
    const program = linked('npm link')
    const cwd = project()
    const wrong = spawnSync(program, ['cards', './missing'], { cwd, env: environment(), encoding: 'utf8' })
    expect([wrong.status, wrong.stdout]).toEqual([1, ''])
    expect(wrong.stderr).toBe(`${cwd}/missing: there is no such file or folder.\n`)
  })

  test('a signal to the command ends the program as a signal to the program does', async () => {
    const program = linked('npm link')
    const cwd = project()
    const env = environment({ PORT: '0', HOST: '127.0.0.1', DRAIN_MS: '0', ADMIN_PASSWORD: 'correct-horse' })
    const child = spawn(program, [], { cwd, env, stdio: ['ignore', 'pipe', 'ignore'] })
    const ended = once(child, 'exit')
    const listening = new Promise<void>((resolve) =>
      child.stdout.on('data', (chunk) => {
        if (String(chunk).includes('"listening"')) resolve()
      }),
    )
    await Promise.race([listening, ended])
    child.kill('SIGTERM')
    expect(await ended).toEqual([0, null])
  })
})

describe('where something is missing, the command says how to get it', () => {
  function runAlone(path: string) {
    const alone = join(folder, 'alone')
    rmSync(alone, { recursive: true, force: true })
    mkdirSync(join(alone, 'bin'), { recursive: true })
    for (const name of ['bin/mintmark.js', 'package.json']) cpSync(join(root, name), join(alone, name))
    const program = join(alone, 'bin/mintmark.js')
    return spawnSync(join(node, 'node'), [program, '--version'], { env: { PATH: path }, encoding: 'utf8' })
  }

  test('Bun', () => {
    const { status, stdout, stderr } = runAlone('/nonexistent')
    expect([status, stdout]).toEqual([1, ''])
    expect(stderr).toContain('npm install --global bun')
    expect(stderr.trimEnd()).not.toContain('\n')
  })

  test('the packages', () => {
    const { status, stderr } = runAlone(`/nonexistent:${dirname(Bun.which('bun') ?? process.execPath)}`)
    expect(status).toBe(1)
    expect(stderr).toContain(`${join(folder, 'alone')}/: bun install --frozen-lockfile --production`)
  })
})

test('the version is that of the package', () => {
  const run = spawnSync(join(clone, 'bin/mintmark.js'), ['--version'], {
    env: environment(),
    encoding: 'utf8',
  })
  expect(run.stdout).toBe(`${version}\n`)
})
