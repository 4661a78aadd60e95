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

describe.skipIf(!hasNginx)('nginx with a cache', () => {
  let nginx: Proxy
  beforeAll(async () => {
    const settings = `${cacheKey}
  proxy_cache_revalidate on;
  proxy_cache_background_update on;
  proxy_cache_lock on;`
    nginx = await startNginx({ serverPort: server.port, settings })
  })
  afterAll(() => nginx.close())

  describe.each(['path', 'query'] as const)('and a signed address in the %s', (form) => {
    async function addressOf(options: EmbedOptions = {}, parameters: Readonly<Record<string, string>> = {}) {
      const all = { title: 'Kept by a cache', ...parameters }
      return embedUrl(`${nginx.url}/api/og.svg`, all, await newPair(), { form, ...options })
    }

    async function expectEnd(url: string, exp: number): Promise<readonly Sight[]> {
      const sights = await watch(url, exp)
      const granted = sights.filter(({ status }) => status === 200)
      expect(granted.map(({ cache }) => cache)).toContain('HIT')
      expect(granted.filter(({ sentMs }) => sentMs > exp * 1000)).toEqual([])
      expect(sights.at(-1)).toMatchObject({ status: 402 })
      return granted
    }

    test('serves it from the cache, with the same bytes and ETag', async () => {
      const url = await addressOf()
      const first = await ask(url)
      const second = await ask(url)
      expect([first.cache, second.cache]).toEqual(['MISS', 'HIT'])
      expect([second.status, second.etag, second.bytes]).toEqual([200, first.etag, first.bytes])
      expect(first.etag).toBe((await ask(url.replace(nginx.url, server.url))).etag)
      const again = await ask(url, { 'if-none-match': first.etag ?? '' })
      expect([again.status, again.cache, again.etag]).toEqual([304, 'HIT', first.etag])
      const head = await ask(url, {}, 'HEAD')
      expect([head.status, head.cache, head.etag]).toEqual([200, 'HIT', first.etag])
    })

    test('never serves it after its end', async () => {
      const exp = Math.ceil(Date.now() / 1000) + 4
      await expectEnd(await addressOf({ exp }), exp)
    }, 30_000)

    test('never serves it after its end, where the copy was renewed shortly before', async () => {
      // Fresh for a minute, then stale for as long as it may be, then confirmed in the last moments.
      const ends = [62, 63, 64].map((seconds) => Math.ceil(Date.now() / 1000) + seconds)
      const seen = await Promise.all(
        ends.map(async (exp) => expectEnd(await addressOf({ exp }, { cacheSeconds: '60' }), exp)),
      )
      const renewed = seen.flat().map(({ cache }) => cache)
      expect(renewed).toContain('STALE')
    }, 120_000)
  })
})
