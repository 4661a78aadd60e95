import { expect, test } from 'bun:test'
import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { Problem } from '../../src/errors.ts'
import { attachContext, type RequestContext, splitTarget } from '../../src/http/request-context.ts'
import { queryOf, validatedQueries } from '../../src/http/router.ts'
import { integer, text } from '../../src/lib/fields.ts'
import type { Route } from '../../src/site/openapi/operation.ts'

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
