import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { cpSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { parseTar } from 'nanotar'
import { version } from '../../src/lib/version.ts'
import { denoProgram } from '../support/deno-program.ts'
import { startServer } from '../support/server.ts'
import { started } from '../support/started.ts'
import { createUserProject, type UserProject } from '../support/user-project.ts'
import cases from './client-package.json' with { type: 'json' }

const root = join(import.meta.dir, '../..')
const projects: UserProject[] = []
let env: Readonly<Record<string, string>> = {}

const server = started(startServer)
beforeAll(async () => {
  const { id, secret } = await (await fetch(`${server.url}/api/key`)).json()
  env = { MINTMARK_URL: server.url, MINTMARK_KEY: id, MINTMARK_SECRET: secret }
})
afterAll(async () => {
  for (const { folder } of projects) rmSync(folder, { recursive: true, force: true })
})

function project(files: Readonly<Record<string, string>> = {}): UserProject {
  const made = createUserProject(files)
  projects.push(made)
  return made
}

const script = (from: string) => `
import { cardTags, embedUrl, signUrl } from '${from}'
const { MINTMARK_URL: url, MINTMARK_KEY: key, MINTMARK_SECRET: secret } = process.env
console.log(await embedUrl(url + '/api/og', { title: 'Ada & "Bob"' }, { key, secret }))
console.log(await signUrl(url + '/api/og?title=Hello', { key, secret }))
if (!(await cardTags(url, { title: 'Hello' }, { key, secret })).startsWith('<meta property="og:image"')) throw 0
`

async function expectGranted(printed: string): Promise<void> {
  const urls = printed.trim().split('\n')
  expect(urls).toHaveLength(2)
  for (const url of urls) {
    const response = await fetch(url)
    expect([response.status, response.headers.get('x-auth-mode')]).toEqual([200, 'key'])
  }
}

const installers = {
  npm: () => ['npm', 'install', '--no-audit', '--no-fund', `${server.url}/client.tgz`],
  Bun: () => [process.execPath, 'add', `${server.url}/client.tgz`],
}
const runners = {
  Node: ['node', 'index.mjs'],
  Bun: [process.execPath, 'index.mjs'],
  Deno: [denoProgram, 'run', '-A', '--quiet', 'index.mjs'],
}

describe.each(Object.entries(installers))('installed by %s into an empty folder', (_, install) => {
  let installed: UserProject
  beforeAll(async () => {
    installed = project({ 'index.mjs': script('mintmark'), 'named.mjs': script('mintmark/client') })
    await installed.run(install())
  })

  test.each(Object.entries(runners))('signs what the service grants, on %s', async (_, command) => {
    await expectGranted(await installed.run(command, env))
  })

  test('has the same under mintmark/client, and nothing that it depends on', async () => {
    await expectGranted(await installed.run(['node', 'named.mjs'], env))
    expect(
      readdirSync(join(installed.folder, 'node_modules')).filter((name) => !name.startsWith('.')),
    ).toEqual(['mintmark'])
  })
})

test('Deno imports it from the running service, with its types', async () => {
  const code = script(`${server.url}/client.js`).replaceAll('process.env', 'Deno.env.toObject()')
  const typed = code.replace('key, secret } =', 'key, secret }: any =')
  const wrong = `import { embedUrl } from '${server.url}/client.js'\nawait embedUrl(1, { title: {} })\n`
  const deno = project({ 'index.ts': typed, 'wrong.ts': wrong })
  const check = [denoProgram, 'check', `--allow-import=${new URL(server.url).host}`]
  await deno.run([...check, 'index.ts'])
  await expectGranted(await deno.run([denoProgram, 'run', '-A', '--quiet', 'index.ts'], env))
  await expect(deno.run([...check, 'wrong.ts'])).rejects.toThrow('Expected 3-4 arguments')
})

describe('in a strict TypeScript project', () => {
  let typed: UserProject
  const right = `
import { cardImage, cardTags, type EmbedParameters, embedUrl, type KeyPair, type ParametersOf, signUrl } from 'mintmark'
import * as client from 'mintmark/client'
import mintmark from 'mintmark/eleventy'
import { cardMetadata } from 'mintmark/next'

const pair: KeyPair = { key: 'mk_a', secret: 'b' }
const parameters: ParametersOf<'https://mintmark.example/api/og.png'> = { title: 'Hello', width: 600, subtitle: undefined }
declare const service: string
declare const endpoint: string
declare const frontMatter: EmbedParameters
export const urls: Promise<string>[] = [
  embedUrl('https://mintmark.example/api/og.png', parameters, pair, { exp: 2_000_000_000, form: 'query' }),
  embedUrl(\`\${service}/api/badge\`, { label: 'coverage', value: 97, link: ['https://a/', 'https://b/'] }, pair),
  embedUrl(\`\${service}/api/transform?kind=avatar\`, { name: 'Ada', 'font-size': 0.5, bold: true, length: 2 }, pair),
  embedUrl(endpoint, frontMatter, pair, { check: false }),
  signUrl('https://mintmark.example/api/og', pair),
  cardTags('https://mintmark.example', { title: 'Hello', theme: 'paper', alt: 'A card' }, pair),
  client.embedUrl('https://mintmark.example/api/og', { title: 'Hello' }, pair),
]
export const width: Promise<number> = cardImage('https://mintmark.example', { title: 'a' }, pair).then((card) => card.width)
export const url: Promise<string> = cardMetadata({ title: 'a' }).then(({ openGraph }) => openGraph.images[0]!.url)
mintmark({ addAsyncShortcode: (name: string) => name })
`
  const wrong = cases.wrong

  beforeAll(async () => {
    const files = Object.values(wrong).map((call, index) => [
      `wrong-${index}.ts`,
      `import { cardTags, embedUrl } from 'mintmark'\nexport { cardTags, embedUrl }\nvoid ${call}\n`,
    ])
    typed = project({
      'index.ts': right,
      'package.json': '{ "type": "module" }',
      ...Object.fromEntries(files),
    })
    await typed.run(installers.npm())
  })

  /** Without the types of the DOM and of Node, and declarations are checked too. */
  function compile(file: string, moduleResolution: string) {
    const module = moduleResolution === 'nodenext' ? 'nodenext' : 'esnext'
    const options = ['--module', module, '--moduleResolution', moduleResolution, '--target', 'es2022']
    const strict = ['--strict', '--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess', '--noEmit']
    const tsc = join(root, 'node_modules/.bin/tsc')
    return typed.run([tsc, ...strict, ...options, '--lib', 'es2022', '--types', '', file])
  }

  test.each(['bundler', 'nodenext'])('everything compiles with moduleResolution %s', async (resolution) => {
    expect(await compile('index.ts', resolution)).toBe('')
  })

  test.each(Object.keys(wrong))('a mistake is found: %s', async (name) => {
    const file = `wrong-${Object.keys(wrong).indexOf(name)}.ts`
    await expect(compile(file, 'bundler')).rejects.toThrow(`${file}(3,`)
  })
})

function contentsOf(archive: Uint8Array): Record<string, string> {
  const files = parseTar(new Uint8Array(gunzipSync(archive)))
  return Object.fromEntries(files.map(({ name, text }) => [name.replace(/^\//, ''), text]))
}

async function served(path: string, init?: RequestInit) {
  const response = await fetch(server.url + path, init)
  return { response, bytes: new Uint8Array(await response.arrayBuffer()) }
}

test('npm pack of the repository packs the same as /client.tgz, and leaves the repository as it was', async () => {
  const copy = project()
  for (const name of ['package.json', 'README.md', 'LICENSE', 'client', 'src', 'docs', 'test/vectors'])
    cpSync(join(root, name), join(copy.folder, name), { recursive: true })
  await copy.run(['npm', 'pack', '--silent'])
  const packed = readFileSync(join(copy.folder, `mintmark-${version}.tgz`))
  expect(packed.byteLength).toBeLessThan(350_000)
  const fromServer = contentsOf((await served('/client.tgz')).bytes)
  expect(contentsOf(packed)).toEqual(fromServer)
  expect(Object.keys(fromServer)).toContain('package/client/card-tags.astro')
  expect(fromServer['package/README.md']).toStartWith('# mintmark\n')
  for (const name of ['package.json', 'README.md'])
    expect(readFileSync(join(copy.folder, name), 'utf8')).toBe(readFileSync(join(root, name), 'utf8'))
})

describe('what the service serves of the client', () => {
  test.each([
    ['/client.js', 'text/javascript; charset=utf-8'],
    ['/client.d.ts', 'application/typescript; charset=utf-8'],
    ['/client.tgz', 'application/gzip'],
  ])('%s may be loaded from everywhere, and is sent once', async (path, type) => {
    const { response } = await served(path)
    const { headers } = response
    expect([response.status, headers.get('content-type')]).toEqual([200, type])
    expect(headers.get('access-control-allow-origin')).toBe('*')
    const etag = headers.get('etag') ?? ''
    const again = await served(path, { headers: { 'if-none-match': etag } })
    expect([again.response.status, again.bytes.byteLength]).toEqual([304, 0])
    const head = await served(path, { method: 'HEAD' })
    expect(head.response.headers.get('content-length')).toBe(headers.get('content-length'))
    expect(head.response.headers.get('etag')).toBe(etag)
  })

  test('the package is the same under Deno, at the version of the service', async () => {
    const deno = await startServer({ runtime: 'deno' })
    try {
      const fromDeno = new Uint8Array(await (await fetch(`${deno.url}/client.tgz`)).arrayBuffer())
      const { bytes } = await served('/client.tgz')
      expect(Bun.SHA256.hash(fromDeno, 'hex')).toBe(Bun.SHA256.hash(bytes, 'hex'))
      expect(JSON.parse(contentsOf(bytes)['package/package.json'] ?? '').version).toBe(version)
    } finally {
      await deno.stop()
    }
  })
})

test('the client in the repository is built from its source', async () => {
  const built = project()
  await Bun.$`${process.execPath} ${join(root, 'src/client/build.ts')} ${built.folder}`.quiet()
  const written = ['src/client/parameters.generated.ts', 'client/client.js', 'client/client.d.ts']
  for (const path of [
    ...written,
    ...['hugo/card-tags.html', 'mintmark.js', 'mintmark.LICENSES.txt'].map((name) => `client/${name}`),
  ])
    expect([path, readFileSync(join(root, path), 'utf8')]).toEqual([
      path,
      readFileSync(join(built.folder, path.replace(/^(?:src\/)?client\//, '')), 'utf8'),
    ])
})
