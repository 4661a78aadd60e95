import { afterAll, beforeAll, expect, test } from 'bun:test'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { form, temporaryBrands } from '../brands/support/temporary-brands.ts'
import { walletEnv } from '../payments/support/wallet-env.ts'
import { eventually } from '../support/eventually.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { installProject, type UserProject } from '../support/user-project.ts'
import cases from './generated-clients.json' with { type: 'json' }

/** Parameters that an asset, or a badge with another parameter, cannot do without. */
const needed: Readonly<Record<string, Readonly<Record<string, string>>>> = cases.needed

let server: TestServer
let project: UserProject | undefined
beforeAll(async () => {
  // The document with a wallet is the larger one: it has all of the other.
  ;[server, project] = await Promise.all([
    startServer({ env: walletEnv('http://127.0.0.1:9') }),
    installProject(cases.packages),
  ])
  project?.write({
    'api.json': await (await fetch(`${server.url}/openapi.json`)).text(),
    'tsconfig.json': JSON.stringify(cases.tsconfig),
    'orval.config.cjs':
      "module.exports = { api: { input: './api.json', output: { target: './orval.ts', client: 'fetch' } } }",
  })
})
afterAll(async () => {
  await server.stop()
  if (project) rmSync(project.folder, { recursive: true })
})

test('a linter finds nothing wrong with the document, and nothing to warn of', async () => {
  if (project === undefined) return
  const said = await project.run([program('redocly'), 'lint', 'api.json'])
  expect(said).toContain('Your API description is valid')
  expect(said).not.toMatch(/\d+ (warning|error)/)
})

test('what three generators make of it compiles strictly, and knows each asset’s own parameters', async () => {
  if (project === undefined) return
  await project.run([program('openapi-typescript'), 'api.json', '-o', 'types.ts'])
  const said = await project.run([program('openapi-ts'), '-i', 'api.json', '-o', 'hey'])
  expect(said).not.toMatch(/warning/i)
  await project.run([program('orval'), '--config', 'orval.config.cjs'])
  project.write({ 'use.ts': useOfAll })
  await project.run([program('tsc'), '-p', '.'])
})

test('pages are no functions of a client that leaves out their tag, as the reference says how', async () => {
  if (project === undefined) return
  const html = await (await fetch(`${server.url}/docs`)).text()
  const plain = html.replace(/<[^>]*>/g, '').replaceAll('&#39;', "'")
  const [, hey = ''] = /openapi-ts\.config\.ts\n(parser: .*)\n/.exec(plain) ?? []
  const [, orval = ''] = /orval\.config\.ts\n(input: \{.*\} \})/.exec(plain) ?? []
  project.write({
    'without-pages.config.mjs': `export default { input: './api.json', output: './without-pages', ${hey} }`,
    'without-pages.orval.cjs': `module.exports = { api: { ${orval.replace('openapi.json', 'api.json')}, output: { target: './without-pages.ts', client: 'fetch' } } }`,
  })
  await project.run([program('openapi-ts'), '-f', 'without-pages.config.mjs'])
  await project.run([program('orval'), '--config', 'without-pages.orval.cjs'])
  const functions = Object.keys(await import(join(project.folder, 'without-pages/index.ts')))
  const others = Object.keys(await import(join(project.folder, 'without-pages.ts')))
  const { paths } = await (await fetch(`${server.url}/openapi.json`)).json()
  const operations = Object.values(paths as Record<string, Record<string, Operation>>).flatMap(Object.values)
  const pages = operations.filter(({ responses }) => 'text/html' in (responses['200']?.content ?? {}))
  expect(pages.length).toBeGreaterThan(20)
  for (const { operationId, tags } of pages) {
    expect([operationId, tags]).toEqual([operationId, ['pages']])
    expect(functions).not.toContain(operationId)
    expect(others).not.toContain(operationId)
  }
  expect(functions).toContain('getApiOg')
  expect(others).toContain('getApiOg')
})

interface Operation {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly responses: Readonly<Record<string, { readonly content?: object }>>
}

test('a generated client calls the running server', async () => {
  if (project === undefined) return
  const { getApiAvatar, getApiStats } = await import(join(project.folder, 'hey/index.ts'))
  const baseUrl = server.url
  const avatar = await getApiAvatar({ baseUrl, query: { name: 'Ada', format: 'json', demo: '1' } })
  expect(avatar.data).toMatchObject({ kind: 'avatar', initials: 'A' })
  const wrong = await getApiAvatar({ baseUrl, query: { name: '', demo: '1' } })
  expect(wrong.error).toMatchObject({ code: 'invalid_query', errors: [{ parameter: 'name' }] })
  expect((await getApiStats({ baseUrl })).data).toMatchObject({ kind: 'stats' })
})

