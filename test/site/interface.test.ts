import { afterAll, beforeAll, expect, test } from 'bun:test'
import { spawnSync } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Validator } from '@seriousme/openapi-schema-validator'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { addressStart } from '../../src/access/path-address.ts'
import { type Asset, sharedPath } from '../../src/assets/kit/asset.ts'
import { assets } from '../../src/catalog.ts'
import { readStartConfig } from '../../src/cli/read-start-config.ts'
import { errorCodes } from '../../src/errors.ts'
import { paymentReasons } from '../../src/payments/payment-reasons.ts'
import { createService } from '../../src/service.ts'
import { callerGuides, dividedGuides, guidePath, guides } from '../../src/site/guides/guides.ts'
import { operationsOf, type Route, type RouteOperation } from '../../src/site/openapi/operation.ts'
import { signingVectors } from '../../src/site/reference/signing-vectors.ts'
import { FetchFailure, reasonsOf } from '../../src/web/fetch-failure.ts'
import { walletEnv } from '../payments/support/wallet-env.ts'
import { started } from '../support/started.ts'
import { slowTest } from '../support/test-size.ts'
import { addressVectors } from '../vectors/addresses.ts'
import { vectors } from '../vectors/vectors.ts'
import cases from './interface.json' with { type: 'json' }

const folder = mkdtempSync(join(tmpdir(), 'mintmark-interface-'))
const rows: readonly Asset[] = assets
let routes: readonly Route[]
let operations: readonly RouteOperation[]

function readFile(path: string): string {
  return readFileSync(path, 'utf8')
}

const service = started(async () =>
  createService({
    config: await readStartConfig(
      { ...walletEnv('http://127.0.0.1:9'), DATA_DIR: folder, LOG_LEVEL: 'silent' },
      readFile,
    ),
    readFile,
    write: () => {},
  }),
)
beforeAll(async () => {
  routes = await service.routes()
  operations = operationsOf(routes)
})
afterAll(async () => {
  rmSync(folder, { recursive: true })
})

async function ask(path: string): Promise<Response> {
  return service.fetch(
    new Request(`http://localhost:3000${path}`, { headers: { host: 'localhost:3000' } }),
    () => '::1',
  )
}

async function document() {
  return (await ask('/openapi.json')).json()
}
function idsOf(html: string) {
  return new Set([...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id))
}
function sorted(items: Iterable<string>) {
  return [...new Set(items)].toSorted()
}

/** Guides for operators, which documents for callers leave out, and those that were divided. */
const unlistedPages = [
  ...guides.filter((guide) => !callerGuides(true).includes(guide)).map(guidePath),
  ...Object.keys(dividedGuides).map((slug) => `/docs/${slug}`),
]

/** Guides as Markdown are listed by llms.txt: a client has no use for a function of each. */
function isInner(path: string) {
  return (
    unlistedPages.includes(path) ||
    path.endsWith('.md') ||
    /^\/(admin|assets|pictures|playground|favicon\.ico|icon\.svg|apple-touch-icon\.png)(\/|$)/.test(path)
  )
}

const addressTemplate = '/i/{asset}/{key}/{payload}/{sig}.{ext}'

test('what is routed, what OpenAPI lists and what the catalog has are the same', async () => {
  const { paths } = await document()
  const described = Object.entries(paths).flatMap(([path, methods]) =>
    // The router takes every path below, because addresses arrive mangled; OpenAPI has their one form.
    Object.keys(methods as object).map(
      (method) => `${method.toUpperCase()} ${path === addressTemplate ? `${addressStart}*` : path}`,
    ),
  )
  const routed = routes.filter(({ path }) => !isInner(path)).map(({ method, path }) => `${method} ${path}`)
  const ofAssets = rows
    .flatMap(({ path, variants = [] }) => [path, ...variants.map((other) => other.path)])
    .concat(sharedPath)
  const listed = [
    ...[...ofAssets, `${addressStart}*`].map((path) => `GET ${path}`),
    ...operations.map(({ method, path }) => `${method} ${path}`),
  ]
  expect(sorted(described)).toEqual(sorted(routed))
  expect(sorted(described)).toEqual(sorted(listed))
})

