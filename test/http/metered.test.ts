import { expect, test } from 'bun:test'
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'
import { Type } from '@sinclair/typebox'
import type { Authorization, Granted } from '../../src/access/authorization.ts'
import type { Asset } from '../../src/assets/kit/asset.ts'
import type { Producer } from '../../src/assets/kit/producer.ts'
import { Problem } from '../../src/errors.ts'
import { createMetered, type MeteredDeps } from '../../src/http/asset-handler.ts'
import type { ParsedRequest, RenderedAsset, RequestContext } from '../../src/http/request-context.ts'
import { createRequestParser } from '../../src/http/request-parser.ts'
import { createByteCache } from '../../src/lib/byte-cache.ts'
import { utcDay } from '../../src/lib/clock.ts'
import { text } from '../../src/lib/fields.ts'
import { embedded, openAccess, requestOf } from '../access/temporary-access.ts'
import { eventually } from '../support/eventually.ts'
import { openTestStore } from '../support/test-store.ts'
import { unboundedDrawings, usualFreeDrawings } from '../support/unbounded-drawings.ts'
import { callContext, meteredOver } from './metered-over.ts'

const asset: Asset = {
  id: 'thing',
  title: 'Thing',
  path: '/api/thing',
  summary: 'A thing',
  query: Type.Object({ name: text(1, 9, { description: 'Its name' }) }),
  example: {},
  priceMicros: 10_000,
  mediaTypes: ['text/plain'],
  revision: 1,
  createProducer: () => Promise.reject(new Error('The test makes the producer.')),
}

const product = new Uint8Array([1])
function describeThing() {
  return { contentType: 'text/plain', filename: 'thing.txt' }
}

/** The metered pipeline over a real meter, with a producer that the test writes. */
async function house(produce: Producer['produce'], demoDailyQuota = 10) {
  const store = await openTestStore({ path: ':memory:' })
  const { cache, metered } = meteredOver(store, demoDailyQuota)
  const calls = createRequestParser([{ asset, producer: { describe: describeThing, produce } }])
  return {
    ask(rawQuery: string, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
      const request = new Request(`http://localhost/api/thing?${rawQuery}`, { headers })
      const context = callContext(request, '/api/thing', rawQuery)
      return (async () => metered.answer(calls.read(context), context))()
    },
    used: () => store.usage.used(utcDay(Date.now()), 'demo'),
    kept: cache.stats,
  }
}

test('checks the query before the payment, so nobody pays for a mistake', async () => {
  let made = 0
  const { ask, used } = await house(() => {
    made += 1
    return product
  })
  await expect(ask('demo=1')).rejects.toThrow('name is required')
  await expect(ask('name=0123456789&demo=1')).rejects.toThrow('1 to 9')
  await expect(ask('name=a&name=b&demo=1')).rejects.toThrow('more than once')
  await Bun.sleep(5)
  expect([made, await used()]).toEqual([0, 0])
})

test('nothing is made for a caller who was granted nothing', async () => {
  let made = 0
  const { ask } = await house(() => {
    made += 1
    return product
  }, 1)
  expect([(await ask('name=a')).status, (await ask('name=b&demo=1')).status]).toEqual([402, 200])
  const exhausted = await ask('name=c&demo=1')
  expect([exhausted.status, exhausted.headers.get('x-quota-remaining')]).toEqual([402, '0'])
  expect(await exhausted.json()).toMatchObject({ error: 'demo_quota_exhausted' })
  expect(made).toBe(1)
})

test('a call that failed on our side is given back', async () => {
  const { ask, used } = await house(({ name }) => {
    if (name === 'bug') throw new Error('a bug')
    if (name === 'busy') throw new Problem('busy', 'Too much to do.')
    return product
  })
  await ask('name=good&demo=1')
  await expect(ask('name=bug&demo=1')).rejects.toThrow('a bug')
  await expect(ask('name=busy&demo=1')).rejects.toThrow('Too much')
  await eventually(async () => (await used()) === 1)
  await ask('name=good&demo=1')
  expect(await used()).toBe(2)
})

test('a failure is not remembered', async () => {
  let attempts = 0
  const { ask } = await house(() => {
    attempts += 1
    if (attempts === 1) throw new Error('first')
    return product
  })
  await expect(ask('name=a&demo=1')).rejects.toThrow('first')
  expect((await ask('name=a&demo=1')).status).toBe(200)
})

test('equal requests in flight are made once and each is charged', async () => {
  let made = 0
  const { ask, used } = await house(async () => {
    made += 1
    await eventually(async () => (await used()) === 20)
    return product
  }, 100)
  const answers = await Promise.all(Array.from({ length: 20 }, (_, n) => ask(`name=same&demo=1&n=${n}`)))
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
  expect([made, await used()]).toEqual([1, 20])
})

test('no more calls are granted than the quota has, whatever comes at once', async () => {
  const { ask, used } = await house(() => product, 7)
  const answers = await Promise.all(Array.from({ length: 50 }, () => ask('name=a&demo=1')))
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(7)
  expect(answers.filter(({ status }) => status === 402)).toHaveLength(43)
  expect(await used()).toBe(7)
})

const longText = 'All work and no play. '.repeat(1_000)

