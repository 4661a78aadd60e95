import { describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { embedUrl } from '../../src/client/embed-url.ts'
import { signUrl } from '../../src/client/sign-url.ts'
import type { EmbedOptions } from '../../src/client/types.ts'
import { shopkeeper, startAnvil } from '../payments/support/anvil.ts'
import { payWith } from '../payments/support/pay.ts'
import { walletEnv } from '../payments/support/wallet-env.ts'
import { issueKeyPair } from '../support/issue-key-pair.ts'
import { hasCaddy, hasNginx, type ProxyServer, startCaddy, startNginx } from '../support/proxies.ts'
import { rawGet, rawHttp } from '../support/raw-http.ts'
import { startServer } from '../support/server.ts'
import { started } from '../support/started.ts'
import cases from './shared-caches.json' with { type: 'json' }

/** The lines that the documentation gives to operators. */
const guide = readFileSync(join(import.meta.dir, '../../docs/cdn.md'), 'utf8')
const cacheKey = /```nginx\n(map [\s\S]*?)```/.exec(guide)?.[1] ?? ''

const chain = started(startAnvil)
const server = started(() => startServer({ env: { KEYS_PER_IP_PER_DAY: '100', ...walletEnv(chain.url) } }))

async function ask(url: string, headers: Readonly<Record<string, string>> = {}, method = 'GET') {
  const response = await fetch(url, { method, headers: { 'accept-encoding': 'identity', ...headers } })
  const bytes = Buffer.from(await response.arrayBuffer()).toString('hex')
  return {
    status: response.status,
    headers: response.headers,
    cache: response.headers.get('x-cache'),
    etag: response.headers.get('etag'),
    bytes,
  }
}

interface Sight {
  readonly sentMs: number
  readonly status: number
  readonly cache: string | null
}

/** Looks at an address again and again, until two seconds after its end. */
async function watch(url: string, exp: number): Promise<readonly Sight[]> {
  const sights: Sight[] = []
  while (Date.now() < (exp + 2) * 1000) {
    const sentMs = Date.now()
    const { status, cache } = await ask(url)
    sights.push({ sentMs, status, cache })
    // Often near the end, where it matters.
    await sleep(exp * 1000 - sentMs > 5_000 ? 100 : 10)
  }
  return sights
}

const forms = ['path', 'query'] as const

/** Without it Caddy asks for gzip on its own account, and nginx looks for another variant of its copy. */
const identity = ['Accept-Encoding: identity']

/** Text that programs leave behind an address in the path. */
const tails = cases.tails

/** A signed address of a card in either form, at a proxy. */
async function addressAt({ url }: ProxyServer, options: EmbedOptions = {}, parameters: Parameters = {}) {
  return embedUrl(
    `${url}/api/og`,
    { title: 'Kept by a cache', ...parameters },
    await issueKeyPair(server),
    options,
  )
}

type Parameters = Readonly<Record<string, string>>

describe.skipIf(!hasNginx)('nginx with a cache', () => {
  const settings = `${cacheKey}
  proxy_cache_revalidate on;
  proxy_cache_background_update on;`
  const nginx = started(() => startNginx(server.port, settings))

  test.each(forms)('serves a signed address in the %s with the same bytes and ETag', async (form) => {
    const url = await addressAt(nginx, { form })
    const first = await ask(url)
    const second = await ask(url)
    expect([first.status, first.cache, second.cache]).toEqual([200, 'MISS', 'HIT'])
    expect([second.status, second.etag, second.bytes]).toEqual([200, first.etag, first.bytes])
    expect(first.etag).toBe((await ask(url.replace(nginx.url, server.url))).etag)
    const again = await ask(url, { 'if-none-match': first.etag ?? '' })
    expect([again.status, again.cache, again.etag]).toEqual([304, 'HIT', first.etag])
    const head = await ask(url, {}, 'HEAD')
    expect([head.status, head.cache, head.etag]).toEqual([200, 'HIT', first.etag])
  })

  /** Watches addresses that end so many seconds from now, and returns what the cache said where it served one. */
  async function servedBy(secondsAhead: readonly number[], parameters: Parameters): Promise<Set<string>> {
    const nowSeconds = Math.ceil(Date.now() / 1000)
    const all = secondsAhead.flatMap((seconds) => forms.map((form) => ({ form, exp: nowSeconds + seconds })))
    const seen = await Promise.all(
      all.map(async (options) => {
        const sights = await watch(await addressAt(nginx, options, parameters), options.exp)
        const granted = sights.filter(({ status }) => status === 200)
        const lateMs = granted.map(({ sentMs }) => sentMs - options.exp * 1000).filter((ms) => ms > 0)
        return { granted, latest: { ...options, lateMs: lateMs.at(-1), status: sights.at(-1)?.status } }
      }),
    )
    expect(seen.map(({ latest }) => latest)).toEqual(
      all.map((options) => ({ ...options, lateMs: undefined, status: 402 })),
    )
    return new Set(seen.flatMap(({ granted }) => granted.map(({ cache }) => cache ?? '')))
  }

  test('never serves a signed address after its end', async () => {
    expect(await servedBy([3, 4, 5], {})).toContain('HIT')
  })

  test('never serves a signed address after its end, where the copy was renewed shortly before', async () => {
    // Fresh for a minute, then stale for as long as it may be, and renewed in the last moments.
    const served = await servedBy([61, 62, 63, 64], { cacheSeconds: '60' })
    expect(served).toContain('STALE')
  })

  /** Asks twice, and returns the statuses, and whether the cache answered. */
  async function askedTwice(url: string, headers: Readonly<Record<string, string>> = {}) {
    const answers = [await ask(url, headers), await ask(url, headers)]
    return answers.map(({ status, cache }) => [status, cache])
  }

  test('stores no answer to a call that is signed for the moment', async () => {
    const url = await signUrl(`${nginx.url}/api/og?title=Moment&cacheSeconds=600`, await issueKeyPair(server))
    expect(await askedTwice(url)).toEqual(Array(2).fill([200, 'MISS']))
  })

  test('stores no paid answer, which the next caller would have for nothing', async () => {
    const url = `${nginx.url}/api/og?title=Paid&cacheSeconds=600`
    const txHash = await chain.transfer(shopkeeper.address, 10_000n)
    const paid = await payWith(url, txHash)
    expect([paid.status, paid.headers.get('x-cache')]).toEqual([200, 'MISS'])
    expect(await askedTwice(url)).toEqual(Array(2).fill([402, 'MISS']))
  })

  test('stores no refusal and no error, also where they are pictures', async () => {
    const genuine = await addressAt(nginx)
    const forged = genuine.replace(/[\da-f](?=\.svg$)/, (digit) => (digit === '0' ? '1' : '0'))
    const refusals = [
      ['/api/og?title=Unpaid', 402],
      [forged.slice(nginx.url.length), 402],
      ['/api/og?demo=1', 400],
      ['/i/og/mk_1/x/y.svg', 400],
      ['/i/none/a/b/c.svg', 404],
      ['/nothing', 404],
    ] as const
    for (const [target, status] of refusals)
      for (const accept of ['*/*', 'image/avif,image/webp,image/*'])
        expect([target, ...(await askedTwice(nginx.url + target, { accept }))]).toEqual([
          target,
          ...Array(2).fill([status, 'MISS']),
        ])
  })

  test('has one entry for an address in the path, whatever query and punctuation came behind it', async () => {
    const url = await addressAt(nginx)
    const first = await ask(url)
    expect([first.status, first.cache]).toEqual([200, 'MISS'])
    for (const tail of tails) {
      const { status, cache, etag, bytes } = await ask(url + tail)
      expect([tail, status, cache, etag, bytes]).toEqual([tail, 200, 'HIT', first.etag, first.bytes])
    }
  })

  test('has no entry of an address that holds what another path answered', async () => {
    const url = await addressAt(nginx)
    for (const up of ['/..', '\\..', '/%2e%2e', '%2f..', '%5c..'])
      for (const slash of ['/', '\\', '%2f', '%5c']) {
        const target = `${url.slice(nginx.url.length)}${up.repeat(5)}${slash}api${slash}og?title=Other&demo=1`
        await rawHttp(nginx.port, rawGet(target, `127.0.0.1:${nginx.port}`, identity))
      }
    const { status, cache, bytes } = await ask(url)
    expect([status, cache]).toEqual([200, 'MISS'])
    expect(bytes).toBe((await ask(url.replace(nginx.url, server.url))).bytes)
  })
})

describe.skipIf(!hasCaddy)('Caddy as a reverse proxy', () => {
  const caddy = started(() => startCaddy(server.port))

  /** The headers that are about the answer, and not about one request or the connection. */
  function lasting(headers: Headers): readonly (readonly [string, string])[] {
    const passing =
      /^(?:date|server|server-timing|x-request-id|connection|keep-alive|transfer-encoding|alt-svc)$/
    return [...headers].filter(([name]) => !passing.test(name)).toSorted(([a], [b]) => a.localeCompare(b))
  }

  async function expectUnchanged(url: string, headers: Readonly<Record<string, string>>, method = 'GET') {
    const direct = await ask(url.replace(caddy.url, server.url), headers, method)
    const proxied = await ask(url, headers, method)
    expect([url, proxied.status, proxied.bytes]).toEqual([url, direct.status, direct.bytes])
    expect([url, lasting(proxied.headers)]).toEqual([url, lasting(direct.headers)])
    return proxied
  }

  test.each(forms)('passes on a signed address in the %s, its 304 and its HEAD unchanged', async (form) => {
    const url = await addressAt(caddy, { form })
    await ask(url)
    for (const encoding of ['identity', 'gzip', 'br', 'zstd']) {
      const accepted = { 'accept-encoding': encoding }
      const { status, etag } = await expectUnchanged(url, accepted)
      expect([status, (await expectUnchanged(url, accepted, 'HEAD')).status]).toEqual([200, 200])
      const known = { ...accepted, 'if-none-match': etag ?? '' }
      expect((await expectUnchanged(url, known)).status).toBe(304)
      expect((await expectUnchanged(url, known, 'HEAD')).status).toBe(304)
    }
  })

  test('passes on every spelling of an address in the path', async () => {
    const url = await addressAt(caddy)
    const { etag, bytes } = await ask(url)
    const inside = [
      url.replace('mk_', 'mk%5F'),
      url.replace('/i/', '/%69/'),
      url.replace('.svg', '=%0D%0A.svg'),
    ]
    for (const spelling of [...inside, ...tails.map((tail) => url + tail)]) {
      const target = spelling.slice(caddy.url.length)
      const { text } = await rawHttp(caddy.port, rawGet(target, `127.0.0.1:${caddy.port}`, identity))
      const expected = [target, 'HTTP/1.1 200 OK', true]
      expect([target, text.slice(0, 15), text.includes(etag ?? 'none')]).toEqual(expected)
      expect([target, (await ask(spelling)).bytes]).toEqual([target, bytes])
    }
  })
})
