import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type ChildProcess, type SpawnSyncReturns, spawn, spawnSync } from 'node:child_process'
import {
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { clientPackage } from '../src/client/client-package.ts'
import { version } from '../src/lib/version.ts'
import { freePort } from './support/free-port.ts'
import { plainPng, svgOf } from './support/pictures.ts'
import { childrenOf } from './support/process-memory.ts'
import { startServer } from './support/server.ts'

const root = join(import.meta.dir, '..')
const folder = mkdtempSync(join(tmpdir(), 'mintmark-build-'))
const built = join(folder, 'built')
const unpacked = join(folder, 'unpacked')
const moved = join(folder, 'moved')
const platform = `${process.platform}-${process.arch}`
let firstHelp: SpawnSyncReturns<string>
let server: ChildProcess
let url = ''

beforeAll(async () => {
  expect(build('--target', platform)).toMatchObject({ status: 0, stderr: '' })
  mkdirSync(unpacked)
  const archive = join(built, `mintmark-${version}-${platform}.tar.gz`)
  expect(spawnSync('tar', ['-xzf', archive, '-C', unpacked]).status).toBe(0)
  // The first command of a newcomer, in an empty folder but for the archive's.
  firstHelp = spawnSync(`./mintmark-${version}-${platform}/mintmark`, ['--help'], {
    cwd: unpacked,
    encoding: 'utf8',
    env: {},
  })
  renameSync(join(unpacked, `mintmark-${version}-${platform}`), moved)
  // Started from a directory that has nothing to do with the source.
  server = spawn(join(moved, 'mintmark'), [], {
    cwd: folder,
    env: { PORT: '0', HOST: '127.0.0.1', DRAIN_MS: '0', ADMIN_PASSWORD: 'correct-horse' },
  })
  url = await new Promise<string>((resolve, reject) => {
    server.stdout?.on('data', (chunk) => {
      const port = /"port":(\d+)/.exec(String(chunk))?.[1]
      if (port) resolve(`http://127.0.0.1:${port}`)
    })
    server.on('exit', (code) => reject(new Error(`The executable ended with ${code}`)))
  })
})

afterAll(() => {
  server.removeAllListeners('exit')
  server.kill('SIGKILL')
  rmSync(folder, { recursive: true })
})

function build(...words: readonly string[]) {
  return spawnSync(process.execPath, ['src/cli/build.ts', ...words, built], { cwd: root, encoding: 'utf8' })
}

test('the archive of this platform, unpacked in an empty folder, has a command that prints its help', () => {
  const expected = [0, 'Usage: mintmark [options] [command]', '']
  expect([firstHelp.status, firstHelp.stdout.split('\n')[0], firstHelp.stderr]).toEqual(expected)
  expect(readdirSync(unpacked)).toEqual([])
  expect(readdirSync(moved).toSorted()).toEqual(['LICENSE', 'mintmark', 'mintmark-files'])
})

test('archives have checksums that sha256sum takes', () => {
  const { status, stdout } = spawnSync('sha256sum', ['-c', 'SHA256SUMS'], { cwd: built, encoding: 'utf8' })
  expect([status, stdout]).toEqual([0, `mintmark-${version}-${platform}.tar.gz: OK\n`])
})

test.each([
  // The machine of the ELF header, and that of the Mach-O header.
  ['linux-arm64', { at: 18, bytes: [0xb7, 0x00] }, 'linux-arm64-gnu'],
  ['darwin-arm64', { at: 0, bytes: [0xcf, 0xfa, 0xed, 0xfe, 0x0c, 0x00, 0x00, 0x01] }, 'darwin-arm64'],
])(
  'the archive of %s has the program and the native module of that platform',
  (other, { at, bytes }, painter) => {
    const { status, stderr } = build('--target', other)
    if (/ConnectionRefused|ENOTFOUND|EAI_AGAIN|Timeout|Unable to connect/i.test(stderr))
      return console.log(`left out, as the npm registry cannot be reached: the archive of ${other}`)
    expect([status, stderr]).toEqual([0, ''])
    const name = `mintmark-${version}-${other}`
    spawnSync('tar', ['-xzf', join(built, `${name}.tar.gz`), '-C', unpacked])
    const program = readFileSync(join(unpacked, name, 'mintmark'))
    expect([...program.subarray(at, at + bytes.length)]).toEqual(bytes)
    // Native modules are inside under the names of their files, with a hash.
    const inside = program.toString('latin1').matchAll(/resvgjs\.([a-z\d-]+)-[a-z\d]{8}\.node/g)
    expect([...new Set([...inside].map(([, native]) => native))]).toEqual([painter])
    rmSync(join(unpacked, name), { recursive: true })
  },
  300_000,
)

test('a platform that there is no archive for is told', () => {
  const { status, stderr } = build('--target', 'linux-s390x')
  expect(status).toBe(1)
  expect(stderr).toContain('--target must be one of linux-x64, linux-arm64, darwin-arm64, not linux-s390x')
})

const texts = { latin: 'Hello', japanese: '私たちの方法', arabic: 'كيف خفضنا', emoji: 'Ship it 🚀' }

for (const [script, title] of Object.entries(texts))
  test(`the executable draws ${script} as SVG and PNG, wherever it lies`, async () => {
    const query = new URLSearchParams({ title, demo: '1' })
    const svg = await fetch(`${url}/api/og?${query}`)
    expect(svg.status).toBe(200)
    expect(await svg.text()).toStartWith('<svg ')
    const png = await fetch(`${url}/api/og.png?${query}`)
    expect(png.status).toBe(200)
    expect(Buffer.from(await png.arrayBuffer()).toString('latin1', 1, 4)).toBe('PNG')
  })

test('the executable draws JPEG and WebP, whose encoders lie beside it', async () => {
  for (const [extension, first] of [
    ['jpg', [0xff, 0xd8]],
    ['webp', [0x52, 0x49]],
  ] as const) {
    const response = await fetch(`${url}/api/og.${extension}?title=a&demo=1`)
    expect(response.status).toBe(200)
    expect([...new Uint8Array(await response.arrayBuffer()).subarray(0, 2)]).toEqual([...first])
  }
})

test("the executable draws a caller's picture in a process of its own", async () => {
  const logo = `data:image/png;base64,${plainPng(40, 40).toString('base64')}`
  const query = new URLSearchParams({ kind: 'badge', value: 'a', format: 'png', demo: '1', logo })
  const response = await fetch(`${url}/api/transform?${query}`)
  expect(response.status).toBe(200)
  expect(childrenOf(server.pid ?? 0)).toHaveLength(1)
})

test('the executable makes shapes of the lines of an SVG logo, on a thread of that process', async () => {
  const svg = svgOf('<path fill="none" stroke="#e11d48" stroke-width="9" d="M10 10L90 90"/>')
  const logo = `data:image/svg+xml;base64,${svg.toString('base64')}`
  const query = new URLSearchParams({ title: 'a', theme: 'plain', scheme: 'light', demo: '1', logo })
  const card = await (await fetch(`${url}/api/og?${query}`)).text()
  expect(card).toContain('fill="#e11d48"')
  expect(card).not.toContain('<image')
})

test('the executable serves its pages and migrates a database beside its working directory', async () => {
  const home = await (await fetch(url)).text()
  expect(home).toContain('<form')
  for (const [, path] of home.matchAll(/(?:href|src)="(\/assets\/[^"]+)"/g))
    expect((await fetch(`${url}${path}`)).status).toBe(200)
  expect(existsSync(join(folder, 'data/mintmark.sqlite'))).toBe(true)
  for (const path of ['/readyz', '/docs/astro', '/docs/install'])
    expect([path, (await fetch(`${url}${path}`)).status]).toEqual([path, 200])
})

test('the executable has the client, as it is in the source', async () => {
  const archive = new Uint8Array(await (await fetch(`${url}/client.tgz`)).arrayBuffer())
  expect(Bun.SHA256.hash(archive, 'hex')).toBe(Bun.SHA256.hash(await clientPackage(), 'hex'))
})

test('the executable signs URLs', () => {
  const words = `sign --key mk_2345678abcdefghj --secret ${'b'.repeat(64)} --title Hi`
  const run = spawnSync(join(moved, 'mintmark'), words.split(' '))
  expect(String(run.stdout)).toStartWith('http://localhost:3000/i/og/mk_')
})

test('the executable without its folder names it and serves nothing', () => {
  const alone = join(folder, 'alone')
  mkdirSync(alone)
  linkSync(join(moved, 'mintmark'), join(alone, 'mintmark'))
  const { status, stdout, stderr } = spawnSync(join(alone, 'mintmark'), [], { encoding: 'utf8' })
  expect([status, stdout, stderr.trim().split('\n').length]).toEqual([1, '', 1])
  expect(stderr).toContain(`${join(alone, 'mintmark-files')} is missing`)
})

const folders: string[] = []
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

/** A folder that has nothing to do with the source: no package, no settings of TypeScript, no modules. */
function strangeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'mintmark-elsewhere-'))
  folders.push(folder)
  return folder
}

