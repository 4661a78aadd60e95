import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { createHmac } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import type { KeyPair } from '../../src/client/types.ts'
import { issueKeyPair } from '../support/issue-key-pair.ts'
import { plainPng, svgOf } from '../support/pictures.ts'
import { startServer } from '../support/server.ts'
import { startService } from '../support/service.ts'
import { signAddress } from '../support/sign-address.ts'
import { started } from '../support/started.ts'
import { slowTest } from '../support/test-size.ts'
import { dropDatabaseOf, queryTestStore } from '../support/test-store.ts'
import { startPageSite } from './support/page-site.ts'
import cases from './web-pictures.json' with { type: 'json' }

const site = started(() => startPageSite({ isSecure: true }))
const server = started(() =>
  startService({ env: { ...site.env, KEY_DAILY_QUOTA: '1000', KEYS_PER_IP_PER_DAY: '100' } }),
)
let key: KeyPair
let jpeg: Buffer
let other: Buffer

beforeAll(async () => {
  jpeg = await photo(1200, 630).jpeg().toBuffer()
  other = await photo(1200, 630).negate().jpeg().toBuffer()
  site.set('/photo.jpg', picture(jpeg))
})
beforeEach(async () => {
  key = await issueKeyPair(server)
})

function photo(width: number, height: number) {
  return sharp({ create: { width, height, channels: 3, background: '#c2410c' } })
}

function picture(bytes: Uint8Array, headers: Readonly<Record<string, string>> = {}): Response {
  return new Response(bytes as Uint8Array<ArrayBuffer>, {
    headers: { 'content-type': 'image/jpeg', ...headers },
  })
}

let titles = 0
/** A card of its own, unless `rest` names its title. */
async function card(url: string, rest: Readonly<Record<string, string>> = {}, init: RequestInit = {}) {
  titles += 1
  const address = signAddress(key, { title: `Card ${titles}`, picture: url, ...rest })
  return read(await fetch(server.url + address, init))
}

async function read(response: Response) {
  const { status, headers } = response
  const body = await response.text()
  return {
    status,
    body,
    etag: headers.get('etag'),
    life: headers.get('cache-control'),
    source: headers.get('x-card-source'),
    hasPicture: body.includes('data:image/jpeg;base64,'),
  }
}

/** Sixty calls, no more at once than may wait to be decoded. */
async function inTwenties<T>(call: (n: number) => Promise<T>): Promise<readonly T[]> {
  const done: T[] = []
  while (done.length < 60)
    done.push(...(await Promise.all(Array.from({ length: 20 }, (_, n) => call(done.length + n)))))
  return done
}

async function used(): Promise<number> {
  return (await (await fetch(`${server.url}/api/usage?key=${key.key}`)).json()).used
}

async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await Bun.sleep(20)
}

const shown = {
  status: 200,
  source: 'query',
  hasPicture: true,
  life: 'public, max-age=3600, stale-while-revalidate=86400',
}
const forADay = 'public, max-age=86400, stale-while-revalidate=604800'
const left = { status: 200, source: 'query; picture=none', hasPicture: false, life: 'public, max-age=60' }

test('a picture by URL is on a signed card, is read once for all cards, and changes its ETag with its pixels', async () => {
  // Early on a day, because calls are counted by days.
  const dayMs = 86_400_000
  server.clock.aheadMs += dayMs - (server.clock.now() % dayMs) + 3_600_000
  site.set('/changing.jpg', picture(jpeg))
  const url = site.url('/changing.jpg')
  const title = 'Tides of March'
  const first = await card(url, { title })
  expect(first).toMatchObject(shown)
  expect(await card(url)).toMatchObject(shown)
  expect(await used()).toBe(2)
  const confirmed = await card(url, { title }, { headers: { 'if-none-match': first.etag ?? '' } })
  expect([confirmed.status, site.fetchesOf('/changing.jpg')]).toEqual([304, 1])
  site.set('/changing.jpg', picture(other))
  server.clock.aheadMs += 3_700_000
  await until(async () => (await card(url, { title })).etag !== first.etag)
  const changed = await card(url, { title })
  expect(changed).toMatchObject(shown)
  expect(changed.body).not.toBe(first.body)
  expect([site.fetchesOf('/changing.jpg'), await used()]).toEqual([2, 2])
})

