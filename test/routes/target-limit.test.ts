import { afterAll, beforeEach, describe, expect, test } from 'bun:test'
import { embedUrl } from '../../src/client/embed-url.ts'
import { freePort } from '../support/free-port.ts'
import { plainPng } from '../support/pictures.ts'
import { startServer } from '../support/server.ts'
import { startService } from '../support/service.ts'
import { signEmbed } from '../support/sign-embed.ts'
import { started } from '../support/started.ts'
import { sampleOf, slowTest } from '../support/test-size.ts'
import { startDnsServer } from '../web/support/dns-server.ts'

/** Requests of the server to one domain in a minute, and those of them for strangers, and for keys. */
const perMinute = 50
const strangersMax = 10
const restMax = 40

const minuteMs = 60_000
const hourMs = 3_600_000
const secondMs = 1_000

/** The requests that arrived, as `host/path`. Every name leads here. */
let arrived: string[] = []
const site = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch(request) {
    const { hostname, pathname, search } = new URL(request.url)
    arrived.push(hostname + pathname + search)
    const [, kind = ''] = pathname.split('/')
    return answers[kind]?.(pathname + search) ?? new Response('gone', { status: 404 })
  },
})
const html = { 'content-type': 'text/html; charset=utf-8' }

/** The answers of the site, by the first part of the path. */
const answers: Readonly<Record<string, (path: string) => Response>> = {
  page: (path) => new Response(`<!doctype html><title>${path}</title><h1>${path}</h1>`, { headers: html }),
  pictured: (path) =>
    new Response(
      `<!doctype html><title>${path}</title><meta property="og:image" content="/picture${path}">`,
      { headers: html },
    ),
  picture: () => new Response(picture, { headers: { 'content-type': 'image/png' } }),
  video: (path) =>
    new Response(
      `<!doctype html><title>${path}</title><link rel="alternate" type="application/json+oembed" href="/oembed${path}">`,
      { headers: html },
    ),
  oembed: () => Response.json({ type: 'video', version: '1.0', author_name: 'Ann' }),
  document: (path) => Response.json({ schemaVersion: 1, label: 'n', message: path.length.toString() }),
  moved: (path) => Response.redirect(`http://www.victim.org:${site.port}/page${path}`, 302),
  long: (path) =>
    new Response(`<!doctype html><title>${path}</title>${`<p>${'Text. '.repeat(100)}</p>`.repeat(2_600)}`, {
      headers: html,
    }),
}
let picture = new Uint8Array(plainPng(400, 210))

const dns = started(() => startDnsServer(() => ['127.0.0.1']))
function settings() {
  return {
    FETCH_ALLOW_CIDRS: '127.0.0.0/8',
    FETCH_ALLOW_PORTS: String(site.port),
    FETCH_DNS: dns.address,
    FETCH_TARGET_PER_MINUTE: String(perMinute),
    FETCH_UNPAID_PER_MINUTE: '100000',
    TRUSTED_PROXIES: '127.0.0.1/32',
    KEYS_PER_IP_PER_DAY: '1000',
  }
}
const server = started(() => startService({ env: settings() }))
beforeEach(() => {
  // Every test has a minute of its own.
  server.clock.aheadMs += 2 * minuteMs
  arrived = []
})
afterAll(() => site.stop(true))

let names = 0
/** A domain that nobody has asked for. */
function newDomain(): string {
  names += 1
  return `harbour${names}.com`
}

function urlOf(host: string, path: string): string {
  return `http://${host}:${site.port}${path}`
}

function arrivedAt(domain: string): number {
  return arrived.filter((request) => request.split('/')[0]?.endsWith(domain)).length
}

async function ask(url: string, client = '198.51.100.1') {
  const response = await fetch(url, { headers: { 'x-forwarded-for': client } })
  const text = await response.text()
  return { status: response.status, headers: response.headers, text, json: () => JSON.parse(text) }
}

function asDemo(path: string, parameters: Readonly<Record<string, string>>): string {
  return `${server.url}${path}?${new URLSearchParams({ ...parameters, demo: '1' })}`
}

