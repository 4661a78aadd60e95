import { expect, test } from 'bun:test'
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { processorCount } from '../../src/cli/processor-count.ts'
import { version } from '../../src/lib/version.ts'
import { run } from '../store/runtimes.ts'
import { temporaryDirectory } from '../store/temporary-directory.ts'
import { runtimes, sampleOf, slowTest } from '../support/test-size.ts'
import cases from './command-line.json' with { type: 'json' }
import { mintmark, mintmarkProcess, refusal, startMintmark } from './support/mintmark.ts'

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
  const expected = [0, expect.stringMatching(/--theme <value>\s+og: The theme.*\s\(aurora,\s+paper,/)]
  expect([explained.exitCode, explained.output]).toEqual(expected)
  expect((await mintmark(['render', '--help'])).output).toContain(
    '--theme aurora|paper|grid|poster|terminal|plain',
  )
})

test.each(cases.lines as [string[], string][])(
  '%j is refused with what is wrong, and does nothing',
  async (words, message) => {
    const env = { DATA_DIR: join(temporaryDirectory(), 'data') }
    const errors = await refusal(words, { env })
    expect(errors).toContain(message)
    expect(existsSync(env.DATA_DIR)).toBe(false)
  },
)

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
  for (const guide of ['README.md', 'docs/install.md'])
    expect(readFileSync(join(root, guide), 'utf8')).toContain(`Bun ${needed} or newer`)
})

for (const runtime of runtimes) {
  async function messages(what: string) {
    return (await run(runtime, 'test/cli/children/unhandled.ts', what))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).message)
  }

  test(`a rejection that nobody waits for is logged and the process goes on, on ${runtime}`, async () => {
    expect(await messages('rejection')).toEqual(['unhandled rejection', 'still here', 'counted 1'])
  })

  test(`an exception that nothing caught is logged, and the process is asked to end, on ${runtime}`, async () => {
    expect(await messages('exception')).toEqual(['uncaught exception', 'asked to end', 'counted 1'])
  })

  test(`what a package prints goes to the log, on ${runtime}`, async () => {
    expect(await messages('print')).toEqual(['printed', 'printed', 'counted 0'])
  })
}

/** Files of version 2 of control groups with a limit, and of version 1. */
const limit = (max: string) => ({
  '/proc/self/cgroup': '0::/\n',
  '/sys/fs/cgroup/cpu.max': `${max} 100000\n`,
})
const version1 = (groups: string, quota: number) => ({
  '/proc/self/cgroup': groups,
  '/sys/fs/cgroup/cpu/cpu.cfs_quota_us': `${quota}\n`,
  '/sys/fs/cgroup/cpu/cpu.cfs_period_us': '100000\n',
})

test.each([
  ...(cases.limits as [string, Record<string, string>, number][]),
  ['no limit', limit('max'), 8],
  ['a container of two processors', limit('200000'), 2],
  ['one and a half', limit('150000'), 2],
  ['less than one', limit('10000'), 1],
  ['more than there are', limit('6400000'), 8],
  ['version 1', version1('4:memory:/x\n3:cpuset:/\n2:cpu,cpuacct:/docker/abc\n0::/\n', 400_000), 4],
  ['version 1 without a limit', version1('1:cpu:/\n', -1), 8],
])(
  'the processors of a process with %s are counted',
  (_, files: Readonly<Record<string, string>>, expected) => {
    const count = processorCount((path) => files[path] ?? raise(path), 8)
    expect(count).toBe(expected)
  },
)

function raise(path: string): never {
  throw new Error(`no file ${path}`)
}

test('on this machine there is at least one, and not more than the runtime says', () => {
  expect(processorCount()).toBeGreaterThanOrEqual(1)
  expect(processorCount()).toBeLessThanOrEqual(availableParallelism())
})

const directory = temporaryDirectory()
const source = join(directory, 'site')
mkdirSync(join(source, 'src'), { recursive: true })
writeFileSync(join(source, 'src/index.md'), '# Hello')
const brand = join(directory, 'acme')
mkdirSync(brand)
writeFileSync(join(brand, 'brand.json'), '{"name":"Acme","slug":"acme","logo":"mark.svg"}')
const nowhere = { DATA_DIR: join(directory, 'nowhere') }
/** Never made, because only commands that make no folder are given it. */
const elsewhere = { DATA_DIR: join(directory, 'elsewhere') }

const noDatabase = ['There is no database at', 'Set DATA_DIR as for the server']

type Move = [name: string, words: string[], told: string[], env?: Readonly<Record<string, string>>]

/** Each is told the mistake, and the remedy. */
const moves: Move[] = [
  ['a command in other words', ['card', source], ["unknown command 'card'", 'Did you mean cards?']],
  [
    'an option of a command below another in other words',
    ['key', 'limit', 'mk_2345678abcdefghj', '--quota', '5'],
    ["unknown option '--quota'", '--help tells more'],
  ],
  [
    'a site that is not built',
    ['cards', source],
    ['there is no HTML page in it', 'Build the site first', '_site'],
  ],
  ['cards for no folder', ['cards', join(directory, 'dist')], ['there is no such file or folder']],
  ['a key without its secret', ['sign', '--key', 'mk_2'], ['sign needs --secret, or MINTMARK_SECRET']],
  ['a secret without its key', ['sign'], ['sign needs --key, or MINTMARK_KEY'], { MINTMARK_SECRET: 'b' }],
  [
    'rows of a file that there is not',
    ['render', '--from', join(directory, 'rows.csv'), '--out', directory],
    ['rows.csv cannot be read: there is no such file or folder'],
  ],
  ['keys in another folder', ['key', 'list'], noDatabase, elsewhere],
  ['brands in another folder', ['brand', 'list'], noDatabase, elsewhere],
  [
    'a brand whose logo is not beside it',
    ['brand', 'import', brand],
    ['brand.json: logo "mark.svg" cannot be read: there is no such file or folder'],
    nowhere,
  ],
  ...[
    ['BASE_URL', 'cards.example', 'must be an absolute http or https URL, such as https://cards.example'],
    ['DATABASE_URL', 'mysql://root@localhost/mintmark', 'must be sqlite:<path> or postgres://'],
    ['ADMIN_PASSWORD', 'secret', 'must have 10 to 1000 characters'],
    ['WORKERS', 'four', 'must be auto, or an integer from 1 to 256'],
  ].map(([name = '', value = '', said]): Move => {
    const env = { ...nowhere, [name]: value }
    return [`${name}=${value}`, ['serve'], [`${name} ${said}`], env]
  }),
]

test.each(moves)('%s: the message says what helps', async (_, words, told, env = {}) => {
  const run = words[0] === 'serve' ? mintmarkProcess : mintmark
  const { exitCode, errors } = await run(words, { env })
  expect(exitCode).toBe(1)
  for (const text of told) expect(errors).toContain(text)
  expect(errors).not.toMatch(/^\s+at /m)
})
