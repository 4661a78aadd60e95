import { describe, expect, test } from 'bun:test'
import type { AssetParts } from '../../src/assets/asset-parts.ts'
import { noSites } from '../../src/assets/card/card-sites.ts'
import { assets } from '../../src/catalog.ts'
import { freeResponse } from '../../src/http/asset-handler.ts'
import { createRequestParser } from '../../src/http/request-parser.ts'
import { openStore } from '../../src/store/open.ts'
import { startService } from '../support/service.ts'
import { started } from '../support/started.ts'
import { sampleOf } from '../support/test-size.ts'
import cases from './head.json' with { type: 'json' }
import { callContext, meteredOver } from './metered-over.ts'

/** Every asset in every format that it has, as path and query without credentials. */
const forms = assets.flatMap((asset) => {
  const format = asset.query.properties['format']
  const formats: readonly string[] = format?.['enum'] ?? []
  return formats.map((word) => {
    const query = { ...(asset.kind && { kind: asset.kind }), ...asset.example, format: word }
    const name = `${asset.id} as ${word}`
    return { name, asset, path: asset.path, query: String(new URLSearchParams(query)) }
  })
})

test('the forms are all there', () => {
  expect(forms.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['og as png', 'badge as json', 'stats as svg']),
  )
  expect(new Set(forms.map(({ asset }) => asset.id))).toEqual(new Set(assets.map(({ id }) => id)))
})

describe('HEAD makes nothing', () => {
  const made: string[] = []
  function worker<T extends object>(name: string): T {
    return new Proxy({} as T, {
      get: (_, property) => () => {
        made.push(`${name}.${String(property)}`)
        throw new Error('HEAD made something.')
      },
    })
  }
  const parts: AssetParts = {
    text: worker('text'),
    raster: worker('raster'),
    pictures: worker('pictures'),
    cardSites: noSites,
    webPictures: { ...worker<AssetParts['webPictures']>('webPictures'), resolve: (_, meant) => meant },
    cardPages: { ...worker<AssetParts['cardPages']>('cardPages'), now: Date.now, peek: () => undefined },
    livePages: {
      load: async () => ({
        previews: { preview: worker<() => never>('previews'), peek: () => undefined },
        bundles: worker('bundles'),
        fetcher: worker('fetcher'),
        readSiteNames: worker<() => never>('readSiteNames'),
        readCardPage: worker<() => never>('readCardPage'),
      }),
      checkUrl: () => undefined,
      documentFetcher: async () => worker('fetcher'),
      now: () => 0,
      unpaid: worker('unpaid'),
      product: 'TestBot',
      isDivided: () => true,
      processes: 1,
    },
    brands: worker('brands'),
    stats: worker('stats'),
  }
  const store = openStore({ path: ':memory:' })
  const { metered } = meteredOver(store, 1)

  test.each(forms)('of $name', async ({ asset, path, query }) => {
    const calls = createRequestParser([{ asset, producer: await asset.createProducer(parts) }])
    const rawQuery = `${query}&demo=1`
    const request = new Request(`http://localhost${path}?${rawQuery}`, { method: 'HEAD' })
    const context = callContext(request, path, rawQuery)
    const call = calls.read(context)
    const answer = await (asset.priceMicros === undefined
      ? freeResponse(call, context)
      : metered.answer(call, context))
    expect([answer.status, answer.body, made]).toEqual([200, null, []])
    expect(answer.headers.get('content-type')).toMatch(/^\w+\/\w/)
  })
})