async function newKey(rest = '') {
  const { id, secret, site: siteId } = await (await fetch(`${server.url}/api/key${rest}`)).json()
  return { key: String(id), secret: String(secret), siteId: String(siteId) }
}

type Key = Awaited<ReturnType<typeof newKey>>

function asKey(key: Key, path: string, parameters: Readonly<Record<string, string>>) {
  return signEmbed(server.url + path, parameters, key, Math.floor(server.clock.now() / 1000) + 86_400)
}

async function demoLeft(): Promise<number> {
  const { headers } = await ask(asDemo('/api/og', { title: 'left' }))
  return Number(headers.get('x-quota-remaining'))
}

/** Everything that reads a page or a document for a caller: its path and parameters for the nth of them at a host. */
const readers: readonly (readonly [
  name: string,
  path: string,
  parametersOf: (n: number, domain: string) => Record<string, string>,
])[] = [
  ['a preview', '/api/preview', (n, domain) => ({ url: urlOf(`a${n}.${domain}`, `/page/${n}`) })],
  [
    'a preview that is read anew and its oEmbed',
    '/api/preview',
    (n, domain) => ({ url: urlOf(domain, `/video/${n}`) }),
  ],
  ['the card of a page', '/api/card', (n, domain) => ({ page: urlOf(`a${n}.${domain}`, `/page/${n}`) })],
  [
    'the card of a page with its picture',
    '/api/card.png',
    (n, domain) => ({ page: urlOf(domain, `/pictured/${n}`), picture: 'page' }),
  ],
  [
    'a badge that shows a document',
    '/api/badge',
    (n, domain) => ({ endpoint: urlOf(`a${n}.${domain}`, `/document/${n}`) }),
  ],
  [
    'a badge that shows a value of a document',
    '/api/badge',
    (n, domain) => ({ json: urlOf(domain, `/document/${n}`), query: '$.message' }),
  ],
]

describe.each(sampleOf(readers, 6))('%s', (_, path, parametersOf) => {
  test('makes a domain no more requests for strangers than a fifth, and is refunded beyond', async () => {
    const domain = newDomain()
    const before = await demoLeft()
    let counted = 0
    for (let n = 0; n < 24; n += 1) {
      const { status, headers, json } = await ask(asDemo(path, parametersOf(n, domain)), `192.0.2.${n}`)
      const isFallback = headers.get('x-card-source') === 'fallback'
      if (status === 200 && !isFallback) counted += 1
      else if (status !== 200) {
        expect([status, json()]).toMatchObject([503, { code: 'busy', reason: 'target_busy' }])
        expect(Number(headers.get('retry-after'))).toBeWithin(1, 61)
      }
    }
    expect(arrivedAt(domain)).toBe(strangersMax)
    expect(before - (await demoLeft())).toBe(counted + 1)
  })

  test('goes on for a key while strangers have used up their part', async () => {
    const domain = newDomain()
    for (let n = 0; n < 24; n += 1) await ask(asDemo(path, parametersOf(n, domain)), `192.0.2.${n}`)
    const { status, headers } = await ask(await asKey(await newKey(), path, parametersOf(99, domain)))
    expect([status, headers.get('x-auth-mode')]).toEqual([200, 'key'])
    expect(headers.get('x-card-source') ?? 'page').toBe('page')
  })

  test('makes a domain no more requests for five keys than they share', async () => {
    const domain = newDomain()
    const keys = await Promise.all(Array.from({ length: 5 }, () => newKey()))
    for (let n = 0; n < 60; n += 1) {
      const key = keys[n % keys.length]
      if (key !== undefined) await ask(await asKey(key, path, parametersOf(n, domain)))
    }
    expect(arrivedAt(domain)).toBeGreaterThan(restMax / 2)
    expect(arrivedAt(domain)).toBeLessThanOrEqual(restMax)
  })
})

test('a redirect counts where it leads to', async () => {
  for (let n = 0; n < 30; n += 1)
    await ask(asDemo('/api/preview', { url: urlOf(newDomain(), `/moved/${n}`) }), `192.0.2.${n}`)
  expect(arrivedAt('victim.org')).toBe(strangersMax)
  expect(arrivedAt('.com')).toBe(30)
})