test('the reference has a section for each asset, with every parameter, price and other path', async () => {
  const html = await (await ask('/docs')).text()
  const ids = idsOf(html)
  for (const { id, query, path, kind } of rows) {
    expect(ids.has(id)).toBe(true)
    const section = html.slice(html.indexOf(`<section id="${id}"`)).split('</section>')[0] ?? ''
    expect(section).toContain(`GET ${path}<`)
    if (kind !== undefined) expect(section).toContain(`${sharedPath}?kind=${kind}`)
    for (const name of Object.keys(query.properties)) expect(section).toContain(`<code>${name}</code>`)
  }
  for (const { method, path } of operations) expect(html).toContain(`<code>${method} ${path}</code>`)
  for (const tab of rows) expect(await (await ask(`/?kind=${tab.id}`)).text()).toContain(`value="${tab.id}"`)
})

test('every error and every reason of a 402 has its place', async () => {
  const ids = idsOf(await (await ask('/docs/errors')).text())
  const refusals = cases.refusals
  for (const code of [...Object.keys(errorCodes), ...Object.keys(paymentReasons), ...refusals])
    expect(ids.has(code)).toBe(true)
})

test('the two upstream errors list every reason that a fetch can fail for', async () => {
  const html = await (await ask('/docs/errors')).text()
  for (const code of ['upstream_failed', 'upstream_timeout'] as const) {
    const entry = html.slice(html.indexOf(`id="${code}"`)).split('<div id=', 1)[0] ?? ''
    const listed = [...entry.matchAll(/<li><code>(\w+)<\/code>/g)].map(([, reason]) => reason)
    expect(listed).toEqual(reasonsOf(code).map(({ reason }) => reason))
    expect(listed).toContain(code === 'upstream_failed' ? 'dns_not_found' : 'timeout_total')
    for (const { reason } of reasonsOf(code)) expect(entry).toContain(new FetchFailure(reason).message)
  }
})

test('the vectors of the reference are those that every implementation is tested with', () => {
  const addresses = addressVectors.vectors.map(({ text, ...vector }) => ({ ...vector, payload: text }))
  for (const { secret, payload, sig } of signingVectors)
    expect([...vectors, ...addresses]).toContainEqual(expect.objectContaining({ secret, payload, sig }))
})

test('the OpenAPI document is valid 3.1, and every reference in it leads somewhere', async () => {
  const api = await document()
  expect(api.openapi).toBe('3.1.0')
  const { valid, errors } = await new Validator().validate(structuredClone(api))
  expect({ valid, errors }).toEqual({ valid: true, errors: undefined })
  const references = JSON.stringify(api).matchAll(/"\$ref":"#\/([^"]+)"/g)
  for (const [, path = ''] of references)
    expect(path.split('/').reduce((node, key) => node?.[key], api)).toBeDefined()
})

test('what the schemas say of our JSON is what comes', async () => {
  const { components } = await document()
  const ajv = new Ajv2020({ allErrors: true, strict: false })
  for (const format of ['uri', 'date', 'date-time']) ajv.addFormat(format, /./)
  const { id, secret } = await (await ask('/api/key')).json()
  const t = Math.floor(Date.now() / 1000)
  const sig = createHmac('sha256', secret).update(`${t}.GET /api/usage`).digest('hex')
  const answers: Readonly<Record<string, string>> = {
    Stats: '/api/stats',
    Avatar: '/api/avatar?name=Ada&format=json&demo=1',
    ShieldsEndpoint: '/api/badge?value=ok&format=json&demo=1',
    SiteFiles: '/api/sitemap?domain=example.com&crawl=0&demo=1',
    KeyPair: '/api/key?expires=1',
    Usage: `/api/usage?key=${id}&t=${t}&sig=${sig}`,
    UpgradeWays: '/api/upgrade',
    PaymentRequired: '/api/og?title=a',
    Problem: '/api/og',
    Health: '/healthz',
  }
  for (const [name, path] of Object.entries(answers)) {
    const schema = components.schemas[name]
    if (schema === undefined) throw new Error(`There is no schema ${name}.`)
    const answer = await (await ask(path)).json()
    ajv.validate(schema, answer)
    const wrong = ajv.errors?.map(({ instancePath, message }) => `${instancePath} ${message}`) ?? []
    expect([name, wrong]).toEqual([name, []])
    const told = Object.keys(schema.properties ?? {})
    expect(told).toEqual(expect.arrayContaining(name === 'ShieldsEndpoint' ? [] : Object.keys(answer)))
  }
})

