import { expect, test } from 'bun:test'
import { brotliDecompressSync, constants, gunzipSync, zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { cacheControlOf } from '../../src/http/cache-control.ts'
import { compress } from '../../src/http/compression.ts'
import { type HttpCase, testTable } from '../support/http-table.ts'
import { randomFrom } from '../support/random.ts'
import { startService } from '../support/service.ts'
import { started } from '../support/started.ts'
import { sampleOf } from '../support/test-size.ts'
import cases from './caching.json' with { type: 'json' }

const server = started(() => startService({ env: { DEMO_DAILY_QUOTA: '40' } }))

const card = '/api/og?title=Cached&demo=1'

/** Without the decompression that `fetch` does by itself. */
function get(path: string, headers: Record<string, string> = {}): Promise<Response> {
  const sent = { 'accept-encoding': 'identity', ...headers }
  return fetch(server.url + path, { headers: sent, decompress: false })
}

const decoders = [
  ['zstd', zstdDecompressSync],
  ['br', brotliDecompressSync],
  ['gzip', gunzipSync],
] as const

test.each(decoders)(
  'the same card comes as %s when only that is accepted, with an ETag of its own',
  async (encoding, decode) => {
    const plain = await get(card)
    const packed = await get(card, { 'accept-encoding': encoding })
    const bytes = new Uint8Array(await packed.arrayBuffer())
    expect(packed.headers.get('content-encoding')).toBe(encoding)
    expect(packed.headers.get('content-length')).toBe(String(bytes.byteLength))
    expect(new Uint8Array(decode(bytes))).toEqual(new Uint8Array(await plain.arrayBuffer()))
    expect(packed.headers.get('etag')).not.toBe(plain.headers.get('etag'))
    for (const response of [plain, packed]) expect(response.headers.get('vary')).toBe('Accept-Encoding')
  },
)

test.each(cases.encodings as [string, string | null][])(
  'Accept-Encoding: %s is answered with %s',
  async (accepted, expected) => {
    const response = await get(card, { 'accept-encoding': accepted })
    expect(response.headers.get('content-encoding')).toBe(expected)
  },
)

test('a PNG is not compressed again', async () => {
  const response = await get('/api/og.png?title=Cached&demo=1&theme=paper', {
    'accept-encoding': 'gzip, br, zstd',
  })
  expect(response.headers.get('content-encoding')).toBeNull()
  expect(response.headers.get('vary')).toBeNull()
})

test('equal parameters give equal bytes and ETags, however they are written', async () => {
  const one = await get('/api/og?title=A+b&accent=%23F0A&format=svg&demo=1')
  const other = await get('/api/og?utm=1&demo=1&accent=ff00aa&title=%41%20%62')
  expect(one.headers.get('etag')).toBe(other.headers.get('etag'))
  expect(await one.text()).toBe(await other.text())
  const different = await get('/api/og?title=A+c&accent=ff00aa&demo=1')
  expect(different.headers.get('etag')).not.toBe(one.headers.get('etag'))
})

test('a caller who has the card is told so, in every encoding, and is not charged', async () => {
  const first = await get(card)
  const left = Number(first.headers.get('x-quota-remaining'))
  const etag = first.headers.get('etag') ?? ''
  const zstd = (await get(card, { 'accept-encoding': 'zstd' })).headers.get('etag') ?? ''
  for (const [known, matched] of [
    [etag, etag],
    [zstd, zstd],
    [`W/${zstd}`, zstd],
    [`"other", W/${etag} , ${zstd}`, etag],
    ['*', etag],
  ] as const) {
    const again = await get(card, { 'if-none-match': known })
    expect([known, again.status]).toEqual([known, 304])
    expect([await again.text(), known, again.headers.get('etag')]).toEqual(['', known, matched])
    expect(again.headers.get('cache-control')).toBe('public, max-age=86400, stale-while-revalidate=604800')
  }
  const next = await get(card, { 'if-none-match': '"something-else"' })
  expect(next.status).toBe(200)
  expect(Number(next.headers.get('x-quota-remaining'))).toBe(left - 2)
})

test.each(cases.confirmed)(
  '%s: a 304 changes nothing of how a cache may hand out what it has',
  async (path) => {
    const first = await get(`${path}&demo=1`)
    const again = await get(`${path}&demo=1`, { 'if-none-match': first.headers.get('etag') ?? '' })
    expect(again.status).toBe(304)
    for (const name of ['content-security-policy', 'cross-origin-resource-policy', 'cache-control', 'vary']) {
      expect([name, again.headers.get(name)]).toEqual([name, first.headers.get(name)])
    }
  },
)

test('a repeated card comes from the cache and is counted all the same', async () => {
  const path = '/api/og?title=Counted&demo=1'
  const made = await get(path)
  const kept = await get(path)
  expect(made.headers.get('server-timing')).toContain('make;desc=miss')
  expect(kept.headers.get('server-timing')).toContain('make;desc=hit')
  expect(Number(kept.headers.get('x-quota-remaining'))).toBe(
    Number(made.headers.get('x-quota-remaining')) - 1,
  )
  expect(await kept.text()).toBe(await made.text())
})

testTable(() => server, cases.table as unknown as readonly HttpCase[])

test('the quota starts again at the next midnight UTC', async () => {
  const response = await get(card)
  const reset = Number(response.headers.get('x-quota-reset'))
  expect(reset % 86_400).toBe(0)
  expect(reset - server.clock.now() / 1000).toBeLessThanOrEqual(86_400)
  expect(reset - server.clock.now() / 1000).toBeGreaterThan(-5)
})

test.each(sampleOf(['0', '1', '63', '65'], 4))(
  'a memory of %s MiB is enough to serve with',
  async (mebibytes) => {
    const small = await startService({ env: { CACHE_MB: mebibytes } })
    try {
      const answers = [await fetch(small.url + card), await fetch(small.url + card)]
      expect(answers.map(({ status }) => status)).toEqual([200, 200])
    } finally {
      await small.stop()
    }
  },
)

const call = { cacheSeconds: 86_400, staleSeconds: 604_800, credentials: {} } as Parameters<
  typeof cacheControlOf
>[0]

test('the time that drawing took is no time in which an answer may be fresh', () => {
  const right = { mode: 'key', secondsLeft: 100.5 } as const
  const startMs = performance.now() - 30_000
  expect(Number(/max-age=(\d+)/.exec(cacheControlOf(call, right, { startMs }))?.[1])).toBeLessThanOrEqual(69)
  const lateMs = performance.now() - 200_000
  expect(cacheControlOf(call, right, { startMs: lateMs })).toBe('public, max-age=0')
})

test.each([
  ['quick', 1],
  ['thorough', 6],
] as const)(
  'a body compressed with zstd, %s, has the bytes that Node and Deno make of it',
  async (effort, level) => {
    const random = randomFrom(3)
    for (let bytes = 1; bytes < 2 ** 19; bytes = Math.ceil(bytes * 1.9)) {
      const words = ['M', ' ', 'L', '½', '形', `${random.below(1000)}`]
      let text = ''
      while (text.length < bytes) text += random.pick(words) + random.below(300)
      for (const body of [text, new TextEncoder().encode(text)])
        expect(new Uint8Array(await compress('zstd', body, effort))).toEqual(
          new Uint8Array(zstdCompressSync(body, { params: { [constants.ZSTD_c_compressionLevel]: level } })),
        )
    }
  },
)
