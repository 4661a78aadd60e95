import { afterEach, describe, expect, test } from 'bun:test'
import { startService, type TestService } from '../support/service.ts'
import { started } from '../support/started.ts'
import { sampleOf, sampleSize, slowTest } from '../support/test-size.ts'
import { queryTestStore } from '../support/test-store.ts'
import { startPageSite } from './support/page-site.ts'

const slackbot = 'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)'
const slack = '203.0.113.77'
const stranger = '198.51.100.1'
const minuteMs = 60_000

const site = started(startPageSite)
const service = started(() =>
  startService({ env: { ...site.env, KEYS_PER_IP_PER_DAY: '1000', TRUSTED_PROXIES: '127.0.0.1' } }),
)
afterEach(() => {
  site.setOthers(undefined)
  for (const path of ['/', '/sitemap.xml', '/robots.txt']) site.remove(path)
  service.clock.aheadMs += 2 * minuteMs
})

let names = 0
/** A key with a host of its own on the service. */
async function newSite({ url }: Pick<TestService, 'url'> = service) {
  names += 1
  const host = `budget-${names}.example.com`
  const pair: { readonly id: string; readonly site: string } = await (
    await fetch(`${url}/api/key?hosts=${host}`)
  ).json()
  const on = (path: string) => site.url(path, host)
  async function ask(page: string, address?: string, userAgent = slackbot) {
    const headers = { 'user-agent': userAgent, ...(address !== undefined && { 'x-forwarded-for': address }) }
    const query = new URLSearchParams({ site: pair.site, page })
    const response = await fetch(`${url}/api/card?${query}`, { headers })
    await response.arrayBuffer()
    return response.status === 200 ? response.headers.get('x-card-source') : response.status
  }
  return {
    pair,
    host,
    on,
    ask,
    /** How many of these pages are shown to this address. */
    async shown(pages: readonly string[], address?: string) {
      const answers = []
      for (const page of pages) answers.push(await ask(page, address))
      return answers.filter((answer) => answer === 'page').length
    },
  }
}

function page(title: string, body = ''): Response {
  const markup = `<!doctype html><html lang="en"><title>${title}</title><h1>${title}</h1><p>Text.</p>${body}`
  return new Response(markup, { headers: { 'content-type': 'text/html; charset=utf-8' } })
}

function sitemapOf(urls: readonly string[]): Response {
  const entries = urls.map((url) => `<url><loc>${url}</loc></url>`).join('')
  return new Response(
    `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${entries}</urlset>`,
    { headers: { 'content-type': 'application/xml' } },
  )
}

/** So many pages that nobody names. */
function invented(on: (path: string) => string, count: number, name = 'invented'): readonly string[] {
  return Array.from({ length: count }, (_, index) => on(`/${name}-${index}`))
}

/** Lists of what a site names are read in the background. */
async function fetchedSince(count: number, path: string): Promise<void> {
  while (site.fetchesOf(path) <= count) await Bun.sleep(5)
}

