import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { cpSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { version } from '../../src/lib/version.ts'
import { ownTags, page } from '../cli/cards/site.ts'
import { mintmark } from '../cli/support/mintmark.ts'
import { temporaryDirectory } from '../store/temporary-directory.ts'
import { denoProgram } from '../support/deno-program.ts'
import { startServer } from '../support/server.ts'
import { started } from '../support/started.ts'
import { createUserProject, type UserProject } from '../support/user-project.ts'
import cases from './client-command.json' with { type: 'json' }

// Installers start slowly on a busy machine.
const root = join(import.meta.dirname, '../..')
const program = join(root, 'client/mintmark.js')
const runtimes = {
  Node: ['node', program],
  Bun: [process.execPath, program],
  Deno: [denoProgram, 'run', '-A', '--quiet', program],
}
const pair = { MINTMARK_KEY: 'mk_2345678abcdefghj', MINTMARK_SECRET: 'a'.repeat(64) }

async function run(
  words: readonly string[],
  {
    env = pair,
    command = runtimes.Node,
  }: { readonly env?: object; readonly command?: readonly string[] } = {},
) {
  const child = Bun.spawn([...command, ...words], {
    cwd: '/',
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...env },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [output, errors, exitCode] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ])
  return { exitCode, output, errors }
}

test('it is one file of at most 400 KB', () => {
  expect(statSync(program).size).toBeLessThan(400_000)
})

describe.each(Object.entries(runtimes))('on %s', (_, command) => {
  test('it has its three commands, and the version of the server', async () => {
    const { exitCode, output } = await run(['--help'], { command })
    expect(exitCode).toBe(0)
    const commands = [...output.matchAll(/^ {2}([a-z]+) \[/gm)].map(([, name]) => name)
    expect(commands).toEqual(['cards', 'sign', 'check', 'help'])
    expect((await run(['--version'], { command })).output).toBe(`${version}\n`)
  })

  test('it signs as the program does', async () => {
    const words = ['sign', '--title', 'Hello, "world"', '--theme', 'paper', '--logo', 'github', '--base']
    const given = [...words, 'https://mintmark.example']
    const signed = await run(given, { command })
    expect(signed).toEqual({ exitCode: 0, output: (await mintmark(given, { env: pair })).output, errors: '' })
  })
})

function contentsOf(folder: string) {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).toSorted()
  return names
    .filter((name) => statSync(join(folder, name)).isFile())
    .map((name) => [name, Bun.hash(readFileSync(join(folder, name)))])
}

const sites = join(root, 'test/fixtures/sites')

test.each(readdirSync(sites))('cards gives a site of %s the same tags as the program does', async (name) => {
  const folder = temporaryDirectory()
  const outcomes = await Promise.all(
    ['client', 'program'].map(async (which) => {
      const site = join(folder, which, 'dist')
      cpSync(join(sites, name), site, { recursive: true })
      const words = ['cards', site, '--base', 'https://a.example/', '--cache', join(folder, `${which}-cache`)]
      const signed = [...words, '--server', 'https://mintmark.example']
      const { exitCode, output, errors } = await (which === 'client'
        ? run(signed)
        : mintmark(signed, { env: pair }))
      return { exitCode, said: output.replaceAll(which, ''), errors, files: contentsOf(site) }
    }),
  )
  expect(outcomes[0]).toEqual(outcomes[1])
  expect(outcomes[0]?.exitCode).toBe(0)
})

test.each<[string, readonly string[], string]>([
  ...(cases.refused as [string, readonly string[], string][]),
  [
    'the secret in the place of the key',
    ['sign', '--title', 'A', '--key', pair.MINTMARK_SECRET],
    'key must be mk_',
  ],
  ['the secret by another name', ['sign', `--secrt=${pair.MINTMARK_SECRET}`], "unknown option '--secrt=…'"],
])('%s is refused in a line or two, without the secret', async (_, words, message) => {
  const { exitCode, output, errors } = await run(words)
  expect([exitCode, output]).toEqual([1, ''])
  expect(errors).toContain(message)
  expect(errors.trimEnd().split('\n').length).toBeLessThan(4)
  expect(errors).not.toContain(pair.MINTMARK_SECRET)
})

test('a copy in .zst, which Node 20 cannot write, is told, and the page stays as it was', async () => {
  const folder = temporaryDirectory()
  const files = { 'index.html': page('Hello'), 'index.html.zst': 'old' }
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  const words = ['cards', folder, '--base', 'https://a.example/', '--cache', temporaryDirectory()]
  const { exitCode, errors } = await run([...words, '--server', 'https://mintmark.example'])
  const isWritten = exitCode === 0
  // A newer Node writes it.
  expect(isWritten || errors.includes('its copy in .zst can be written by Node 22.15')).toBe(true)
  expect(readFileSync(join(folder, 'index.html'), 'utf8') === files['index.html']).toBe(!isWritten)
})

describe('installed from a running server', () => {
  let site: UserProject
  let env: Readonly<Record<string, string>> = {}
  const server = started(startServer)
  beforeAll(async () => {
    const { id, secret } = await (await fetch(`${server.url}/api/key`)).json()
    env = { MINTMARK_URL: server.url, MINTMARK_KEY: id, MINTMARK_SECRET: secret }
    site = createUserProject({
      'package.json': '{ "name": "site", "private": true }',
      'dist/index.html': page('Hello'),
      'dist/about/index.html': page('About us'),
    })
    await site.run(['npm', 'install', '--no-audit', '--no-fund', `${server.url}/client.tgz`])
  })
  afterAll(async () => {
    rmSync(site.folder, { recursive: true, force: true })
  })

  test('npx --no mintmark gives a site tags that the server grants, says so, and finds what it refuses', async () => {
    const npx = ['npx', '--no', 'mintmark']
    const words = ['cards', './dist', '--base', 'https://a.example/', '--server', server.url]
    expect(await site.run([...npx, ...words], env)).toContain('2 pages written')
    const image = ownTags(readFileSync(join(site.folder, 'dist/about/index.html'), 'utf8'))['og:image'] ?? ''
    expect((await fetch(image)).headers.get('x-auth-mode')).toBe('key')
    expect(await site.run([...npx, 'check', 'dist'], env)).toContain('2 URLs of')
    const signed = await site.run([...npx, 'sign', '--title', 'Hello'], env)
    expect((await fetch(signed.split('\n')[0] ?? '')).status).toBe(200)
    site.write({ 'dist/b.html': `<img src="${server.url}/api/og?title=A&amp;theme=papr&amp;demo=1">` })
    const refused = await site.run([...npx, 'check', 'dist'], env).catch(String)
    expect(refused).toContain('b.html: 400 invalid_query')
  })
})
