import { beforeAll, describe, expect, test } from 'bun:test'
import sharp from 'sharp'
import { startService } from '../support/service.ts'
import { started } from '../support/started.ts'
import { sampleOf, slowTest } from '../support/test-size.ts'
import { startPageSite } from './support/page-site.ts'

const site = started(startPageSite)
/** Reached only where the fetcher goes where it must not. */
const forbidden = started(startPageSite)
const server = started(() => startService({ env: site.env }))
beforeAll(async () => {
  for (const [path, type] of [
    ['/large.jpg', 'jpeg'],
    ['/large.png', 'png'],
    ['/large.webp', 'webp'],
    ['/large.gif', 'gif'],
  ] as const)
    site.set(path, picture(await photo(1200, 630).toFormat(type).toBuffer(), `image/${type}`))
  site.set('/small.png', picture(await photo(200, 100).png().toBuffer(), 'image/png'))
})

function photo(width: number, height: number) {
  return sharp({ create: { width, height, channels: 3, background: '#c2410c' } })
}

function picture(bytes: Uint8Array, type: string): Response {
  return new Response(bytes as Uint8Array<ArrayBuffer>, { headers: { 'content-type': type } })
}

async function card(path: string, rest: Readonly<Record<string, string>> = {}) {
  const query = new URLSearchParams({ page: site.url(path), demo: '1', picture: 'page', ...rest })
  const response = await fetch(`${server.url}/api/card?${query}`)
  const body = await response.text()
  return { status: response.status, source: response.headers.get('x-card-source'), body, response }
}

function hasPicture(body: string): boolean {
  return body.includes('data:image/jpeg;base64,')
}

let pages = 0
function newPage(markup: string): string {
  pages += 1
  site.setPage(`/page-${pages}`, `<title>Tides of March</title>${markup}`)
  return `/page-${pages}`
}

function named(address: string): string {
  return newPage(`<meta property="og:image" content="${address}">`)
}

test.each(sampleOf(['/large.jpg', '/large.png', '/large.webp'], 3))(
  '%s that a page names is on its card',
  async (file) => {
    const { status, source, body } = await card(named(file))
    expect([status, source, hasPicture(body)]).toEqual([200, 'page', true])
  },
)

test('without being asked for, no picture is read', async () => {
  const before = site.fetchesOf('/large.jpg')
  const { source, body } = await card(named('/large.jpg?unasked'), { picture: 'none' })
  expect([source, hasPicture(body), site.fetchesOf('/large.jpg')]).toEqual(['page', false, before])
})

test('a picture is read once for all cards', async () => {
  site.set('/once.jpg', picture(await photo(1200, 630).jpeg().toBuffer(), 'image/jpeg'))
  const path = named('/once.jpg')
  await Promise.all(Array.from({ length: 50 }, () => card(path)))
  await card(path, { theme: 'paper' })
  expect(site.fetchesOf('/once.jpg')).toBe(1)
})

test('a picture that several pages name is read once for all of them', async () => {
  site.set('/shared.jpg', picture(await photo(1200, 630).jpeg().toBuffer(), 'image/jpeg'))
  for (const page of [named('/shared.jpg'), named('/shared.jpg')]) {
    const { source, body } = await card(page)
    expect([source, hasPicture(body)]).toEqual(['page', true])
  }
  expect(site.fetchesOf('/shared.jpg')).toBe(1)
})

test('a picture that changes changes the card and its ETag', async () => {
  site.set('/changing.jpg', picture(await photo(1200, 630).jpeg().toBuffer(), 'image/jpeg'))
  const path = named('/changing.jpg')
  const { response } = await card(path)
  const etag = response.headers.get('etag')
  const other = await photo(1200, 630).tint('#00ff00').negate().jpeg().toBuffer()
  site.set('/changing.jpg', picture(other, 'image/jpeg'))
  server.clock.aheadMs += 3_700_000
  await card(path)
  while ((await card(path)).response.headers.get('etag') === etag) await Bun.sleep(20)
  expect(hasPicture((await card(path)).body)).toBe(true)
})

const unusable: Readonly<Record<string, () => string>> = {
  'is missing': () => '/missing.jpg',
  'is small': () => '/small.png',
  'is animated or of another kind': () => '/large.gif',
  'is a page': () => '/',
  'lies in a private network': () => 'http://10.0.0.1/large.jpg',
  'lies at the address of cloud metadata': () => 'http://169.254.169.254/large.jpg',
  'lies at a port that is not fetched from': () => forbidden.url('/large.jpg'),
  'lies at the service itself': () => `${server.url}/api/og.png?title=a&demo=1`,
  'is reached by a redirect into a private network': () => '/redirect.jpg',
  'is longer than 4 MiB': () => '/long.jpg',
  'is a bomb': () => '/bomb.png',
  'is cut off': () => '/cut.jpg',
}

describe('a card is drawn without a picture that', () => {
  beforeAll(async () => {
    site.set('/redirect.jpg', new Response(null, { status: 302, headers: { location: 'http://10.0.0.1/' } }))
    site.set('/long.jpg', picture(Buffer.alloc(4_200_000, 0xff), 'image/jpeg'))
    const bomb = sharp({ create: { width: 16_000, height: 16_000, channels: 3, background: '#000' } })
    site.set('/bomb.png', picture(await bomb.png().toBuffer(), 'image/png'))
    const whole = await photo(1200, 630).jpeg().toBuffer()
    site.set('/cut.jpg', picture(whole.subarray(0, 600), 'image/jpeg'))
  })

  test.each(Object.keys(unusable))('%s, and says so', async (name) => {
    const { status, source, body } = await card(named(unusable[name]?.() ?? ''))
    expect([status, source, hasPicture(body)]).toEqual([200, 'page; picture=none', false])
    expect(forbidden.requests).toEqual([])
  })
})

slowTest('the first large picture of the article is on the card of a page that names none', async () => {
  const { source, body } = await card(
    newPage(`<aside><img src="/large.jpg?aside" width=900 height=600></aside><article>
      <img src="/large.jpg?icon" width=64 height=64><p>Text</p><img src="/missing.jpg"><img src="/large.png"></article>`),
  )
  expect([source, hasPicture(body)]).toEqual(['page', true])
  expect(site.fetchesOf('/large.jpg?aside') + site.fetchesOf('/large.jpg?icon')).toBe(0)
})

test.each([
  '/api/card.png?page=https%3A%2F%2Fexample.com%2F&demo=1',
  '/mint/i/card/mk_23456789abcdefgh/cGFnZT1h/0123456789abcdef0123456789abcdef.png',
  `/og/${'0123456789abcdef'.repeat(2)}.png`,
])('a card that was drawn by us is no picture of its page: %s', async (address) => {
  const { source } = await card(named(address))
  expect([source, site.fetchesOf(address)]).toEqual(['page; picture=none', 0])
})
