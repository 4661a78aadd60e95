import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Type } from '@sinclair/typebox'
import type { Asset } from '../src/assets/kit/asset.ts'
import { themeNames } from '../src/assets/og/themes.ts'
import { assets, createCatalog } from '../src/catalog.ts'
import { readStartConfig } from '../src/cli/read-start-config.ts'
import { decodeQuery } from '../src/http/query.ts'
import { textBody } from '../src/lib/body.ts'
import { text } from '../src/lib/fields.ts'
import { createService, type Service } from '../src/service.ts'
import { walletEnv } from './payments/support/wallet-env.ts'

/** A seventh asset that the program knows nothing of: what is found of it was made from this row. */
const motto: Asset = {
  id: 'motto',
  title: 'Motto',
  path: '/api/motto',
  variants: [{ path: '/api/motto.txt', defaults: {} }],
  priceMicros: 20_000,
  summary: 'A motto in large letters',
  query: Type.Object({ words: text(1, 20, { description: 'The words of the motto' }) }),
  example: { words: 'Festina lente' },
  mediaTypes: ['text/plain'],
  revision: 1,
  metric: { name: 'mottos_today', label: 'mottos today' },
  createProducer: async () => ({
    describe: () => ({ contentType: 'text/plain', filename: 'motto.txt' }),
    produce: ({ words }) => textBody(String(words).toUpperCase()),
  }),
}

const folder = mkdtempSync(join(tmpdir(), 'mintmark-new-asset-'))
const catalog = createCatalog([...assets.filter(({ id }) => id !== 'stats'), motto])
let service: Service

beforeAll(async () => {
  const env = {
    ...walletEnv('http://127.0.0.1:9'),
    DATA_DIR: folder,
    LOG_LEVEL: 'silent',
    PRICE_MOTTO: '0.03',
  }
  const config = await readStartConfig(env, () => '', catalog)
  service = await createService({ config, assets: catalog, readFile: () => '', write: () => {} })
})
afterAll(async () => {
  await service.close()
  rmSync(folder, { recursive: true })
})

async function ask(path: string, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
  const request = new Request(`http://localhost:3000${path}`, {
    headers: { host: 'localhost:3000', ...headers },
  })
  return service.fetch(request, () => '127.0.0.1')
}

async function textOf(path: string): Promise<string> {
  return (await ask(path)).text()
}

test('a row in the catalog is routed at its path and its variants, and answers with an ETag', async () => {
  const answer = await ask('/api/motto?words=Festina+lente&demo=1')
  expect([answer.status, await answer.text()]).toEqual([200, 'FESTINA LENTE'])
  expect((await ask('/api/motto.txt?words=a&demo=1')).status).toBe(200)
  const etag = answer.headers.get('etag') ?? ''
  expect((await ask('/api/motto?words=Festina+lente&demo=1', { 'if-none-match': etag })).status).toBe(304)
})

test('its schema validates', async () => {
  const answer = await ask('/api/motto?demo=1')
  expect(answer.status).toBe(400)
  expect(await answer.json()).toMatchObject({
    code: 'invalid_query',
    errors: [{ parameter: 'words', message: 'is required: 1 to 20 characters' }],
  })
})

test('its 402 has its description and the price that its setting gives', async () => {
  const answer = await ask('/api/motto?words=a')
  expect(answer.status).toBe(402)
  expect(await answer.json()).toMatchObject({ transfer: { amountDecimal: '0.03' } })
  const listed = await (await ask('/.well-known/x402')).json()
  expect(listed.items).toContainEqual(
    expect.objectContaining({ resource: 'http://localhost:3000/api/motto', price: '0.03' }),
  )
  const terms = await (await ask('/api/payment-required')).json()
  expect(terms.transfer).toBeDefined()
})

test('the counters count it, and show it as a badge', async () => {
  await ask('/api/motto?words=counted&demo=1')
  const { day } = await (await ask('/api/transform?kind=stats')).json()
  expect(day.by_endpoint.motto).toBeGreaterThan(0)
  const badge = await textOf('/api/transform?kind=stats&format=svg&metric=mottos_today')
  expect(badge).toContain('mottos today')
  expect(await textOf('/metrics')).toMatch(/^mintmark_requests_total\{endpoint="motto"\} [1-9]/m)
})

test('OpenAPI, the reference, the playground, the home page and llms.txt tell of it', async () => {
  const { paths } = await (await ask('/openapi.json')).json()
  expect(paths['/api/motto'].get.parameters).toContainEqual(
    expect.objectContaining({ name: 'words', required: true }),
  )
  expect(paths['/api/motto.txt']).toBeDefined()
  const reference = await textOf('/docs')
  for (const found of ['<section id="motto"', 'PRICE_MOTTO', 'A motto in large letters'])
    expect(reference).toContain(found)
  const playground = await textOf('/?kind=motto')
  for (const found of ['value="motto"', 'name="words"', 'FESTINA LENTE', 'GET /api/motto'])
    expect(playground).toContain(found)
  expect(await textOf('/llms.txt')).toContain('/api/motto?words=Festina+lente&demo=1')
  expect(await textOf('/status')).toContain('Motto')
})

function namedIn(text: string): number {
  return themeNames.filter((name) => new RegExp(`['/]${name}(?:\\.(?:ts|json))?'`).test(text)).length
}

const examples = new Set(['site/sample-pictures.ts'])

test('a new theme is one file and one line: no other source file lists the themes, but for the example pictures', () => {
  const root = join(import.meta.dir, '../src')
  const files = [...new Bun.Glob('**/*.{ts,tsx}').scanSync(root)].filter(
    (file) => !file.startsWith('assets/og/themes/') && !file.endsWith('.generated.ts') && !examples.has(file),
  )
  const lists = files.filter((file) => {
    const source = readFileSync(join(root, file), 'utf8')
    // Some names are English words: what counts is a name in quotes, or the import of its file.
    return namedIn(source) > 2
  })
  expect(lists).toEqual(['assets/og/themes.ts'])
  for (const name of themeNames) {
    const source = readFileSync(join(root, 'assets/og/themes.ts'), 'utf8')
    const lines = source
      .split('\n')
      .filter((line) => !/^import|^export const usualTheme/.test(line) && line.includes(name))
    expect([name, lines.length]).toEqual([name, 1])
  }
})

const rows: readonly (readonly [string, Asset])[] = assets.map((asset) => [asset.id, asset])

test.each(rows)('the example of %s is valid', (_, { query, example }) => {
  expect(decodeQuery(query, new URLSearchParams(example).toString())).toMatchObject({
    value: expect.anything(),
  })
})

test.each(rows)('every parameter of %s says what it means', (_, { query }) => {
  for (const [name, field] of Object.entries(query.properties)) {
    expect([name, String(field.description).length > 5]).toEqual([name, true])
  }
})

test.each(rows)('the summary of %s may stand in a payment header', (_, { summary }) => {
  expect(summary).toMatch(/^[\x20-\x7e]{1,200}$/)
})

test('no two assets answer the same path and kind', () => {
  const places = rows.flatMap(([, { path, kind, variants = [] }]) => [
    `${path} ${kind ?? ''}`,
    ...variants.map((other) => `${other.path} ${kind ?? ''}`),
  ])
  expect(new Set(places).size).toBe(places.length)
})