test('what OpenAPI calls required is required by the route, and what it lists is read', async () => {
  const { paths } = await document()
  const described = operations.filter(({ query }) => query !== undefined)
  expect(described.map(({ path }) => path)).toEqual(['/api/key', '/api/usage', '/api/upgrade'])
  for (const { method, path } of described) {
    const listed: { readonly name: string; readonly required: boolean }[] =
      paths[path][method.toLowerCase()].parameters
    const required = listed.filter((parameter) => parameter.required).map(({ name }) => name)
    const names = listed.map(({ name }) => name)
    expect(await wrongParameters(method, `${path}?${names.map((name) => `${name}=`).join('&')}`)).toEqual(
      names,
    )
    if (required.length > 0) expect(await wrongParameters(method, path)).toEqual(required)
  }
})

async function wrongParameters(method: string, path: string): Promise<readonly string[]> {
  const request = new Request(`http://localhost:3000${path}`, { method, headers: { host: 'localhost:3000' } })
  const answer = await service.fetch(request, () => '::1')
  expect(answer.status).toBe(400)
  const { errors } = await answer.json()
  return errors.map(({ parameter }: { readonly parameter: string }) => parameter)
}

slowTest('a client that is generated from it type-checks, and calls the server', async () => {
  const client = join(folder, 'client')
  const { generate } = await import('openapi-typescript-codegen')
  await generate({ input: await document(), output: client, useOptions: true, useUnionTypes: true })
  await Bun.write(
    join(client, 'use.ts'),
    `import { AssetsService, type Stats } from './index'
export const calls = (): [Promise<unknown>, Promise<Stats | unknown>] => [
  AssetsService.getApiOg({ title: 'Hello', theme: 'paper', demo: '1' }),
  AssetsService.getApiTransform({ kind: 'stats' }),
]
// @ts-expect-error a title is needed
AssetsService.getApiOg({ theme: 'paper' })
// @ts-expect-error no such theme
export const wrong = () => AssetsService.getApiOg({ title: 'Hello', theme: 'neon' })
`,
  )
  const tsc = join(import.meta.dir, '../../node_modules/.bin/tsc')
  const flags = cases.flags
  const checked = spawnSync(tsc, [...flags, '--ignoreConfig', join(client, 'use.ts')], { encoding: 'utf8' })
  expect(checked.stdout).toBe('')
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: (request) => service.fetch(request, () => '::1'),
  })
  const { AssetsService, OpenAPI } = await import(join(client, 'index.ts'))
  OpenAPI.BASE = `http://127.0.0.1:${server.port}`
  expect(
    await AssetsService.getApiTransform({ kind: 'avatar', name: 'Ada', format: 'json', demo: '1' }),
  ).toMatchObject({ initials: 'A' })
  expect((await AssetsService.getApiTransform({ kind: 'stats' })).day.requests).toBeGreaterThan(0)
  await server.stop(true)
})

test('llms.txt is as llmstxt.org has it, and names things by titles', async () => {
  const text = await (await ask('/llms.txt')).text()
  expect(text).toMatch(/^# Mintmark [^\n]*\n\n> [^\n]+\n/)
  const sections = [...text.matchAll(/^## (.+)$/gm)].map(([, title]) => title)
  expect(sections).toEqual(['Assets', 'Keys', 'Documentation', 'Guides', 'Optional'])
  const lists = text.slice(text.indexOf('## ')).split('\n')
  const others = lists.filter((line) => !/^(?:## .+|- \[[^\]]+\]\([^)\s]+\): .+|)$/.test(line))
  expect(others).toEqual([])
  const titles = [...text.matchAll(/^- \[([^\]]+)\]/gm)].map(([, title = '']) => title)
  // No name of a function, such as guideEmbedding.
  expect(titles.filter((title) => !/^[A-Z]/.test(title))).toEqual([])
  expect(new Set(titles).size).toBe(titles.length)
  for (const asset of assets) expect(titles).toContain(asset.title)
})

test('robots.txt, sitemap.xml and llms.txt name what is there', async () => {
  const robots = await (await ask('/robots.txt')).text()
  expect(robots).toContain('Sitemap: http://localhost:3000/sitemap.xml')
  const locations = [...(await (await ask('/sitemap.xml')).text()).matchAll(/<loc>([^<]+)<\/loc>/g)].map(
    ([, url]) => url ?? '',
  )
  expect(locations).toContain('http://localhost:3000/docs')
  const links = [...(await (await ask('/llms.txt')).text()).matchAll(/\]\(([^)]+)\)/g)].map(
    ([, url]) => url ?? '',
  )
  expect(links.length).toBeGreaterThan(rows.length)
  for (const url of [...locations, ...links].filter(
    (one) => !one.includes('crawl') && !/api\/(preview|sitemap)/.test(one),
  ))
    expect([url, (await ask(url.replace('http://localhost:3000', ''))).status]).toEqual([url, 200])
})