describe('HEAD before anything was made', () => {
  const server = started(() =>
    startService({ env: { DEMO_DAILY_QUOTA: '500', PLAYGROUND_PER_IP_PER_DAY: '3', LOG_LEVEL: 'info' } }),
  )

  function ask(path: string, method: string, headers: Record<string, string> = {}) {
    return fetch(server.url + path, {
      method,
      headers: { 'accept-encoding': 'identity', ...headers },
      decompress: false,
    })
  }
  const own = cases.own
  function lasting({ status, headers }: Response) {
    return [status, ...[...headers].filter(([name]) => !own.includes(name)).sort()]
  }

  // A look at a site asks that site: those are tested where there is one.
  const drawn = forms.filter(({ asset }) => !asset.isLive && !asset.readsPages)
  test.each(
    drawn.flatMap((form) =>
      sampleOf(['identity', 'gzip', 'zstd, br'], 2).map((encoding) => ({ ...form, encoding })),
    ),
  )(
    'has the headers and the ETag that GET of $name in $encoding has, and later its length',
    async ({ path, query, encoding }) => {
      const target = `${path}?${query}&cacheSeconds=${100 + encoding.length}&demo=1`
      const headers = { 'accept-encoding': encoding }
      const head = await ask(target, 'HEAD', headers)
      const get = await ask(target, 'GET', headers)
      expect(lasting(head)).toEqual(lasting(get))
      const { byteLength } = await get.arrayBuffer()
      const etag = get.headers.get('etag')
      if (etag === null) return
      const again = await ask(target, 'HEAD', headers)
      expect(again.headers.get('content-length')).toBe(String(byteLength))
      expect((await ask(target, 'HEAD', { ...headers, 'if-none-match': etag })).status).toBe(304)
    },
  )

  test('answers what GET answers to a mistake, to nobody, and to who has it', async () => {
    for (const query of cases.queries) {
      const [head, get] = [await ask(`/api/og${query}`, 'HEAD'), await ask(`/api/og${query}`, 'GET')]
      expect([query, ...lasting(head)]).toEqual([query, ...lasting(get)])
      expect(head.headers.get('content-length')).toBe(get.headers.get('content-length'))
    }
    const etag = (await ask('/api/og?title=never-drawn&demo=1', 'HEAD')).headers.get('etag') ?? ''
    const known = await ask('/api/og?title=never-drawn&demo=1', 'HEAD', { 'if-none-match': etag })
    expect([known.status, known.headers.get('etag')]).toEqual([304, etag])
  })

  test('of a wrong address is refused as GET is, and asks no site', async () => {
    for (const url of ['http://site.example:6379/', 'http://localhost/', 'http://10.0.0.1.nip/']) {
      const target = `/api/transform?kind=preview&url=${encodeURIComponent(url)}&demo=1`
      const head = await ask(target, 'HEAD')
      if (head.status !== 200) expect([url, head.status]).toEqual([url, (await ask(target, 'GET')).status])
    }
    expect((await ask('/api/transform?kind=preview&url=http://localhost/&demo=1', 'HEAD')).status).toBe(403)
  })

  test('of the playground and its pictures draws nothing and uses nothing up', async () => {
    for (let n = 0; n < 10; n += 1) expect((await ask(`/?kind=og&title=${n}`, 'HEAD')).status).toBe(200)
    const page = await (await ask('/?kind=og&title=words', 'GET')).text()
    const path = /src="(\/playground\/og[^"]+)"/.exec(page)?.[1]?.replaceAll('&amp;', '&') ?? ''
    for (const picture of [path, '/pictures/card-paper.svg', '/pictures/share-home.png']) {
      const [head, get] = [await ask(picture, 'HEAD'), await ask(picture, 'GET')]
      expect([picture, ...lasting(head)]).toEqual([picture, ...lasting(get)])
      expect(head.headers.get('content-length')).toBeNull()
    }
    for (const wrong of ['/pictures/none.svg', '/playground/og?title=a&until=1&ticket=0'])
      expect((await ask(wrong, 'HEAD')).status).toBe(404)
    // Two of three are left: ten looks at heads took none.
    for (const n of [1, 2])
      expect(await (await ask(`/?kind=og&title=${n}`, 'GET')).text()).toContain('src="/playground/og')
  })

  test('of every page has its headers', async () => {
    for (const path of '/ /docs /docs/errors /status /bot /openapi.json /llms.txt /healthz'.split(' ')) {
      const [head, get] = [await ask(path, 'HEAD'), await ask(path, 'GET')]
      expect([path, ...lasting(head)]).toEqual([path, ...lasting(get)])
      expect(await head.text()).toBe('')
    }
  })
})