test('of what is asked for compressed the compressed form alone is kept, so that more answers find room', async () => {
  let made = 0
  const { ask, kept } = await house(() => {
    made += 1
    return longText
  })
  const zstd = { 'accept-encoding': 'zstd' }
  const first = await ask('name=a&demo=1', zstd)
  expect(kept()).toMatchObject({ entries: 1 })
  expect(kept().bytes).toBeLessThan(longText.length / 4)
  const again = await ask('name=a&demo=1', zstd)
  expect([first, again].map(({ headers }) => headers.get('content-encoding'))).toEqual(['zstd', 'zstd'])
  expect([await again.bytes(), made]).toEqual([await first.bytes(), 1])
})

test('whoever asks in another form gets the same text, and what is kept plain is compressed without being made again', async () => {
  let made = 0
  const { ask } = await house(() => {
    made += 1
    return longText
  })
  async function textIn(encoding: string) {
    const response = await ask('name=a&demo=1', { 'accept-encoding': encoding })
    const body = await response.bytes()
    expect(response.headers.get('content-encoding') ?? 'identity').toBe(encoding)
    return new TextDecoder().decode(unpackers[encoding]?.(body) ?? body)
  }
  for (const encoding of ['gzip', 'identity', 'zstd', 'br', 'gzip'])
    expect(await textIn(encoding)).toBe(longText)
  expect(made).toBe(2)
})

const unpackers: Readonly<Record<string, (body: Uint8Array) => Uint8Array>> = {
  gzip: gunzipSync,
  zstd: zstdDecompressSync,
  br: brotliDecompressSync,
}

test('equal requests at the same moment share one making and one compression; a failure is not kept', async () => {
  let made = 0
  const { ask, used, kept } = await house(async () => {
    made += 1
    // The other call has come then.
    await eventually(async () => (await used()) === 2)
    if (made === 1) throw new Problem('busy', 'Too much to do.')
    return longText
  })
  const zstd = { 'accept-encoding': 'zstd' }
  const failed = await Promise.allSettled([ask('name=a&demo=1', zstd), ask('name=a&demo=1', zstd)])
  expect([failed.map(({ status }) => status), made, kept().entries]).toEqual([['rejected', 'rejected'], 1, 0])
  await eventually(async () => (await used()) === 0)
  await Promise.all([ask('name=a&demo=1', zstd), ask('name=a&demo=1', zstd)])
  expect([made, kept().entries]).toEqual([2, 1])
})

const fulfilmentAsset = { id: 'og', path: '/api/og', priceMicros: 10_000 }

function contextOf(ifNoneMatch: string | null = null): RequestContext {
  const head = { ifNoneMatch, hasPayment: false, userAgent: null, acceptEncoding: null }
  const waiter = { isGone: () => false }
  return {
    method: 'GET',
    id: 'test',
    clientAddress: '192.0.2.1',
    startMs: performance.now(),
    head,
    waiter,
    logFields: {},
  } as unknown as RequestContext
}

function metered(deps: Pick<MeteredDeps, 'authorizer' | 'countShare'>) {
  const cache = createByteCache<RenderedAsset>(1_000, () => 1)
  return createMetered({ ...deps, cache, drawings: unboundedDrawings(), freeDrawings: usualFreeDrawings() })
}

/** A request whose meaning the test finds. */
function meantLater() {
  const meaning = Promise.withResolvers<{ readonly free?: object }>()
  const producer = { answer: async () => new Response('drawn') }
  const meant = { asset: fulfilmentAsset, credentials: {}, producer }
  const parsed = {
    ...meant,
    resolved: { find: () => meaning.promise },
    withMeaning: (resolved: object) => ({ ...meant, resolved }),
  }
  return { parsed: parsed as unknown as ParsedRequest, found: meaning.resolve }
}

test('of two equal calls of which one is given something free and refunded, the other one is counted', async () => {
  const access = await openAccess()
  const pair = await access.keys.create()
  const url = await embedded(pair)
  let lastDecision: Promise<Authorization> | undefined
  const { answer } = metered({ authorizer: { authorize: () => (lastDecision = access.call(url)) } })
  const [first, second] = [meantLater(), meantLater()]
  const firstAnswer = answer(first.parsed, contextOf())
  await lastDecision
  const secondAnswer = answer(second.parsed, contextOf())
  await lastDecision
  first.found({ free: {} })
  await firstAnswer
  expect(await access.used(`key:${pair.key.id}`)).toBe(0)
  second.found({})
  expect([await (await secondAnswer)?.text(), await access.used(`key:${pair.key.id}`)]).toEqual(['drawn', 1])
  await access.traffic.flush()
  expect(await access.usedInAll()).toBe(1)
})

test('a 304 for what stands in for a picture is no share, a 304 for the picture is one', async () => {
  let shares = 0
  const grant: Granted = { granted: true, mode: 'key', refund: async () => {} }
  const { answer } = metered({
    authorizer: { authorize: () => grant },
    countShare: () => {
      shares += 1
    },
  })
  const producer = { produce: () => '', describe: () => ({ contentType: 'image/png', filename: 'og.png' }) }
  const { rawQuery } = requestOf('/api/og?title=A')
  const statuses: number[] = []
  for (const resolved of [{ free: {} }, {}]) {
    const parsed = {
      asset: fulfilmentAsset,
      producer,
      resolved,
      rawQuery,
      tag: 'a',
      etag: '"a"',
      credentials: {},
      query: {},
    }
    statuses.push((await answer(parsed as unknown as ParsedRequest, contextOf('"a"'))).status)
    expect(shares).toBe(statuses.length - 1)
  }
  expect(statuses).toEqual([304, 304])
})
