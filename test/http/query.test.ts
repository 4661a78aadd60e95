import { expect, test } from 'bun:test'
import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { formats } from '../../src/assets/kit/formats.ts'
import { themeNames } from '../../src/assets/og/themes.ts'
import { Problem } from '../../src/errors.ts'
import { decodeQuery } from '../../src/http/query.ts'
import { attachContext, type RequestContext, splitTarget } from '../../src/http/request-context.ts'
import { queryOf, validatedQueries } from '../../src/http/router.ts'
import { choice, decimal, formatted, integer, text, toggle } from '../../src/lib/fields.ts'
import type { Route } from '../../src/site/openapi/operation.ts'
import { startService } from '../support/service.ts'
import { started } from '../support/started.ts'
import cases from './query.json' with { type: 'json' }

const description = 'A field'
const schema = Type.Object({
  label: Type.Optional(text(0, 5, { description, aliases: ['subject'] })),
  size: integer(16, 1024, { description, default: 128 }),
  scale: Type.Optional(decimal(0.5, 4, { description })),
  rounded: toggle({ description, default: false }),
  shape: choice(['circle', 'square'], { description, default: 'circle' }),
  color: Type.Optional(formatted('css-color', { description })),
  lang: Type.Optional(formatted('language-tag', { description })),
  link: Type.Optional(Type.Array(text(1, 9, { description }), { maxItems: 2 })),
})
const defaults = { size: 128, rounded: false, shape: 'circle' }

const readable: [string, Record<string, unknown>][] = cases.readable as unknown as [
  string,
  Record<string, unknown>,
][]

test.each(readable)('%s is read', (query, expected) => {
  const decoded: unknown = decodeQuery(schema, query)
  expect(decoded).toEqual({ value: { ...defaults, ...expected } })
})

test.each([...cases.refused, ['color=fffff', 'color', `must be ${formats['css-color']?.meaning}`]])(
  '%s is refused',
  (query, parameter, message) => {
    expect(decodeQuery(schema, query)).toMatchObject({ errors: [{ parameter, message }] })
  },
)

test.each([
  ['composed letters that Unicode takes apart', '\u0958'.repeat(5), '\u0915\u093C'.repeat(5)],
  ['letters and marks that become one', 'e\u0301'.repeat(5), 'é'.repeat(5)],
  [
    'what cleaning removes',
    `\u0958 \u0000 \u202E${'\u0958'.repeat(3)}  `,
    `\u0915\u093C ${'\u0915\u093C'.repeat(3)}`,
  ],
])('%s: a text is within bounds as it was written or as it is drawn', (_, written, label) => {
  const decoded: unknown = decodeQuery(schema, `label=${encodeURIComponent(written)}`)
  expect(decoded).toEqual({ value: { ...defaults, label } })
})

test('a text that is too long as it was written and as it is drawn is told the shorter count', () => {
  for (const written of ['\u0958'.repeat(6), 'e\u0301'.repeat(6)]) {
    const decoded = decodeQuery(schema, `label=${encodeURIComponent(written)}`)
    expect(decoded).toMatchObject({ errors: [{ message: 'must be 0 to 5 characters, not 6' }] })
  }
})

const named = Type.Object({
  title: text(1, 9, { description }),
  size: Type.Optional(text(1, 9, { description })),
})
const isRequired = 'is required: 1 to 9 characters'

test.each([
  ['titel=x', `${isRequired}; titel is ignored: did you mean title?`],
  ['size=1&Title=x', `${isRequired}; Title is ignored: did you mean title?`],
  ['ti%74el=x', `${isRequired}; titel is ignored: did you mean title?`],
  ['heading=x', isRequired],
  ['size=titel', isRequired],
  ['', isRequired],
  [`${'a&'.repeat(7_000)}titel=x`, isRequired],
  [`${'t'.repeat(15_000)}=x`, isRequired],
])('a parameter that is missing is told from one that nearly has its name: %s', (query, message) => {
  expect(decodeQuery(named, query)).toMatchObject({ errors: [{ parameter: 'title', message }] })
})

