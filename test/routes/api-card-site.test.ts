import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { embedUrl } from '../../src/client/embed-url.ts'
import { eventually } from '../support/eventually.ts'
import { startService } from '../support/service.ts'
import { started } from '../support/started.ts'
import { queryTestStore } from '../support/test-store.ts'
import { startPageSite } from './support/page-site.ts'

const site = started(startPageSite)
const server = started(() =>
  startService({
    env: { ...site.env, KEY_DAILY_QUOTA: '40', KEYS_PER_IP_PER_DAY: '1000', TRUSTED_PROXIES: '127.0.0.1' },
  }),
)

interface Pair {
  readonly id: string
  readonly secret: string
  readonly site: string
}

let names = 0
/** A key with a host of its own, so that no test reads what another one has read. */
async function newSite() {
  names += 1
  const host = `site-${names}.example.com`
  const pair: Pair = await (await fetch(`${server.url}/api/key?hosts=${host}`)).json()
  return { host, pair, on: (path: string) => site.url(path, host) }
}

function address(pair: Pair, page: string, rest: Readonly<Record<string, string>> = {}, end = '') {
  return `${server.url}/api/card${end}?${new URLSearchParams({ site: pair.site, page, ...rest })}`
}

async function card(url: string, headers: Readonly<Record<string, string>> = {}) {
  const response = await fetch(url, { headers })
  const body = await response.text()
  return {
    response,
    body,
    status: response.status,
    source: response.headers.get('x-card-source'),
    title: /<title[^>]*>([^<]*)</.exec(body)?.[1],
  }
}

function titled(title: string, head = ''): string {
  return `<!doctype html><html lang="en"><title>${title}</title>${head}<h1>${title}</h1><p>Text.</p>`
}

function query<Row extends object>(sql: string) {
  return queryTestStore<Row>(join(server.dataDir, 'mintmark.sqlite'), sql)
}

async function usedOf(bucket: string): Promise<number> {
  const [row] = await query<{ used: number | string }>(
    `select coalesce(sum(used), 0) as used from usage_days where bucket = '${bucket}'`,
  )
  return Number(row?.used)
}