describe.each(['bun', 'deno'] as const)('started by %s from another folder', (runtime) => {
  test('every page, a PNG and the fonts of other scripts are served, and the data lies in that folder', async () => {
    const cwd = strangeFolder()
    const env = { DATA_DIR: './data', ADMIN_PASSWORD: 'correct-horse' }
    const server = await startServer({ cwd, runtime, env })
    try {
      const paths = '/ /docs /docs/errors /docs/guides /docs/astro /status /bot /admin/login /readyz'
      for (const path of paths.split(' ')) {
        const response = await fetch(server.url + path)
        expect([path, response.status, await response.text()]).toEqual([path, 200, expect.any(String)])
      }
      const png = await fetch(`${server.url}/api/og.png?title=${encodeURIComponent('私たちの方法')}&demo=1`)
      expect(png.status).toBe(200)
      expect(existsSync(join(cwd, 'data/mintmark.sqlite'))).toBe(true)
    } finally {
      await server.stop()
    }
  })
})

test('several workers are started from another folder too', async () => {
  const cwd = strangeFolder()
  const env = { DATA_DIR: './data', WORKERS: '2', PORT: String(await freePort()) }
  const server = await startServer({ cwd, env })
  try {
    expect((await fetch(`${server.url}/docs`)).status).toBe(200)
  } finally {
    await server.stop()
  }
})

test('URLs are signed from another folder', () => {
  const words = ['sign', '--key', 'mk_2345678abcdefghj', '--secret', 'b'.repeat(64), '--title', 'Hi']
  const main = join(import.meta.dir, '../src/main.ts')
  const { stdout, stderr } = Bun.spawnSync([process.execPath, main, ...words], { cwd: strangeFolder() })
  expect([String(stderr), String(stdout)]).toEqual(['', expect.stringContaining('/i/og/mk_')])
})