test('a parameter that is wrong or optional is not looked for among the ignored ones', () => {
  expect(decodeQuery(named, 'title=&titel=x')).toMatchObject({
    errors: [{ message: expect.not.stringContaining('titel') }],
  })
  expect(decodeQuery(named, 'title=a&siez=b')).toEqual({ value: { title: 'a' } })
})

test('what is preset gives way to what is written', () => {
  function shapeOf(query: string) {
    return decodeQuery(schema, query, { shape: 'square' })
  }
  expect(shapeOf('')).toMatchObject({ value: { shape: 'square' } })
  expect(shapeOf('shape=circle')).toMatchObject({ value: { shape: 'circle' } })
})

const thing = Type.Object({
  label: text(1, 20, { description: 'A label', example: 'a' }),
  count: Type.Optional(integer(1, 9, { description: 'A number', whenMissing: 'none' })),
})

const router = new Elysia()
  .onError(({ error }) => {
    throw error
  })
  .use(validatedQueries((): readonly Route[] => router.routes))
  .get('/thing', ({ query: { label, count } }) => Response.json({ label, count }), { query: queryOf(thing) })
  .post('/thing', ({ query }) => Response.json(query), {
    parse: ({ request }) => request.text(),
    query: queryOf(thing, ({ rawQuery }, body) => ({ rawQuery, body })),
  })
  .get('/other', ({ query }) => Response.json(query))

async function ask(path: string, init: RequestInit = {}) {
  const request = new Request(`http://localhost${path}`, init)
  attachContext(request, { ...splitTarget(request.url) } as RequestContext)
  return await router.fetch(request)
}

async function mistakesAt(path: string) {
  const problem = await ask(path).catch((error: unknown) => error)
  return problem instanceof Problem ? problem.errors.map(({ parameter }) => parameter) : problem
}

test('a handler gets the values of the types that its route declares', async () => {
  expect(await (await ask('/thing?label=%31&count=2&else=x')).json()).toEqual({ label: '1', count: 2 })
})

test.each([
  ['/thing', ['label']],
  ['/thing?label=a&label=b&count=1e0', ['label', 'count']],
  ['/thing?label=%e4&count=0x5', ['label', 'count']],
  [`/thing?label=${'a'.repeat(21)}&count=10`, ['label', 'count']],
])('every wrong parameter of %s is named', async (path, wrong) => {
  expect(await mistakesAt(path)).toEqual(wrong)
})

test('emoji count as one character each', async () => {
  expect((await ask(`/thing?label=${encodeURIComponent('😀'.repeat(20))}`)).status).toBe(200)
})

test('methods of one path are read by their own rules, and a body is there for them', async () => {
  const response = await ask('/thing?a=b', { method: 'POST', body: 'c=d' })
  expect(await response.json()).toEqual({ rawQuery: 'a=b', body: 'c=d' })
})

test('a route without a schema is left alone', async () => {
  expect((await ask('/other?label=a&label=b&c=%e4')).status).toBe(200)
})

const server = started(startService)

const tags = ['zh-yue', 'zh-cmn-Hans-CN', 'zh-min-nan', 'i-klingon', 'i-default', 'sgn-BE-FR', 'x-whatever']
const assets = [
  ...themeNames.map((theme) => `/api/og?title=Ab+漢&author=c+d&theme=${theme}`),
  '/api/transform?kind=avatar&name=ada+byron&uppercase=true&text=path',
  '/api/transform?kind=avatar&name=ada+byron&uppercase=true&text=text',
]

test.each(tags)('%s is drawn by every asset, though Intl knows no such language', async (lang) => {
  for (const asset of assets) {
    const response = await fetch(`${server.url}${asset}&demo=1&lang=${lang}`)
    expect([asset, response.status]).toEqual([asset, 200])
    await response.body?.cancel()
  }
})

test('Cantonese is drawn with the Han forms of Cantonese, however it is tagged', async () => {
  async function draw(lang: string) {
    const response = await fetch(`${server.url}/api/og?title=骨直角&demo=1&lang=${lang}`)
    return response.text()
  }
  expect(await draw('zh-yue')).toBe(await draw('yue'))
  expect(await draw('zh-yue')).not.toBe(await draw('zh-cmn-Hans-CN'))
})
