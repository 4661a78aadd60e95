import { expect, test } from 'bun:test'
import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { version } from '../../src/lib/version.ts'
import { temporaryDirectory } from '../store/temporary-directory.ts'
import { runtimes, sampleOf, slowTest } from '../support/test-size.ts'
import { mintmark, mintmarkProcess, startMintmark } from './support/mintmark.ts'

const root = join(import.meta.dir, '../..')
const commands = ['serve', 'sign', 'render', 'backup', 'restore', 'doctor']

test.each(sampleOf(['--version', '-V'], 2))('%s prints the version', async (word) => {
  expect(await mintmarkProcess([word])).toMatchObject({ exitCode: 0, output: `${version}\n`, errors: '' })
})

test('--help names every command, and each has its own', async () => {
  const { exitCode, output } = await mintmark(['--help'])
  expect(exitCode).toBe(0)
  for (const command of commands) {
    expect(output).toMatch(new RegExp(`^  ${command} `, 'm'))
    const help = await mintmark([command, '--help'])
    expect([help.exitCode, help.errors]).toEqual([0, ''])
    expect(help.output).toStartWith(`Usage: mintmark ${command}`)
  }
  const explained = await mintmark(['render', '--parameters'])
  expect([explained.exitCode, explained.output]).toEqual([
    0,
    expect.stringMatching(/--theme <value>\s+og: The theme.*\s\(aurora,\s+paper,/),
  ])
  expect((await mintmark(['render', '--help'])).output).toContain(
    '--theme aurora|paper|grid|poster|terminal|plain',
  )
})

test.each([
  [['sgin'], 'Did you mean sign?'],
  [['--prot', '80'], "unknown option '--prot'"],
  [['serve', '--port', '80'], "unknown option '--port'"],
  [['backup', 'one', 'two'], 'too many arguments'],
  [['backup', '--to', 'one'], "unknown option '--to'"],
  [['restore'], "missing required argument 'copy'"],
])('%j is refused with what is wrong, and does nothing', async (words, message) => {
  const env = { DATA_DIR: join(temporaryDirectory(), 'data') }
  const { exitCode, output, errors } = await mintmark(words, { env })
  expect([exitCode, output]).toEqual([1, ''])
  expect(errors).toContain(message)
  expect(existsSync(env.DATA_DIR)).toBe(false)
})

test('a process ends when its command is done, or has failed', async () => {
  const folder = temporaryDirectory()
  const env = { DATA_DIR: join(folder, 'data') }
  const [brand, rows] = [join(folder, 'brand.json'), join(folder, 'cards.jsonl')]
  writeFileSync(brand, JSON.stringify({ name: 'Acme', slug: 'acme' }))
  writeFileSync(rows, '{"title":"Hello"}')
  const pair = ['--key', 'mk_2345678abcdefghj', '--secret', 'b'.repeat(64)]
  const given: [exitCode: number, words: string[]][] = [
    [0, ['brand', 'import', folder]],
    [0, ['render', '--from', rows, '--out', join(folder, 'out'), '--brand', 'acme']],
    [0, ['sign', ...pair, '--title', 'Hello']],
    [0, ['backup', join(folder, 'copies')]],
    [1, ['brand', 'export', 'nobody', join(folder, 'none')]],
    [1, ['render', '--from', rows, '--out', '/dev/null']],
    [1, ['sign', ...pair]],
    [1, ['restore', rows]],
    [1, ['move', '--to', 'postgres://nobody']],
  ]
  for (const [exitCode, words] of sampleOf(given, 9))
    expect([words, (await mintmarkProcess(words, { env })).exitCode]).toEqual([words, exitCode])
})

test.each(runtimes)('serve serves as no command does, on %s', async (runtime) => {
  const env = { DATA_DIR: temporaryDirectory(), PORT: '0', HOST: '127.0.0.1', DRAIN_MS: '0' }
  const child = startMintmark(['serve'], { env, runtime })
  const reader = child.stdout.pipeThrough(new TextDecoderStream()).getReader()
  const port = /"port":(\d+)/.exec((await reader.read()).value ?? '')?.[1]
  expect((await fetch(`http://127.0.0.1:${port}/healthz`)).status).toBe(200)
  child.kill('SIGTERM')
  expect(await child.exited).toBe(0)
})

slowTest('a Bun that is too old is told which one is needed, before anything is installed', async () => {
  const folder = temporaryDirectory()
  cpSync(join(root, 'src'), join(folder, 'src'), { recursive: true })
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  // No older Bun is at hand, so this one is asked to be newer than it is.
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ ...manifest, engines: { bun: '>=99.1.0' } }))
  for (const words of [['run', 'start'], ['run', 'test'], ['run', 'mintmark', 'sign'], ['src/main.ts']]) {
    const child = Bun.spawnSync([process.execPath, ...words], { cwd: folder })
    expect([words, child.exitCode, String(child.stdout)]).toEqual([words, 1, ''])
    expect(String(child.stderr)).toContain(
      `Mintmark needs Bun 99.1.0 or newer, and this is Bun ${Bun.version}`,
    )
  }
  expect(existsSync(join(folder, 'node_modules'))).toBe(false)
})

test('the README names the Bun that package.json needs', () => {
  const { engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const needed = engines.bun.replace(/^>=|\.0$/g, '')
  for (const guide of ['README.md', 'docs/OPERATIONS.md'])
    expect(readFileSync(join(root, guide), 'utf8')).toContain(`Bun ${needed} or newer`)
})
