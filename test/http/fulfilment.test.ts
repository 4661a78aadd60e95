import { expect, test } from 'bun:test'
import type { Granted } from '../../src/access/authorization.ts'
import { createMetered, type MeteredDeps } from '../../src/http/asset-handler.ts'
import type { ParsedRequest, RequestContext } from '../../src/http/request-context.ts'
import { createByteCache } from '../../src/lib/byte-cache.ts'
import { createTemporaryAccess, embedded, requestOf } from '../access/temporary-access.ts'
import { unboundedDrawings, usualFreeDrawings } from '../support/unbounded-drawings.ts'

const asset = { id: 'og', path: '/api/og', priceMicros: 10_000 }

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
  const cache = createByteCache<never>({ bytesMax: 1_000, sizeOf: () => 1 })
  return createMetered({
    ...deps,
    cache,
    drawings: unboundedDrawings(),
    freeDrawings: usualFreeDrawings(),
  })
}

/** A request whose meaning the test finds. */
function meantLater() {
  const meaning = Promise.withResolvers<{ readonly free?: object }>()
  const meant = { asset, credentials: {}, producer: { answer: async () => new Response('drawn') } }
  const parsed = {
    ...meant,
    resolved: { find: () => meaning.promise },
    withMeaning: (resolved: object) => ({ ...meant, resolved }),
  }
  return { parsed: parsed as unknown as ParsedRequest, found: meaning.resolve }
}

test('of two equal calls of which one is given something free and refunded, the other one is counted', async () => {
  const access = await createTemporaryAccess()
  const pair = await access.keys.create()
  const url = await embedded(pair)
  const { answer } = metered({ authorizer: { authorize: () => access.call(url) } })
  const [first, second] = [meantLater(), meantLater()]
  const answers = [answer(first.parsed, contextOf()), answer(second.parsed, contextOf())]
  first.found({ free: {} })
  await answers[0]
  expect(await access.used(`key:${pair.key.id}`)).toBe(0)
  second.found({})
  expect(await (await answers[1])?.text()).toBe('drawn')
  expect(await access.used(`key:${pair.key.id}`)).toBe(1)
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
    const parsed = { asset, producer, resolved, rawQuery, tag: 'a', etag: '"a"', credentials: {}, query: {} }
    statuses.push((await answer(parsed as unknown as ParsedRequest, contextOf('"a"'))).status)
    expect(shares).toBe(statuses.length - 1)
  }
  expect(statuses).toEqual([304, 304])
})
