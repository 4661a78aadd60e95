import { afterAll, beforeAll, expect, test } from 'bun:test'
import { startService, type TestService } from '../support/service.ts'

/** Drawings that a client is given a minute without paying or counting, which the server's clock never ends by itself. */
const freeMax = 60

let server: TestService
beforeAll(async () => {
  server = await startService({
    env: { CACHE_MB: '0', PLAYGROUND_PER_IP_PER_DAY: '2', TRUSTED_PROXIES: '127.0.0.1', LOG_LEVEL: 'error' },
  })
  // The first home page measures its badges.
  await get('/', '192.0.2.98')
})
afterAll(() => server.stop())

async function get(path: string, address: string) {
  const headers = { 'x-forwarded-for': address }
  const response = await fetch(server.url + path, { headers })
  return { status: response.status, headers: response.headers, text: await response.text() }
}

async function statuses(path: string, address: string, calls: number): Promise<readonly number[]> {
  const found: number[] = []
  for (let call = 0; call < calls; call += 1) found.push((await get(path, address)).status)
  return found
}

/** Drawings since the start, because nothing is kept. */
async function drawings(): Promise<number> {
  return JSON.parse((await get('/api/stats', '192.0.2.99')).text).cache.misses
}

async function previewOf(page: string, address: string): Promise<string | undefined> {
  const { text } = await get(page, address)
  return /src="(\/playground\/badge[^"]+)"/.exec(text)?.[1]?.replaceAll('&amp;', '&')
}

test('a preview that was counted today is drawn again sixty times a minute, and not for others', async () => {
  const page = '/?kind=badge&label=one&value=two'
  const path = (await previewOf(page, '192.0.2.1')) ?? ''
  expect(path).not.toBe('')
  const answered = await statuses(path, '192.0.2.1', freeMax + 5)
  expect(answered).toEqual(Array.from(answered, (_, call) => (call < freeMax ? 200 : 503)))
  const refused = await get(path, '192.0.2.1')
  expect(refused.headers.get('retry-after')).toBe('60')
  expect(JSON.parse(refused.text).code).toBe('busy')
  // A preview that is counted just now is drawn, and so are those of others.
  expect(await previewOf('/?kind=badge&label=one&value=three', '192.0.2.1')).toBeDefined()
  expect((await get(path, '192.0.2.2')).status).toBe(200)
  server.clock.aheadMs += 60_000
  expect((await get(path, '192.0.2.1')).status).toBe(200)
})

test('an IPv6 network gets no more drawings from many addresses that show one preview', async () => {
  const page = '/?kind=badge&label=net&value=work'
  const before = await drawings()
  for (let subnet = 0; subnet < 0x100; subnet += 1)
    await get(page, `2001:db8:7:${subnet.toString(16).padStart(4, '0')}::1`)
  // One is counted, and a /56 has four times as much as an address.
  expect((await drawings()) - before).toBeLessThanOrEqual(1 + 4 * freeMax)
})

test('the home page draws a preview again no more often, and is written all the same', async () => {
  server.clock.aheadMs += 60_000
  const page = '/?kind=badge&label=home&value=page'
  await get(page, '192.0.2.3')
  const before = await drawings()
  const answered = await statuses(page, '192.0.2.3', freeMax + 10)
  expect(new Set(answered)).toEqual(new Set([200]))
  expect((await drawings()) - before).toBe(freeMax)
  const { text } = await get(page, '192.0.2.3')
  expect(text).toContain('Too many pictures were drawn again just now.')
  expect(text).toContain('label=home')
})

test.each(['/pictures/badge-build.svg', '/pictures/brand-saltmarsh-og.svg', '/pictures/share-home.png'])(
  'a picture of our own pages is drawn once, and again within the bound: %p',
  async (path) => {
    server.clock.aheadMs += 60_000
    const answered = await statuses(path, '192.0.2.4', freeMax + 5)
    const shown = answered.filter((status) => status === 200).length
    expect(shown).toBeGreaterThanOrEqual(freeMax)
    expect(shown).toBeLessThanOrEqual(freeMax + 1)
    expect(answered.at(-1)).toBe(503)
  },
)

test('an example of the playground draws nothing without bound', async () => {
  server.clock.aheadMs += 60_000
  const before = await drawings()
  // The empty text is nobody's card, but such a page is not kept.
  await statuses('/?kind=badge&show=', '192.0.2.5', freeMax + 10)
  expect((await drawings()) - before).toBeLessThanOrEqual(freeMax + 1)
})
