import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { signUrl } from '../../src/client/sign-url.ts'
import { operatorPassword } from '../admin/support/admin-server.ts'
import { logIn } from '../admin/support/operator.ts'
import { form, temporaryBrands } from '../brands/support/temporary-brands.ts'
import { eventually } from '../support/eventually.ts'
import { startService } from '../support/service.ts'
import { signEmbed } from '../support/sign-embed.ts'
import { started } from '../support/started.ts'

const server = started(() => startService({ env: { ADMIN_PASSWORD: operatorPassword } }))
const operator = started(() => logIn(server))

type Key = Awaited<ReturnType<typeof operator.createKey>>

function pairOf({ id, secret }: Key) {
  return { key: id, secret }
}

function nowSeconds(): number {
  return Math.floor(server.clock.now() / 1000)
}

function timestamped(key: Key, target: string): Promise<string> {
  return signUrl(server.url + target, pairOf(key))
}

function embedded(key: Key, target: string, seconds = 90 * 86_400): Promise<string> {
  const { origin, pathname, searchParams } = new URL(target, server.url)
  return signEmbed(origin + pathname, Object.fromEntries(searchParams), pairOf(key), nowSeconds() + seconds)
}

async function ask(url: string, headers: Record<string, string> = {}, method = 'GET') {
  const response = await fetch(url, { method, headers: { 'accept-encoding': 'identity', ...headers } })
  const { status } = response
  await response.arrayBuffer()
  return { status, etag: response.headers.get('etag'), cache: response.headers.get('cache-control') }
}

/** The statuses of GET and HEAD to somebody who has the picture, by its name and by any. */
async function statusesAgain(url: string, etag: string): Promise<readonly number[]> {
  const statuses: number[] = []
  for (const method of ['GET', 'HEAD'])
    for (const known of [etag, '*', `W/${etag}`])
      statuses.push((await ask(url, { 'if-none-match': known }, method)).status)
  return statuses
}

function all(status: number) {
  return Array.from({ length: 6 }, () => status)
}

const pictures = [
  '/api/og?title=Kept',
  '/api/og.png?title=Kept&width=300',
  '/api/transform?kind=badge&value=Kept',
  '/api/avatar?name=Kept&format=png',
]

describe.each([
  ['t', timestamped],
  ['exp', embedded],
] as const)('a copy of what was signed with %s', (_, sign) => {
  test.each(pictures)(
    'of %s is confirmed uncounted while the key is good, and never afterwards',
    async (target) => {
      const key = await operator.createKey()
      const url = await sign(key, target)
      const first = await ask(url)
      const etag = first.etag ?? ''
      expect(await statusesAgain(url, etag)).toEqual(all(304))
      expect(await (await fetch(`${server.url}/api/usage?key=${key.id}`)).json()).toMatchObject({ used: 1 })
      expect((await ask(url, { 'if-none-match': etag })).cache).toBe(first.cache)

      const last = url.at(-1) === '0' ? '1' : '0'
      expect(await statusesAgain(url.slice(0, -1) + last, etag)).toEqual(all(402))
      await operator.post(`${key.path}/revoke`)
      expect(await statusesAgain(url, etag)).toEqual(all(402))
      await operator.post(`${key.path}/restore`)
      expect(await statusesAgain(url, etag)).toEqual(all(304))
      await operator.post(`${key.path}/rotate`, { overlap: '0', leaked: '1' })
      expect(await statusesAgain(url, etag)).toEqual(all(402))
    },
  )
})

test('a copy of what everybody may have is confirmed without credentials', async () => {
  for (const target of pictures) {
    const etag = (await ask(`${server.url}${target}&demo=1`)).etag ?? ''
    for (const query of ['', '&demo=1'])
      expect(await statusesAgain(server.url + target + query, etag)).toEqual(all(304))
  }
})

test('a copy signed for a time that is over is not confirmed', async () => {
  const key = await operator.createKey()
  const etag = (await ask(`${server.url}/api/og?title=Over&demo=1`)).etag ?? ''
  expect(await statusesAgain(await embedded(key, '/api/og?title=Over', -1), etag)).toEqual(all(402))
  const old = await signUrl(`${server.url}/api/og?title=Over`, pairOf(key), { t: nowSeconds() - 400 })
  expect(await statusesAgain(old, etag)).toEqual(all(402))
})

