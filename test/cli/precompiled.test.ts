import { beforeAll, beforeEach, expect, test } from 'bun:test'
import { cpSync, readFileSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Precompiled } from '../../src/cli/precompiled.ts'
import { version } from '../../src/lib/version.ts'
import { temporaryDirectory } from '../store/temporary-directory.ts'
import { startServer } from '../support/server.ts'

const root = join(import.meta.dir, '../..')
const shipped = 'src admin client docs drizzle LICENSE package.json bun.lock tsconfig.json'.split(' ')
const tree = join(temporaryDirectory(), 'mintmark')
const folder = join(tree, 'dist/precompiled')
const listPath = join(folder, 'list.json')

const kept = join(tree, 'dist/kept')

beforeAll(() => {
  for (const name of shipped)
    cpSync(join(root, name), join(tree, name), { recursive: true, preserveTimestamps: true })
  symlinkSync(join(root, 'node_modules'), join(tree, 'node_modules'))
  expect(precompile()).toMatchObject({ exitCode: 0, errors: '' })
  cpSync(folder, kept, { recursive: true })
})

beforeEach(() => {
  rmSync(folder, { recursive: true, force: true })
  cpSync(kept, folder, { recursive: true })
})

function run(words: readonly string[]) {
  const { exitCode, stdout, stderr } = Bun.spawnSync([process.execPath, ...words], { cwd: tree })
  return { exitCode, output: String(stdout), errors: String(stderr) }
}

function precompile() {
  return run(['src/cli/precompile.ts'])
}

function readList(): Precompiled {
  return JSON.parse(readFileSync(listPath, 'utf8'))
}

function printedVersion() {
  return run(['src/main.ts', '--version'])
}

const ofSources = { exitCode: 0, output: `${version}\n`, errors: '' }
const ofProgram = { ...ofSources, output: 'precompiled\n' }

/** Replaces the program by one that can be told from the sources. */
function markProgram() {
  writeFileSync(readList().program, "exports.start = () => console.log('precompiled')")
}

test('a precompiled program draws the bytes that its sources draw', () => {
  const rows = join(tree, 'rows.jsonl')
  writeFileSync(
    rows,
    '{"slug":"a","title":"Hello","format":"png"}\n{"slug":"b","title":"私たち","theme":"paper"}\n{"slug":"c","kind":"badge","message":"1"}',
  )
  const words = ['src/main.ts', 'render', '--from', rows, '--name', '{slug}', '--out']
  function draw(out: string) {
    expect(run([...words, join(tree, out)])).toMatchObject({ exitCode: 0, errors: '' })
    return ['a.png', 'b.svg', 'c.svg'].map((name) => readFileSync(join(tree, out, name)))
  }
  const bytes = draw('of-program')
  rmSync(listPath)
  expect(draw('of-sources')).toEqual(bytes)
})

test('a changed source is never ignored, and the program runs again when the source is as it was', () => {
  markProgram()
  expect(printedVersion()).toEqual(ofProgram)
  const packages = readList().sources.filter(([path]) => path.includes('/node_modules/'))
  expect(packages.length).toBeGreaterThan(100)
  for (const name of ['src/cli/start.ts', 'admin/app.ts', 'package.json', 'bun.lock', 'tsconfig.json']) {
    const path = join(tree, name)
    const text = readFileSync(path)
    writeFileSync(path, `${text}\n`)
    utimesSync(path, changedAt(name), changedAt(name))
    expect([name, printedVersion()]).toEqual([name, ofSources])
    writeFileSync(path, text)
    expect([name, printedVersion()]).toEqual([name, ofSources])
    utimesSync(path, changedAt(name), changedAt(name))
    expect([name, printedVersion()]).toEqual([name, ofProgram])
  }
})

function changedAt(name: string): Date {
  return new Date(Bun.file(join(root, name)).lastModified)
}

test.each<[what: string, change: (list: Precompiled) => void]>([
  ['whose list is cut off', () => writeFileSync(listPath, readFileSync(listPath).subarray(0, 1000))],
  ['without a list', () => rmSync(listPath)],
  ['of another Bun', (list) => writeFileSync(listPath, JSON.stringify({ ...list, bunVersion: '1.0.0' }))],
  ['of another folder', (list) => writeFileSync(listPath, JSON.stringify({ ...list, root: '/app/' }))],
  [
    'with a source that is gone',
    (list) => {
      const sources = [...list.sources, [join(tree, 'src/gone.ts'), '1 1']]
      writeFileSync(listPath, JSON.stringify({ ...list, sources }))
    },
  ],
  ['that is gone', ({ program }) => rmSync(dirname(program), { recursive: true })],
  ['that is damaged', ({ program }) => writeFileSync(program, 'exports.start = (')],
])('the sources run instead of a program %s', (_, change) => {
  markProgram()
  expect(printedVersion()).toEqual(ofProgram)
  change(readList())
  expect(printedVersion()).toEqual(ofSources)
})

test('a program is not kept if a source changes while it is compiled', () => {
  markProgram()
  const path = join(tree, 'src/cli/start.ts')
  const before = changedAt('src/cli/start.ts')
  utimesSync(path, new Date(), new Date(Date.now() + 60_000))
  const { exitCode, errors } = precompile()
  expect([exitCode, errors]).toEqual([1, `${path} was changed while it was compiled. Run this again.\n`])
  utimesSync(path, before, before)
  expect(printedVersion()).toEqual(ofProgram)
})

test('a server goes on when the program that it runs is replaced', async () => {
  const server = await startServer({ command: [process.execPath, join(tree, 'src/main.ts')] })
  try {
    rmSync(folder, { recursive: true })
    for (const path of ['/favicon.ico', '/api/og.png?title=Hello&demo=1', '/docs/errors', '/admin/login'])
      expect([path, (await fetch(server.url + path)).status]).toEqual([path, 200])
  } finally {
    await server.stop()
  }
})

test('two processes may precompile at once', async () => {
  const children = [1, 2].map(() =>
    Bun.spawn([process.execPath, 'src/cli/precompile.ts'], { cwd: tree, stdout: 'ignore' }),
  )
  expect(await Promise.all(children.map(({ exited }) => exited))).toEqual([0, 0])
  markProgram()
  expect(printedVersion()).toEqual(ofProgram)
})