test('many domains at one address get four times as many together', async () => {
  for (let n = 0; n < 60; n += 1)
    await ask(asDemo('/api/preview', { url: urlOf(newDomain(), '/page/a') }), `192.0.2.${n}`)
  expect(arrived).toHaveLength(4 * strangersMax)
})

test('a stranger leaves some to others', async () => {
  const domain = newDomain()
  for (let n = 0; n < 30; n += 1)
    await ask(asDemo('/api/preview', { url: urlOf(domain, `/page/${n}`) }), '192.0.2.1')
  expect(arrivedAt(domain)).toBeLessThan(strangersMax)
  const { status } = await ask(asDemo('/api/preview', { url: urlOf(domain, '/page/other') }), '192.0.2.2')
  expect(status).toBe(200)
})

test('a failed read gives the call back, but not the request', async () => {
  const domain = newDomain()
  const before = await demoLeft()
  for (let n = 0; n < 24; n += 1) {
    const { status } = await ask(
      asDemo('/api/preview', { url: urlOf(domain, `/missing/${n}`) }),
      `192.0.2.${n}`,
    )
    expect(status).toBe(n < strangersMax ? 502 : 503)
  }
  expect(arrivedAt(domain)).toBe(strangersMax)
  expect(before - (await demoLeft())).toBe(1)
})

test('beyond the limit the answer is what is kept', async () => {
  const domain = newDomain()
  const preview = { url: urlOf(domain, '/page/kept') }
  expect((await ask(asDemo('/api/preview', preview))).status).toBe(200)
  server.clock.aheadMs += 30 * hourMs
  for (let n = 0; n < 12; n += 1)
    await ask(asDemo('/api/preview', { url: urlOf(domain, `/page/${n}`) }), `192.0.2.${n}`)
  const kept = await ask(asDemo('/api/preview', preview))
  expect([kept.status, kept.json().cache.state]).toEqual([200, 'stale'])
  expect(arrived.filter((request) => request.endsWith('/page/kept'))).toHaveLength(1)
})

describe('refreshes in the background', () => {
  async function arrivedOnce(domain: string, count: number): Promise<void> {
    while (arrivedAt(domain) < count) await Bun.sleep(5)
  }

  test.each([
    [
      'cards',
      '/api/card',
      (domain: string, n: number) => ({ page: urlOf(domain, `/page/${n}`) }),
      2 * hourMs,
    ],
    [
      'previews',
      '/api/preview',
      (domain: string, n: number) => ({ url: urlOf(domain, `/page/${n}`) }),
      2 * hourMs,
    ],
    [
      'badges',
      '/api/badge',
      (domain: string, n: number) => ({ endpoint: urlOf(domain, `/document/${n}`) }),
      600 * secondMs,
    ],
  ] as const)('of %s have half of what their callers may ask for', async (_, path, parametersOf, ageMs) => {
    const key = await newKey()
    const askers: readonly (readonly [
      max: number,
      ask: (domain: string, n: number) => ReturnType<typeof ask>,
    ])[] = [
      [strangersMax, (domain, n) => ask(asDemo(path, parametersOf(domain, n)), `192.0.2.${n}`)],
      [restMax, async (domain, n) => ask(await asKey(key, path, parametersOf(domain, n)))],
    ]
    for (const [max, askAgain] of askers) {
      const domain = newDomain()
      for (let n = 0; n < 30; n += 1) {
        if (n % 10 === 0) server.clock.aheadMs += 2 * minuteMs
        expect((await ask(asDemo(path, parametersOf(domain, n)), `203.0.113.${n}`)).status).toBe(200)
      }
      server.clock.aheadMs += ageMs
      arrived = []
      for (let n = 0; n < 30; n += 1) expect((await askAgain(domain, n)).status).toBe(200)
      await arrivedOnce(domain, max / 2)
      // A call that comes now waits behind everything that was begun before.
      expect((await askAgain(domain, 98)).status).toBe(200)
      expect(arrivedAt(domain)).toBe(max / 2 + 1)
    }
  })
})

