import { describe, expect, test } from 'bun:test'
import { createCookieJar } from '../../src/web/cookie-jar.ts'
import { createAddressPolicy, isPublicAddress } from '../../src/web/url-rules.ts'
import cases from './address-policy.json' with { type: 'json' }
import { loopbackFetcher } from './support/loopback-fetcher.ts'
import { startRawServer } from './support/raw-server.ts'

/** First and last address of every range that is not public, and the public neighbours on both sides. */
const ranges = cases.ranges as [before: string | null, first: string, last: string, after: string | null][]

describe('which addresses are public', () => {
  for (const [before, first, last, after] of ranges) {
    test(`${first} to ${last} is not, its neighbours are`, () => {
      expect([isPublicAddress(first), isPublicAddress(last)]).toEqual([false, false])
      for (const neighbour of [before, after])
        if (neighbour !== null) expect(isPublicAddress(neighbour)).toBe(true)
    })
  }

  test('what is not a plain address is not public', () => {
    for (const text of cases.noAddresses) {
      expect(isPublicAddress(text)).toBe(false)
    }
  })

  test('an allowed range opens exactly that range', () => {
    const policy = createAddressPolicy(['10.1.0.0/16', 'fd00:1::/32'])
    expect(['10.1.255.255', 'fd00:1::5', '8.8.8.8'].map(policy.allows)).toEqual([true, true, true])
    expect(['10.2.0.0', 'fd00:2::5', '::ffff:10.1.0.1'].map(policy.allows)).toEqual([false, false, false])
  })

  test('an allowed address opens itself alone', () => {
    expect(
      ['10.1.2.3', '10.1.2.4', 'fd00::1', 'fd00::2'].map(createAddressPolicy(['10.1.2.3', 'fd00::1']).allows),
    ).toEqual([true, false, true, false])
  })

  test('a range that cannot be read stops the start', () => {
    for (const range of ['10.0.0.0/33', '10.0.0/8x', 'private'])
      expect(() => createAddressPolicy([range])).toThrow()
  })
})

const page = new URL('https://site.example.com/shop/cart')

function cookieAfter(setCookies: readonly string[], url = page, from = page) {
  const jar = createCookieJar()
  jar.store(from, setCookies)
  return jar.headerFor(url)
}

test.each([
  ...(cases.cookies as [string, string, string | null][]),
  [`a=${'x'.repeat(5_000)}; Path=/`, '/', null],
])('%s goes to %s as %s', (header, path, expected) => {
  expect(cookieAfter([header], new URL(path, page)) ?? null).toBe(expected)
})

test.each([
  'http://site.example.com/shop/',
  'https://www.site.example.com/shop/',
  'https://example.com/shop/',
  'https://site.example.com:8443/shop/',
])('a cookie goes to no other scheme, host or port: %s', (url) => {
  expect(cookieAfter(['a=1; Domain=example.com; Path=/'], new URL(url))).toBeUndefined()
})

test('a cookie that is secure is not taken from a page that is not', () => {
  const plain = new URL('http://site.example.com/')
  expect(cookieAfter(['a=1; Secure; Path=/'], page, plain)).toBeUndefined()
  expect(cookieAfter(['a=1; Secure; Path=/'], plain, plain)).toBeUndefined()
})

test('twenty cookies are kept, of 4 KiB together', () => {
  const jar = createCookieJar()
  for (let at = 0; at < 100; at += 1)
    jar.store(
      page,
      Array.from({ length: 10 }, (_, index) => `c${at * 10 + index}=1; Path=/`),
    )
  expect(jar.headerFor(page)?.split('; ')).toHaveLength(20)
  const large = createCookieJar()
  large.store(
    page,
    ['a', 'b', 'c'].map((name) => `${name}=${'x'.repeat(2_000)}`),
  )
  expect(large.headerFor(page)?.length).toBeLessThan(4_096 + 20)
})

test('a change is told from what was there before', () => {
  const jar = createCookieJar()
  expect(jar.store(page, ['a=1'])).toBeTrue()
  expect(jar.store(page, ['a=1'])).toBeFalse()
  expect(jar.store(page, ['a=2'])).toBeTrue()
  expect(jar.store(page, ['a=2; Max-Age=0'])).toBeTrue()
  expect(jar.headerFor(page)).toBeUndefined()
})

const pageOf = '<p>A page that its site sends at once.</p>'
const siteMsMax = 600

/** Fetches a page of a site that answers at once. Both sides stand still where `onRequest` does. */
async function fetchFrom(read: () => Promise<boolean>, onRequest = () => {}) {
  const server = await startRawServer((socket) => {
    onRequest()
    socket.end(`HTTP/1.1 200 OK\r\nContent-Length: ${pageOf.length}\r\n\r\n${pageOf}`)
  })
  const fetcher = loopbackFetcher(server.port, {
    limits: { connectMs: siteMsMax, headersMs: siteMsMax, idleMs: siteMsMax, totalMs: siteMsMax },
  })
  try {
    return await fetcher.fetchPage(`http://127.0.0.1:${server.port}/`, {
      sink: () => ({ write: read, isUseful: () => false }),
    })
  } finally {
    await server.close()
  }
}

test('the time in which we read what has arrived is not the time of its site', async () => {
  const { truncated, bytes } = await fetchFrom(async () => {
    await Bun.sleep(2 * siteMsMax)
    return true
  })
  expect([truncated, bytes.decoded]).toEqual([false, pageOf.length])
})

test('a site is not late because our process stood still', async () => {
  const { bytes } = await fetchFrom(
    async () => true,
    () => Bun.sleepSync(2 * siteMsMax),
  )
  expect(bytes.decoded).toBe(pageOf.length)
})