/** The wrong lines must be errors: `tsc` complains of a `@ts-expect-error` that is not needed. */
const useOfAll = `
import { getApiBadge, getApiOg } from './hey'
import { getApiAvatar, getApiPreview } from './orval'
import type { operations } from './types'

export const style: NonNullable<operations['getApiBadge']['parameters']['query']>['style'] = 'for-the-badge'
// @ts-expect-error a style of cards is none of badges
export const wrongStyle: NonNullable<operations['getApiBadge']['parameters']['query']>['style'] = 'aurora'
export const fine = [
  getApiOg({ query: { title: 'Hello', theme: 'paper', width: 600, format: 'png', demo: '1' } }),
  getApiBadge({ query: { value: 'ok', scale: 2, link: ['https://example.com/'], key: 'mk_a', t: 1, sig: 'a' } }),
  getApiAvatar({ name: 'Ada', size: 64, bold: true, length: '2' }),
  getApiPreview({ url: 'https://example.com/', demo: '1' }),
]
export const wrong = [
  // @ts-expect-error a title is needed
  getApiOg({ query: { theme: 'paper' } }),
  // @ts-expect-error a badge has no theme
  getApiBadge({ query: { value: 'ok', theme: 'paper' } }),
  // @ts-expect-error a size is a number
  getApiAvatar({ name: 'Ada', size: '64' }),
]
`

interface Parameter {
  readonly name: string
  readonly in: string
  readonly description: string
  readonly example?: unknown
  readonly schema: object
}

test('every parameter of an asset has a description, a schema and an example that the server takes', async () => {
  await makeBrand('acme')
  const { paths } = await (await fetch(`${server.url}/openapi.json`)).json()
  const own = Object.entries(paths as Record<string, { get?: { tags: string[]; parameters: Parameter[] } }>)
  for (const [path, { get }] of own) {
    if (!get?.tags.includes('assets') || path === '/api/transform') continue
    for (const parameter of get.parameters.filter(({ name }) => !credentials.has(name))) {
      expect(parameter.description.length).toBeGreaterThan(3)
      expect([path, parameter.name, parameter.example]).not.toContain(undefined)
      const query = new URLSearchParams({
        ...((path === '/api/badge' && needed[`badge ${parameter.name}`]) || needed[path]),
        [parameter.name]: String(parameter.example),
      })
      const filled = path.replace(/\{(\w+)\}/g, (_, name) =>
        String(get.parameters.find((each) => each.name === name)?.example),
      )
      const response = await fetch(`${server.url}${filled}?${query}`)
      expect([filled, response.status]).not.toContain(404)
      const { errors = [] } = response.status === 400 ? await response.json() : {}
      const names = errors.map((error: { parameter: string }) => error.parameter)
      expect([path, parameter.name, parameter.example, names]).toEqual([
        path,
        parameter.name,
        parameter.example,
        [],
      ])
    }
  }
})

/** The brand of the examples, made by an operator. The server sees it within a second. */
async function makeBrand(slug: string): Promise<void> {
  const { brands } = await temporaryBrands({ path: join(server.dataDir, 'mintmark.sqlite') })
  await brands.save(form({ name: slug, slug }))
  await eventually(async () => (await fetch(`${server.url}/api/og?title=a&brand=${slug}`)).status !== 400)
}

/** Their examples are nobody's. */
const credentials = new Set('demo key t exp sig site X-PAYMENT PAYMENT-SIGNATURE X-Payment-Proof'.split(' '))

test('every answer of an asset has its media types, and its errors a schema', async () => {
  const { paths } = await (await fetch(`${server.url}/openapi.json`)).json()
  const { responses, security } = paths['/api/badge'].get
  expect(Object.keys(responses['200'].content)).toEqual(['image/svg+xml', 'image/png', 'application/json'])
  expect(responses['402'].content['application/json'].schema.$ref).toEndWith('/PaymentRequired')
  for (const status of ['400', '413', '431', '500', '503'])
    expect(responses[status].content['application/problem+json'].schema.$ref).toEndWith('/Problem')
  expect(responses['503'].headers).toHaveProperty('Retry-After')
  expect(Object.keys(responses['304'].headers)).toContain('ETag')
  expect(security).toContainEqual({ key: [], exp: [], sig: [] })
  expect(Object.keys(paths['/api/preview'].get.responses)).toEqual(
    expect.arrayContaining(['403', '429', '502', '504']),
  )
  expect(Object.keys(paths['/api/stats'].get.responses)).not.toContain('402')
})

function program(name: string): string {
  return join(project?.folder ?? '', 'node_modules/.bin', name)
}