test('a forged signature under the id of a chosen key learns of a private brand what a stranger learns', async () => {
  const { brands } = await temporaryBrands({ path: join(server.dataDir, 'mintmark.sqlite') })
  await brands.save(form({ name: 'secret', slug: 'secret', access: 'keys' }))
  const [chosen, other] = [await operator.createKey(), await operator.createKey()]
  await operator.post(`/admin/keys/${chosen.id}/brands`, { slug: 'secret' })
  const target = '/api/og?title=a&brand=secret'
  const url = await embedded(chosen, target)
  const first = await eventually(async () => {
    const answer = await ask(url)
    return answer.status === 200 && answer
  })
  expect(await statusesAgain(url, first.etag ?? '')).toEqual(all(304))
  const forgeries = [
    [await embedded({ ...chosen, secret: other.secret }, target), 402],
    [await timestamped({ ...chosen, secret: other.secret }, target), 402],
    [await embedded({ ...other, secret: chosen.secret }, target), 402],
    [await embedded(other, target), 403],
    [`${server.url}${target}`, 403],
    [`${server.url}${target}&demo=1`, 403],
  ] as const
  for (const [forged, status] of forgeries) {
    expect(await statusesAgain(forged, first.etag ?? '')).toEqual(all(status))
    for (const accept of ['*/*', 'image/*']) {
      const response = await fetch(forged, { headers: { accept, 'if-none-match': '*' } })
      const [told, same] = [
        await response.text(),
        await (await fetch(forged, { headers: { accept } })).text(),
      ]
      const { headers } = response
      expect([headers.get('etag'), headers.get('x-auth-mode'), told]).toEqual([null, null, same])
    }
  }
})

describe('no answer is fresh for longer than the right to it', () => {
  /** The parts of a Cache-Control, with numbers for numbers. */
  function partsOf(cache: string | null): Readonly<Record<string, number | true>> {
    const parts = (cache ?? '').split(', ').map((part) => part.split('='))
    return Object.fromEntries(
      parts.map(([name, value]) => [name, value === undefined ? true : Number(value)]),
    )
  }

  test.each([
    [10, '', undefined],
    [3_600, '', undefined],
    [86_400 + 3_600, '', 86_400],
    [3_600, '&cacheSeconds=60', 60],
    [40 * 86_400, '', 86_400],
    [40 * 86_400, '&cacheSeconds=31536000', undefined],
  ])('signed for %s s%s', async (seconds, query, freshSeconds) => {
    const key = await operator.createKey()
    const url = await embedded(key, `/api/og?title=Fresh${query}`, seconds)
    const first = await ask(url)
    const answers = [first, await ask(url), await ask(url, {}, 'HEAD')]
    for (const method of ['GET', 'HEAD'])
      answers.push(await ask(url, { 'if-none-match': first.etag ?? '' }, method))
    for (const { cache } of answers) {
      const { public: isPublic, 'max-age': fresh = 0, 'stale-while-revalidate': stale = 0 } = partsOf(cache)
      expect(isPublic).toBe(true)
      expect(Number(fresh) + Number(stale)).toBeLessThanOrEqual(seconds)
      expect(stale === 0).toBe(!String(cache).includes('stale'))
      if (freshSeconds !== undefined) expect(fresh).toBe(freshSeconds)
      else expect(seconds - Number(fresh)).toBeLessThan(20)
      expect(stale).toBe(Math.min(604_800, Number(stale)))
    }
  })

  test('signed with t it is for its caller, for five minutes, whatever cacheSeconds says', async () => {
    const key = await operator.createKey()
    for (const query of ['', '&cacheSeconds=60', '&cacheSeconds=31536000', '&demo=1']) {
      const url = await timestamped(key, `/api/og?title=Now${query}`)
      const first = await ask(url)
      const again = await ask(url, { 'if-none-match': first.etag ?? '' })
      for (const { cache } of [first, again, await ask(url, {}, 'HEAD')])
        expect(cache).toBe('private, max-age=300')
      expect(again.status).toBe(304)
    }
  })

  test('a live answer too', async () => {
    const key = await operator.createKey()
    const target = '/api/sitemap?domain=example.com&crawl=0'
    const { 'max-age': short } = partsOf((await ask(await embedded(key, target, 60))).cache)
    expect(Number(short)).toBeLessThanOrEqual(60)
    expect((await ask(await embedded(key, target))).cache).toBe('private, max-age=300')
    expect((await ask(await timestamped(key, target))).cache).toBe('private, max-age=300')
  })
})