describe('a card by the public id of a site', () => {
  test('is drawn unsigned, counts once in a bucket of its own, and leaves the key’s quota alone', async () => {
    const { pair, on } = await newSite()
    site.setPage('/tides', titled('Tides of March'))
    const first = await card(address(pair, on('/tides')))
    expect([first.status, first.source, first.title]).toEqual([200, 'page', 'Tides of March'])
    expect(first.response.headers.get('x-auth-mode')).toBe('key')
    const expected = 'public, max-age=3600, stale-while-revalidate=86400'
    expect(first.response.headers.get('cache-control')).toBe(expected)
    for (const rest of [{}, { size: 'square' }, { format: 'png', width: '600' }] as Record<string, string>[])
      expect((await card(address(pair, on('/tides#part'), rest))).status).toBe(200)
    const etag = first.response.headers.get('etag') ?? ''
    expect((await card(address(pair, on('/tides')), { 'if-none-match': etag })).status).toBe(304)
    expect((await fetch(address(pair, on('/tides')), { method: 'HEAD' })).status).toBe(200)
    expect([await usedOf(`site:${pair.id}`), await usedOf(`key:${pair.id}`)]).toEqual([1, 0])
    expect(site.fetchesOf('/tides')).toBe(1)
  })

  test('is of the page that the canonical link names, else of the address without query and fragment', async () => {
    const { pair, on } = await newSite()
    site.setPage('/post', titled('The post', `<link rel="canonical" href="${on('/post')}">`))
    for (const path of ['/post?from=mail', '/post?from=feed'])
      site.setPage(path, titled(`Words of ${path}`, `<link rel="canonical" href="${on('/post')}">`))
    site.setPage('/plain', titled('Plain'))
    for (const path of ['/plain?q=buy-now', '/plain?q=evil']) site.setPage(path, titled(`Results: ${path}`))
    const asked = '/post /post?from=mail /post?from=feed /plain?q=buy-now /plain?q=evil /plain'.split(' ')
    const bodies = []
    for (const path of asked) {
      const { status, title, body } = await card(address(pair, on(path)))
      expect([path, status, title]).toEqual([path, 200, path.startsWith('/post') ? 'The post' : 'Plain'])
      bodies.push(body)
    }
    expect([new Set(bodies).size, await usedOf(`site:${pair.id}`)]).toEqual([2, 2])
  })

  test('never follows canonical links that point at each other, or elsewhere', async () => {
    const { pair, on } = await newSite()
    site.setPage('/one', titled('One', `<link rel="canonical" href="${on('/two')}">`))
    site.setPage('/two', titled('Two', `<link rel="canonical" href="${on('/one')}">`))
    site.setPage('/away', titled('Away', '<link rel="canonical" href="https://www.example.net/">'))
    for (const path of ['/one', '/two', '/one', '/away'])
      expect((await card(address(pair, on(path)))).status).toBe(200)
    expect((await card(address(pair, on('/away')))).title).toBe('Away')
    expect([site.fetchesOf('/one'), site.fetchesOf('/two')]).toEqual([1, 1])
    expect(await usedOf(`site:${pair.id}`)).toBe(3)
  })

  test('has the look of the key, and a stranger chooses among few pictures', async () => {
    const { pair, on } = await newSite()
    site.setPage('/look', titled('Look'))
    const plain = await card(address(pair, on('/look')))
    const others = { theme: 'terminal', scheme: 'dark', accent: 'bogus', title: 'Mine', lang: '!', logo: 'x' }
    const tried = await card(address(pair, on('/look'), { ...others, width: '601', cacheSeconds: '9e9' }))
    expect([tried.status, tried.body]).toEqual([200, plain.body])
    await query(
      `update keys set look = '{"theme":"terminal","scheme":"neon"}', revision = revision + 1 where id = '${pair.id}'`,
    )
    const changed = await eventually(async () => {
      const other = await card(address(pair, on('/look')))
      return other.body !== plain.body && other
    })
    expect(changed.title).toBe('Look')
  })

  test('has the template that fits the page, and the usual one where the key is of before templates', async () => {
    const [now, before] = [await newSite(), await newSite()]
    await query(`update keys set look = '{}', revision = revision + 1 where id = '${before.pair.id}'`)
    const head = '<meta name="author" content="Ann Lee"><meta name="date" content="2026-05-17">'
    for (const [{ pair, on }, template] of [
      [now, 'article'],
      [before, null],
    ] as const) {
      site.setPage('/dated', titled('Tides', head))
      const { response, status } = await card(address(pair, on('/dated'), { template: 'quote' }))
      expect([status, response.headers.get('x-card-template')]).toEqual([200, template])
    }
  })

  test('is only of pages on the hosts of the key, before and after redirects', async () => {
    const { pair, on, host } = await newSite()
    site.set(
      '/leave',
      new Response('', { status: 302, headers: { location: site.url('/there', 'other.example.com') } }),
    )
    site.setPage('/there', titled('Elsewhere'))
    const outside = [
      site.url('/there', 'other.example.com'),
      `http://${host}.example.net/`,
      'https://example.com/',
    ]
    for (const page of [...outside, on('/leave'), on('/leave')]) {
      const { status, body } = await card(address(pair, page))
      expect([page, status, JSON.parse(body).code]).toEqual([page, 403, 'host_not_allowed'])
    }
    site.setPage('/', titled('Home'))
    expect((await card(address(pair, site.url('/', `www.${host}`)))).title).toBe('Home')
    expect(await usedOf(`site:${pair.id}`)).toBe(1)
  })

  test('counts nothing for a page that is not there, and all such pages of a host are one picture', async () => {
    const { pair, on, host } = await newSite()
    const bodies = []
    for (const path of ['/none', '/none?a=1', '/nothing']) {
      const { status, source, body, response } = await card(address(pair, on(path)))
      expect([status, source]).toEqual([200, 'fallback'])
      expect(response.headers.get('cache-control')).toBe('public, max-age=60')
      bodies.push(body)
    }
    bodies.push((await card(address(pair, site.url('/none', `a.${host}`)))).body)
    expect([new Set(bodies).size, await usedOf(`site:${pair.id}`)]).toEqual([1, 0])
  })

  test('shows the operator the pages that visitors asked for in vain, apart from those that are kept', async () => {
    const { pair, on, host } = await newSite()
    site.setPage('/there', titled('There'))
    for (const path of ['/gone', '/there', '/late']) await card(address(pair, on(path)))
    async function kinds() {
      const rows = await query<{ url: string; kind: string }>(
        `select url, kind from web_sources where url like '%${host}%' order by url`,
      )
      return rows.map(({ url, kind }) => [new URL(url).pathname, kind])
    }
    const unread = [
      ['/gone', 'unread_page'],
      ['/late', 'unread_page'],
      ['/there', 'page'],
    ]
    await eventually(async () => (await kinds()).length === unread.length)
    expect(await kinds()).toEqual(unread)
  })

  test('is refused in words where the site is unknown, revoked or stands beside a signature', async () => {
    const { pair, on } = await newSite()
    site.setPage('/refused', titled('Refused'))
    for (const id of ['ms_2345678abcdefghj', 'ms_', pair.id, '']) {
      const { status, body } = await card(address({ ...pair, site: id }, on('/refused')))
      expect([id, status, JSON.parse(body).errors[0].parameter]).toEqual([id, 400, 'site'])
    }
    const seconds = Math.floor(Date.now() / 1000)
    const signed = { key: pair.id, t: String(seconds), sig: 'a'.repeat(64) }
    const both = await card(address(pair, on('/refused'), signed))
    expect([both.status, JSON.parse(both.body).errors[0].parameter]).toEqual([400, 'site'])
    expect((await card(address(pair, on('/refused')))).status).toBe(200)
    await query(`update keys set revoked_at_ms = 1, revision = revision + 1 where id = '${pair.id}'`)
    const refused = await eventually(async () => {
      const { status } = await card(address(pair, on('/refused')))
      return status !== 200 && status
    })
    expect(refused).toBe(402)
  })

  test('is counted as shared where crawlers of networks fetch it', async () => {
    const { pair, on } = await newSite()
    site.setPage('/shared', titled('Shared'))
    const crawler = { 'user-agent': 'facebookexternalhit/1.1' }
    for (let count = 0; count < 2; count += 1) await card(address(pair, on('/shared')), crawler)
    const rows = await eventually(async () => {
      const found = await query<{ title: string; count: number }>(
        `select title, count from shared_cards where key_id = '${pair.id}'`,
      )
      return Number(found[0]?.count) >= 2 && found
    })
    expect(rows.map(({ title, count }) => [title, Number(count)])).toEqual([['Shared', 2]])
  })
})

