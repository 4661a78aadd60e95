import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { embedUrl } from '../../src/client/embed-url.ts'
import { signUrl } from '../../src/client/sign-url.ts'
import type { EmbedOptions, KeyPair } from '../../src/client/types.ts'
import { type Chain, startAnvil } from '../payments/support/anvil.ts'
import { payWith } from '../payments/support/pay.ts'
import { walletEnv } from '../payments/support/wallet-env.ts'
import { hasCaddy, hasNginx, type Proxy, startCaddy, startNginx } from '../support/proxies.ts'
import { rawGet, rawHttp } from '../support/raw-http.ts'
import { startServer, type TestServer } from '../support/server.ts'

/** The lines that the documentation gives to operators. */
const scaling = readFileSync(join(import.meta.dir, '../../docs/SCALING.md'), 'utf8')
const cacheKey = /```nginx\n([\s\S]*?)```/.exec(scaling)?.[1] ?? ''

let chain: Chain
let server: TestServer
beforeAll(async () => {
  chain = await startAnvil()
  server = await startServer({ env: { KEYS_PER_IP_PER_DAY: '100', ...walletEnv(chain.url) } })
}, 60_000)
afterAll(async () => {
  await server.stop()
  await chain.stop()
})

async function newPair(): Promise<KeyPair> {
  const { id, secret } = (await (await fetch(`${server.url}/api/key`)).json()) as Record<
    'id' | 'secret',
    string
  >
  return { key: id, secret }
}

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

/** A signed address of a card in either form, at a proxy. */
async function addressAt({ url }: Proxy, options: EmbedOptions = {}, parameters: Parameters = {}) {
  return embedUrl(`${url}/api/og`, { title: 'Kept by a cache', ...parameters }, await newPair(), options)
}

type Parameters = Readonly<Record<string, string>>

describe.skipIf(!hasNginx)('nginx with a cache', () => {
  let nginx: Proxy
  beforeAll(async () => {
    const settings = `${cacheKey}
  proxy_cache_revalidate on;
  proxy_cache_background_update on;`
    nginx = await startNginx({ serverPort: server.port, settings })
  })
  afterAll(() => nginx.close())

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
  }, 30_000)

  test('never serves a signed address after its end, where the copy was renewed shortly before', async () => {
    // Fresh for a minute, then stale for as long as it may be, and renewed in the last moments.
    const served = await servedBy([61, 62, 63, 64], { cacheSeconds: '60' })
    expect(served).toContain('STALE')
  }, 120_000)
})