describe('the unknown pages of a site', () => {
  test('that do not exist are given back to the site: a stranger who asks for many costs others nothing', async () => {
    const { on, ask, shown } = await newSite()
    const before = site.requests.length
    expect(await shown(invented(on, sampleSize(200, 60)), stranger)).toBe(0)
    expect(site.requests.length - before).toBeLessThanOrEqual(30)
    site.setOthers((path) => page(path))
    expect(await ask(on('/new'), slack)).toBe('page')
    expect(await shown(invented(on, 40, 'real'), '203.0.113.78')).toBeGreaterThanOrEqual(15)
    expect(await ask(on('/other'), stranger)).toBe('fallback')
    service.clock.aheadMs += minuteMs
    expect(await ask(on('/other-again'), stranger)).toBe('page')
  })

  slowTest(
    'that do not exist are asked for by a crowd: the site bears so many requests, and named pages are read',
    async () => {
      const { on, ask, shown } = await newSite()
      site.set('/', page('Home', `<a href="${on('/new')}">New</a>`))
      site.set('/new', page('New'))
      const before = site.requests.length
      for (let client = 1; client <= 30; client += 1)
        expect(await shown(invented(on, 12, `none-${client}`), `198.51.100.${client}`)).toBe(0)
      expect(site.requests.length - before).toBeLessThanOrEqual(100)
      expect(await ask(on('/new'), slack)).toBe('page')
    },
  )

  test('of a site that answers every path are never all a stranger’s, whatever he calls himself', async () => {
    const { on, ask, shown } = await newSite()
    site.setOthers((path) => page(path))
    const before = site.requests.length
    const count = await shown(invented(on, sampleSize(200, 60)), stranger)
    expect(count).toBeGreaterThan(12)
    expect(count).toBeLessThanOrEqual(22)
    expect(await ask(on('/by-another-name'), stranger, 'Twitterbot/1.0')).toBe('fallback')
    expect(await ask(on('/new'), slack)).toBe('page')
    expect(site.requests.length - before).toBeLessThanOrEqual(30)
  })

  test('are divided by the networks of IPv6 that one client may have', async () => {
    const { on, ask, shown } = await newSite()
    site.setOthers((path) => page(path))
    await shown(invented(on, 40), '2001:db8:1:1::1')
    expect(await ask(on('/other'), '2001:db8:1:1:ffff::2')).toBe('fallback')
    expect(await ask(on('/other'), '2001:db8:2:1::1')).toBe('page')
  })

  test.each(
    sampleOf(
      [
        ['its home page links to', (url: string) => site.set('/', page('Home', `<a href="${url}">New</a>`))],
        ['its sitemap lists', (url: string) => site.set('/sitemap.xml', sitemapOf([url]))],
      ] as const,
      2,
    ),
  )('that %s are read while many strangers ask for others', async (_, publish) => {
    const { on, ask, shown } = await newSite()
    site.setOthers((path) => page(path))
    site.set('/', page('Home'))
    site.set('/sitemap.xml', sitemapOf([on('/old')]))
    publish(on('/new'))
    for (let client = 1; client <= 20; client += 1)
      await shown(invented(on, 12, `client-${client}`), `198.51.100.${client}`)
    expect([await ask(on('/unnamed'), slack), await ask(on('/new'), slack)]).toEqual(['fallback', 'page'])
  })

  slowTest(
    'that were published meanwhile come first within five minutes, and the site is asked for its list no more often',
    async () => {
      const { on, ask, shown } = await newSite()
      site.setOthers((path) => page(path))
      site.set('/', page('Home', `<a href="${on('/old')}">Old</a>`))
      const lists = site.fetchesOf('/')
      for (let minute = 0; minute < 5; minute += 1) {
        await shown(invented(on, 3, `minute-${minute}`), stranger)
        service.clock.aheadMs += minuteMs - 1_000
      }
      await fetchedSince(lists, '/')
      expect(site.fetchesOf('/') - lists).toBe(1)
      site.set('/', page('Home', `<a href="${on('/new')}">New</a>`))
      service.clock.aheadMs += minuteMs
      for (let client = 1; client <= 20; client += 1)
        await shown(invented(on, 12, `late-${client}`), `198.51.100.${client}`)
      expect([await ask(on('/new'), slack), site.fetchesOf('/') - lists]).toEqual(['page', 2])
    },
  )

  test('on subdomains that anybody can make up have no lists, and a list that robots.txt forbids is not read', async () => {
    const { host, on, ask } = await newSite()
    site.setOthers((path) => page(path))
    site.set('/robots.txt', new Response('User-agent: *\nDisallow: /'))
    const [before, robots] = [site.requests.length, site.fetchesOf('/robots.txt')]
    for (let name = 0; name < 5; name += 1)
      expect(await ask(site.url('/post', `n${name}.${host}`), stranger)).toBe('page')
    expect([site.requests.length - before, await ask(on('/post'), stranger)]).toEqual([5, 'page'])
    expect(await ask(on('/post-2'), stranger)).toBe('page')
    await fetchedSince(robots, '/robots.txt')
    const paths = site.requests.slice(before + 5).map(({ path }) => path)
    expect(paths.sort()).toEqual(['/post', '/post-2', '/robots.txt'])
  })

  slowTest('that lead away from its hosts are the client’s, not the site’s', async () => {
    const { on, ask } = await newSite()
    const elsewhere = site.url('/there', 'elsewhere.example.com')
    site.setOthers((path) =>
      path.startsWith('/out')
        ? new Response('', { status: 302, headers: { location: elsewhere } })
        : page(path),
    )
    for (let client = 1; client <= 3; client += 1)
      for (let index = 0; index < 30; index += 1)
        expect<unknown[]>([403, 'fallback']).toContain(
          await ask(on(`/out-${client}-${index}`), `198.51.100.${client}`),
        )
    expect(await ask(on('/new'), slack)).toBe('page')
  })
})

describe('answers over the quota of a site', () => {
  test('are not all a false crawler’s on a site that answers every path, and named pages come first', async () => {
    const { pair, on, ask } = await newSite()
    await queryTestStore(
      `${service.dataDir}/mintmark.sqlite`,
      `update keys set daily_quota = 2, name = 'Ours', revision = revision + 1 where id = '${pair.id}'`,
    )
    site.setOthers((path) => page(path))
    site.set('/', page('Home', `<a href="${on('/new')}">New</a>`))
    /** Asks again and again for few pages, so that the quota alone is at stake. */
    async function flood(addresses: readonly string[]) {
      const answers: unknown[] = []
      for (const address of addresses) {
        for (const path of [1, 2, 3, 4, 5, 6]) answers.push(await ask(on(`/flood-${path}`), address))
        service.clock.aheadMs += minuteMs / 4
      }
      return answers.filter((answer) => answer === 'page').length
    }
    // The quota of two pages, which are free from then on, and three quarters of what pages without a name may have.
    const views = 2 * 4
    expect(await flood(Array.from({ length: 4 }, () => stranger))).toBe(views + 13)
    expect([await ask(on('/flood-6'), stranger), await ask(on('/unnamed'), slack)]).toEqual([402, 'page'])
    await flood(Array.from({ length: 12 }, (_, index) => `198.51.100.${index + 2}`))
    expect([await ask(on('/unnamed-2'), slack), await ask(on('/new'), slack)]).toEqual([402, 'page'])
  })
})

test('behind a proxy that is not named nothing is divided, what the site names still comes first, and the log says so', async () => {
  const hidden = await startService({ env: site.env })
  try {
    const { on, ask, shown } = await newSite(hidden)
    site.set('/', page('Home', `<a href="${on('/new')}">New</a>`))
    site.set('/new', page('New'))
    const before = site.requests.length
    expect([await shown(invented(on, 60)), await ask(on('/new'))]).toEqual([0, 'page'])
    const reads = site.requests.slice(before).filter(({ path }) => /^.(invented|new)/.test(path))
    expect(reads.length).toBeLessThanOrEqual(30)
    expect(hidden.log()).toContain('TRUSTED_PROXIES')
  } finally {
    await hidden.stop()
  }
})