describe('a stranger with a script', () => {
  test('has a site read at most 30 times a minute, and leaves what its owner signs', async () => {
    const { pair, on, host } = await newSite()
    site.setPage('/kept', titled('Kept'))
    expect((await card(address(pair, on('/kept')))).source).toBe('page')
    const before = site.requests.length
    const invented = Array.from({ length: 300 }, (_, n) =>
      n % 3 === 0
        ? on(`/invented-${n}`)
        : n % 3 === 1
          ? on(`/kept?x=${n}`)
          : site.url(`/kept`, `n${n}.${host}`),
    )
    const answers = await Promise.all(invented.map((page) => card(address(pair, page))))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    expect(site.requests.length - before).toBeLessThanOrEqual(30)
    expect((await card(address(pair, on('/kept')))).source).toBe('page')
    const key = { key: pair.id, secret: pair.secret }
    const signed = await embedUrl(`${server.url}/api/og`, { title: 'Mine' }, key)
    expect([(await fetch(signed)).status, await usedOf(`key:${pair.id}`)]).toEqual([200, 1])
    const used = await usedOf(`site:${pair.id}`)
    expect(used).toBeLessThanOrEqual(31)
  })

  test('uses up no more than the quota of the site, which crawlers of previews still get past', async () => {
    const { pair, on } = await newSite()
    await query(`update keys set daily_quota = 2, revision = revision + 1 where id = '${pair.id}'`)
    for (const path of ['/q-1', '/q-2', '/q-3', '/q-4']) site.setPage(path, titled(path))
    const statuses = []
    for (const path of ['/q-1', '/q-2', '/q-3', '/q-1'])
      statuses.push((await card(address(pair, on(path)))).status)
    expect(statuses).toEqual([200, 200, 402, 200])
    const crawler = { 'user-agent': 'facebookexternalhit/1.1' }
    expect((await card(address(pair, on('/q-3')), crawler)).status).toBe(200)
    expect([await usedOf(`site:${pair.id}`), await usedOf(`over:${pair.site}`)]).toEqual([2, 1])
  })
})