test('a page that a key has counted is read again for it, whoever looks at it', async () => {
  const domain = newDomain()
  const key = await newKey()
  const cards = Array.from({ length: 12 }, (_, n) => ({ page: urlOf(domain, `/page/counted-${n}`) }))
  for (const card of cards) expect((await ask(await asKey(key, '/api/card', card))).status).toBe(200)
  server.clock.aheadMs += 2 * hourMs
  for (let n = 0; n < 24; n += 1)
    await ask(asDemo('/api/preview', { url: urlOf(domain, `/page/${n}`) }), `192.0.2.${n}`)
  arrived = []
  for (const card of cards) expect((await ask(asDemo('/api/card', card))).status).toBe(200)
  while (arrivedAt(domain) < cards.length) await Bun.sleep(5)
})

test('pages of a site that are not counted are strangers’ reads, and what its key signs goes on', async () => {
  const domain = newDomain()
  const key = await newKey(`?hosts=${domain}`)
  const sources: (string | null)[] = []
  for (let n = 0; n < 24; n += 1) {
    const query = new URLSearchParams({ site: key.siteId, page: urlOf(domain, `/page/${n}`) })
    sources.push((await ask(`${server.url}/api/card?${query}`, `192.0.2.${n}`)).headers.get('x-card-source'))
  }
  // The site is asked for its home page and sitemaps too, which name its pages.
  const lists = arrived.filter((request) => request.startsWith(domain) && !request.includes('/page/')).length
  expect(sources.filter((source) => source === 'page')).toHaveLength(strangersMax - lists)
  expect(lists).toBeLessThanOrEqual(4)
  expect(arrivedAt(domain)).toBe(strangersMax)
  const signed = await embedUrl(`${server.url}/api/card`, { page: urlOf(domain, '/page/signed') }, key)
  expect((await ask(signed)).headers.get('x-card-source')).toBe('page')
})

test('what nothing pays for gets one MiB of a page, and does not cut it for those who sign', async () => {
  const domain = newDomain()
  const url = urlOf(domain, '/long/page')
  const unpaid = (await ask(asDemo('/api/preview', { url }))).json()
  expect(unpaid).toMatchObject({ title: '/long/page', truncated: true })
  expect(unpaid.bytes.decoded).toBe(1_048_576)
  const signed = (await ask(await asKey(await newKey(), '/api/preview', { url }))).json()
  expect(signed).toMatchObject({ title: '/long/page', truncated: false, cache: { state: 'miss' } })
  expect(signed.bytes.decoded).toBeGreaterThan(1_500_000)
})

test('a picture that strangers could not have stays in the card of a key', async () => {
  const domain = newDomain()
  picture = new Uint8Array(Buffer.concat([plainPng(400, 210), new Uint8Array(1_200_000)]))
  const card = { page: urlOf(domain, '/pictured/long'), picture: 'page' }
  for (let n = 0; n < 3; n += 1) {
    const { status, headers } = await ask(asDemo('/api/card', card))
    expect([status, headers.get('x-card-source')]).toEqual([200, 'page; picture=none'])
    expect(headers.get('cache-control')).toStartWith('public, max-age=60')
  }
  expect(arrived.filter((request) => request.includes('/picture/'))).toHaveLength(1)
  const signed = await ask(await asKey(await newKey(), '/api/card', card))
  expect([signed.status, signed.headers.get('x-card-source')]).toEqual([200, 'page'])
})

slowTest(
  'two workers ask for no more together than one',
  async () => {
    const port = await freePort()
    const workers = await startServer({ env: { ...settings(), WORKERS: '2', PORT: String(port) } })
    const domain = newDomain()
    try {
      await Promise.all(
        Array.from({ length: 60 }, (_, n) => {
          const query = new URLSearchParams({ url: urlOf(domain, `/page/${n}`), demo: '1' })
          return fetch(`${workers.url}/api/preview?${query}`, {
            headers: { 'x-forwarded-for': `192.0.2.${n}`, connection: 'close' },
          })
        }),
      )
    } finally {
      await workers.stop()
    }
    expect(arrivedAt(domain)).toBeWithin(1, strangersMax + 1)
  },
  60_000,
)