test('a picture that has not changed is asked for by its validators, and stays', async () => {
  const answer = (headers: Headers) =>
    headers.get('if-none-match') === '"a"'
      ? new Response(null, { status: 304 })
      : picture(jpeg, { etag: '"a"' })
  site.set('/same.jpg', answer)
  const { etag } = await card(site.url('/same.jpg'), { title: 'Same' })
  server.clock.aheadMs += 3_700_000
  await until(async () => {
    expect(await card(site.url('/same.jpg'), { title: 'Same' })).toMatchObject({ ...shown, etag })
    return site.fetchesOf('/same.jpg') === 2
  })
})

const unusable: Readonly<Record<string, () => string>> = {
  'is missing': () => site.url('/missing.jpg'),
  'is a page': () => site.url('/page'),
  'is an SVG with a script': () => site.url('/script.svg'),
  'is a GIF': () => site.url('/photo.gif'),
  'is animated': () => site.url('/moving.webp'),
  'is cut off': () => site.url('/cut.jpg'),
  'has 25 megapixels': () => site.url('/large.png'),
  'is longer than 4 MiB': () => site.url('/long.jpg'),
  'is a bomb of compression': () => site.url('/bomb.jpg'),
  'redirects to a private address': () => site.url('/to-private.jpg'),
  'has a name that leads to a private address': () => `https://intern.example.com:${site.port}/photo.jpg`,
  'has no host': () => 'https://nowhere.example.org/photo.jpg',
}

describe('a card is drawn, charged and counted without a picture that', () => {
  beforeAll(async () => {
    const [moving, gif] = await Promise.all([
      sharp(Buffer.concat([Buffer.alloc(4_800, 9), Buffer.alloc(4_800, 99)]), {
        raw: { width: 40, height: 80, channels: 3, pageHeight: 40 },
      })
        .webp()
        .toBuffer(),
      photo(600, 400).gif().toBuffer(),
    ])
    site.setPage('/page', '<title>No picture</title>')
    site.set('/script.svg', picture(svgOf('<script>alert(1)</script><path d="M0 0h9v9z"/>')))
    site.set('/photo.gif', picture(gif))
    site.set('/moving.webp', picture(moving))
    site.set('/cut.jpg', picture(jpeg.subarray(0, 600)))
    site.set('/large.png', picture(plainPng(5_000, 5_001)))
    site.set('/long.jpg', picture(Buffer.alloc(4_200_000, 0xff)))
    const bomb = Bun.gzipSync(Buffer.alloc(64 * 2 ** 20))
    site.set('/bomb.jpg', picture(bomb, { 'content-encoding': 'gzip' }))
    site.set(
      '/to-private.jpg',
      new Response(null, { status: 302, headers: { location: 'https://10.0.0.1/' } }),
    )
  })

  test.each(Object.keys(unusable))('%s, and says so', async (name) => {
    expect(await card(unusable[name]?.() ?? '', { cacheSeconds: '86400' })).toMatchObject(left)
    expect(await used()).toBe(1)
  })
})

test('a source that is slow has three seconds, and so has one that goes on sending', async () => {
  const sent = new Response(
    new ReadableStream({
      async pull(controller) {
        await Bun.sleep(200)
        controller.enqueue(jpeg.subarray(0, 20))
      },
    }),
  )
  site.set('/silent.jpg', () => new Promise(() => {}))
  site.set('/drip.jpg', () => sent)
  const cards = await Promise.all([card(site.url('/silent.jpg')), card(site.url('/drip.jpg'))])
  for (const each of cards) expect(each).toMatchObject(left)
})

test('a picture of 24 megapixels is reduced to 1600 px and 400 KiB', async () => {
  const noise = { type: 'gaussian', mean: 128, sigma: 40 } as const
  const grain = await sharp({
    create: { width: 1_500, height: 1_000, channels: 3, background: '#888', noise },
  })
    .png()
    .toBuffer()
  site.set('/huge.jpg', picture(await sharp(grain).resize(6_000, 4_000).jpeg({ quality: 40 }).toBuffer()))
  const { body, ...rest } = await card(site.url('/huge.jpg'))
  expect(rest).toMatchObject(shown)
  const embedded = Buffer.from(/data:image\/jpeg;base64,([^"]+)/.exec(body)?.[1] ?? '', 'base64')
  const { width = 0, height = 0 } = await sharp(embedded).metadata()
  expect(Math.max(width, height)).toBeLessThanOrEqual(1_600)
  expect(embedded.length).toBeLessThanOrEqual(409_600)
})

function dataUrl(type: string, bytes: Buffer): string {
  return `data:image/${type};base64,${bytes.toString('base64')}`
}

const refused: readonly (readonly [name: string, url: string, status: number, code: string])[] = [
  ...(cases.refused as [name: string, url: string, status: number, code: string][]),
  ['an SVG in the query', dataUrl('svg+xml', svgOf('<path d="M0 0h9v9z"/>')), 400, 'invalid_query'],
  ['more than 8 KiB in the query', dataUrl('png', Buffer.alloc(8_200)), 400, 'invalid_query'],
]

test.each(refused)('%s is refused and never charged', async (name, url, status, code) => {
  // The other loopback addresses are private: the site is on 127.0.0.1.
  const { body, ...answer } = await card(
    name === 'a number for an address' ? url.replace('2130706433', '3232235777') : url,
  )
  expect([answer.status, JSON.parse(body).code]).toEqual([status, code])
  expect(await used()).toBe(0)
})

test('with demo=1 a picture by URL is a 400 that names it, and one in the query is on the card', async () => {
  async function demo(path: string, picture: string) {
    const query = new URLSearchParams({ title: 'Tides', picture, demo: '1' })
    return read(await fetch(`${server.url}${path}?${query}`))
  }
  for (const path of ['/api/og', '/api/og.png'])
    expect(JSON.parse((await demo(path, site.url('/photo.jpg'))).body)).toMatchObject({
      status: 400,
      errors: [{ parameter: 'picture' }],
    })
  const png = await photo(60, 40).png().toBuffer()
  const inQuery = await demo('/api/og', `data:image/png;base64,${png.toString('base64')}`)
  expect([inQuery.status, inQuery.hasPicture]).toEqual([200, true])
})

test('a key has 50 new pictures a day, also when they are asked for at once, and goes on with those it has', async () => {
  site.setOthers((path) => (path.startsWith('/of-50/') ? picture(jpeg) : new Response('', { status: 404 })))
  await card(site.url('/not-of-50'))
  const cards = await inTwenties((n) => card(site.url(`/of-50/${n}`)))
  expect(cards.every(({ status }) => status === 200)).toBe(true)
  expect(cards.filter(({ hasPicture }) => hasPicture)).toHaveLength(50)
  const asked = site.requests.length
  expect(await card(site.url('/of-50/another'))).toMatchObject(left)
  expect(site.requests).toHaveLength(asked)
  const had = cards.findIndex(({ hasPicture }) => hasPicture)
  expect(await card(site.url(`/of-50/${had}`))).toMatchObject(shown)
  server.clock.aheadMs += 86_400_000
  expect(await card(site.url('/of-50/another'))).toMatchObject(shown)
  site.setOthers(undefined)
})

test('a face is on cards that show one, from its circle, and is a parameter of no other card', async () => {
  site.set('/ada.jpg', picture(jpeg))
  const author = { title: 'Notes', author: 'Ada Lovelace', face: site.url('/ada.jpg') }
  async function signed(more: Readonly<Record<string, string>>) {
    return read(await fetch(server.url + signAddress(key, { ...author, ...more })))
  }
  const usual = await signed({})
  expect([usual.source, usual.life, site.fetchesOf('/ada.jpg')]).toEqual([null, forADay, 0])
  const { body, ...faced } = await signed({ template: 'article' })
  expect([faced.status, faced.source, site.fetchesOf('/ada.jpg')]).toEqual([200, 'query', 1])
  const png = /data:image\/png;base64,([^"]+)/.exec(body)?.[1] ?? ''
  const { data, info } = await sharp(Buffer.from(png, 'base64'))
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  const alphaAt = (x: number, y: number) => data[(y * info.width + x) * 4 + 3]
  const half = info.width / 2
  expect([info.width, alphaAt(half, half), alphaAt(2, 2), alphaAt(half, 1)]).toEqual([
    info.height,
    255,
    0,
    255,
  ])
  const missing = await signed({ template: 'article', face: site.url('/nobody.jpg') })
  expect(missing).toMatchObject(left)
  expect(missing.body).not.toContain('<image')
  const query = new URLSearchParams({ ...author, template: 'article', demo: '1' })
  const refusal = await read(await fetch(`${server.url}/api/og?${query}`))
  expect(JSON.parse(refusal.body)).toMatchObject({ status: 400, errors: [{ parameter: 'face' }] })
  query.set('face', `data:image/jpeg;base64,${(await photo(60, 40).jpeg().toBuffer()).toString('base64')}`)
  expect((await read(await fetch(`${server.url}/api/og?${query}`))).body).toContain('data:image/png;base64,')
})

test('the layout of a card says which picture it lacks', async () => {
  const query = { title: 'Notes', template: 'article', author: 'Ada', face: site.url('/nobody.jpg') }
  const timestamp = Math.floor(server.clock.now() / 1000)
  const sig = createHmac('sha256', key.secret).update(`${timestamp}.GET /api/og.json`).digest('hex')
  const signed = new URLSearchParams({ ...query, key: key.key, t: String(timestamp), sig })
  const { source, body } = await read(await fetch(`${server.url}/api/og.json?${signed}`))
  const { warnings }: { warnings: readonly { code: string; parameter: string }[] } = JSON.parse(body)
  const faults = warnings.map(({ code, parameter }) => `${code} ${parameter}`)
  expect([source, faults]).toEqual(['query; picture=none', expect.arrayContaining(['picture_missing face'])])
})

test('a picture that is gone is shown for 30 days, and no longer', async () => {
  site.set('/leaving.jpg', picture(jpeg))
  const url = site.url('/leaving.jpg')
  expect(await card(url)).toMatchObject(shown)
  site.remove('/leaving.jpg')
  server.clock.aheadMs += 3_700_000
  await until(async () => {
    expect(await card(url)).toMatchObject(shown)
    return site.fetchesOf('/leaving.jpg') === 2
  })
  server.clock.aheadMs += 29 * 86_400_000
  expect(await card(url)).toMatchObject(shown)
  server.clock.aheadMs += 2 * 86_400_000
  expect(await card(url)).toMatchObject(left)
})

describe('the card of a page', () => {
  const person = { '@type': 'Person', name: 'Ada Lovelace', image: '/ada.png' }
  const article = { '@context': 'https://schema.org', '@type': 'Article', author: person }

  async function pageCard(query: Readonly<Record<string, string>>) {
    const address = signAddress(key, { page: site.url('/article'), ...query }, { asset: 'card' })
    return read(await fetch(server.url + address))
  }

  beforeAll(async () => {
    const ld = `<script type="application/ld+json">${JSON.stringify(article)}</script>`
    site.setPage('/article', `<title>Notes</title>${ld}<p>Text</p>`)
    site.set('/ada.png', picture(await photo(90, 90).png().toBuffer()))
  })

  test('shows a picture that its caller names, and is drawn without one that cannot be had', async () => {
    expect(await pageCard({ picture: site.url('/photo.jpg') })).toMatchObject({ ...shown, source: 'page' })
    const without = { ...left, source: 'page; picture=none' }
    expect(await pageCard({ picture: site.url('/missing.jpg') })).toMatchObject(without)
    expect((await pageCard({ picture: 'https://10.0.0.1/a.jpg' })).status).toBe(403)
    expect(await used()).toBe(2)
    const urls = { page: site.url('/article'), picture: site.url('/photo.jpg') }
    const query = new URLSearchParams({ ...urls, demo: '1' })
    expect((await fetch(`${server.url}/api/card?${query}`)).status).toBe(400)
  })

  test('shows the face that the page names, another one, or none', async () => {
    const faces = ['page', site.url('/photo.jpg'), 'none', site.url('/missing.jpg')]
    const cards = await Promise.all(faces.map((face) => pageCard({ template: 'article', face })))
    const hasPicture = cards.map(({ body }) => body.includes('data:image/png;base64,'))
    expect(hasPicture).toEqual([true, true, false, false])
    expect(cards.map(({ source }) => source)).toEqual(['page', 'page', 'page', 'page; picture=none'])
    expect((await pageCard({})).body).not.toContain('<image')
  })

  test('by a site id shows what the page names alone', async () => {
    const ofSite = await (await fetch(`${server.url}/api/key?hosts=harbour.example.com`)).json()
    const asked = site.requests.length
    const named = { picture: site.url('/never.jpg'), face: site.url('/never.jpg'), template: 'article' }
    const query = new URLSearchParams({ site: ofSite.site, page: site.url('/article'), ...named })
    const { status } = await read(await fetch(`${server.url}/api/card?${query}`))
    expect([status, site.fetchesOf('/never.jpg')]).toEqual([200, 0])
    expect(site.requests.length).toBeLessThan(asked + 10)
  })
})

describe('servers that share a database', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'mintmark-pictures-'))
  const env = () => ({ ...site.env, KEY_DAILY_QUOTA: '1000', KEYS_PER_IP_PER_DAY: '100' })
  const servers = [
    started(() => startService({ env: env(), dataDir })),
    started(() => startService({ env: env(), dataDir })),
  ] as const
  afterAll(async () => {
    await dropDatabaseOf(dataDir)
    rmSync(dataDir, { recursive: true, force: true })
  })

  async function cardOf({ url }: { readonly url: string }, pair: KeyPair, name: string) {
    return read(await fetch(url + signAddress(pair, { title: name, picture: site.url(name) })))
  }

  test('have what one of them has read, and count the new ones together', async () => {
    const [one, other] = servers
    const pair = await issueKeyPair(one)
    site.setOthers((path) =>
      path.startsWith('/shared/') ? picture(jpeg) : new Response('', { status: 404 }),
    )
    const first = await cardOf(one, pair, '/shared/first')
    const stored = 'select digest from web_pictures'
    await until(async () => (await queryTestStore(join(dataDir, 'mintmark.sqlite'), stored)).length === 1)
    expect(await cardOf(other, pair, '/shared/first')).toMatchObject({ ...shown, etag: first.etag })
    expect(site.fetchesOf('/shared/first')).toBe(1)
    const cards = await inTwenties((n) => cardOf(n % 2 === 0 ? one : other, pair, `/shared/${n}`))
    expect(cards.filter(({ hasPicture }) => hasPicture)).toHaveLength(49)
    site.setOthers(undefined)
  })

  slowTest('go on where one is killed between reading a picture and storing it', async () => {
    site.set('/killed.jpg', picture(jpeg))
    const doomed = await startServer({ env: env(), dataDir })
    const pair = await issueKeyPair(doomed)
    expect(await cardOf(doomed, pair, '/killed.jpg')).toMatchObject(shown)
    await doomed.stop('SIGKILL')
    expect(await cardOf(servers[0], pair, '/killed.jpg')).toMatchObject(shown)
    expect(site.fetchesOf('/killed.jpg')).toBeLessThanOrEqual(2)
  })
})
