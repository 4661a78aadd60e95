import { beforeAll, describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Glob } from 'bun'
import { letters } from '../../src/assets/preview/site-name.ts'
import { embedUrl } from '../../src/client/embed-url.ts'
import templatePages from '../fixtures/preview/page-templates.json' with { type: 'json' }
import { eventually } from '../support/eventually.ts'
import { issueKeyPair } from '../support/issue-key-pair.ts'
import { startService } from '../support/service.ts'
import { started } from '../support/started.ts'
import { queryTestStore } from '../support/test-store.ts'
import cases from './api-card.json' with { type: 'json' }
import { startPageSite } from './support/page-site.ts'

const site = started(startPageSite)
const server = started(() => startService({ env: { ...site.env, KEY_DAILY_QUOTA: '1000' } }))
const pair = started(() => issueKeyPair(server))

const page = `<!doctype html><html lang="en"><title>Tides of March | Harbour News</title>
<meta property="og:site_name" content="Harbour News"><meta name="author" content="Ada Lovelace">
<meta name="description" content="What the sea did this spring."><meta name="theme-color" content="#7c3aed">
<h1>Tides of March</h1><article><p>The sea came and went.</p></article>`

function address(path: string, rest: Readonly<Record<string, string>> = {}, end = '') {
  const query = new URLSearchParams({ page: site.url(path), demo: '1', ...rest })
  return `${server.url}/api/card${end}?${query}`
}

/** The texts of a card, as its SVG tells them. */
async function card(url: string, headers: Readonly<Record<string, string>> = {}) {
  const response = await fetch(url, { headers })
  const body = await response.text()
  return {
    response,
    status: response.status,
    source: response.headers.get('x-card-source'),
    title: /<title[^>]*>([^<]*)</.exec(body)?.[1],
    desc: /<desc[^>]*>([^<]*)</.exec(body)?.[1],
    body,
  }
}

async function demoUsed(): Promise<number> {
  const stats = await (await fetch(`${server.url}/api/stats`)).json()
  return stats.demo.used
}

/** A path that no test has asked for before. */
let pages = 0
function newPage(markup = page, headers: Readonly<Record<string, string>> = {}): string {
  pages += 1
  const path = `/page-${pages}`
  site.setPage(path, markup, headers)
  return path
}

describe('the template of the card of a page', () => {
  const article = page.replace(
    '<h1>',
    '<meta property="article:published_time" content="2026-03-31T08:00:00Z"><h1>',
  )

  test('is the usual one unless another is asked for, and auto takes the first that fits', async () => {
    const path = newPage(article)
    const usual = await card(address(path))
    expect(usual.response.headers.get('x-card-template')).toBeNull()
    const auto = await card(address(path, { template: 'auto' }))
    expect(auto.response.headers.get('x-card-template')).toBe('article')
    expect(auto.response.headers.get('etag')).not.toBe(usual.response.headers.get('etag'))
    const named = await card(address(path, { template: 'article' }))
    expect([named.body, named.response.headers.get('x-card-template')]).toEqual([auto.body, 'article'])
    const layout = await (await fetch(address(path, { template: 'auto' }, '.json'))).json()
    expect(layout).toMatchObject({ template: 'article', texts: { author: { text: 'Ada Lovelace' } } })
    expect(Object.keys(layout.texts)).toContain('date')
  })

  test('is the usual one where the page says too little, and says so', async () => {
    const path = newPage('<title>Tides</title><p>The sea.</p>')
    const usual = await card(address(path))
    const auto = await card(address(path, { template: 'auto' }))
    expect([auto.body, auto.response.headers.get('x-card-template')]).toEqual([usual.body, 'standard'])
  })

  test('is what the page says in its own words, where the caller says none', async () => {
    const path = newPage(article.replace('<h1>', '<meta name="mintmark:template" content="standard"><h1>'))
    const auto = await card(address(path, { template: 'auto' }))
    expect(auto.response.headers.get('x-card-template')).toBe('standard')
    const named = await card(address(path, { template: 'article' }))
    expect(named.response.headers.get('x-card-template')).toBe('article')
  })

  const nextYear = `${new Date().getUTCFullYear() + 1}-`
  const kinds = ['event', 'release', 'code', 'profile']
  for (const { name, html, auto } of templatePages)
    if (kinds.includes(auto[0] ?? '') && !html.includes('2026-'))
      test(`is drawn with what the page says: ${name}`, async () => {
        const path = newPage(html.replaceAll('2027-', nextYear))
        const layout = await fetch(address(path, { template: 'auto' }, '.json'))
        expect(layout.headers.get('x-card-template')).toBe(auto[0] ?? '')
        expect(await layout.json()).toMatchObject({ template: auto[0] })
        expect((await card(address(path, { template: 'auto' }))).status).toBe(200)
      })

  test('is one that there is', async () => {
    const { status } = await card(address(newPage(), { template: 'poem' }))
    expect(status).toBe(400)
  })
})

describe('the card of a page', () => {
  test('says what the page says, without the name of its site in the title', async () => {
    const { status, source, title, desc, response } = await card(address(newPage()))
    expect([status, source, title]).toEqual([200, 'page', 'Tides of March'])
    for (const part of ['What the sea did this spring.', 'Ada Lovelace', 'harbour.example.com'])
      expect(desc).toContain(part)
    expect(response.headers.get('cache-control')).toBe('public, max-age=3600, stale-while-revalidate=86400')
  })

  test('is drawn in every format', async () => {
    const path = newPage()
    for (const [end, type] of cases.types as [string, string][]) {
      const { status, headers } = await fetch(address(path, {}, end))
      expect([status, headers.get('content-type')]).toEqual([200, type ?? ''])
    }
    expect(site.fetchesOf(path)).toBe(1)
  })

  test('has the texts and the look that the caller gives', async () => {
    const path = newPage()
    const given = { title: 'My own', subtitle: 'And mine', author: 'Bob', url: 'own.example', theme: 'paper' }
    const { title, desc, body } = await card(address(path, given))
    expect([title, desc]).toEqual(['My own', 'And mine · Bob · own.example'])
    expect(body).not.toBe((await card(address(path, { ...given, theme: 'grid' }))).body)
  })

  test('has an ETag that names what the page says and the look, and answers 304 without counting', async () => {
    const path = newPage()
    const { response } = await card(address(path))
    const etag = response.headers.get('etag') ?? ''
    const used = await demoUsed()
    const again = await fetch(address(path), { headers: { 'if-none-match': etag } })
    expect([again.status, again.headers.get('x-card-source')]).toEqual([304, 'page'])
    expect(await demoUsed()).toBe(used)
    expect((await card(address(path, { theme: 'paper' }))).response.headers.get('etag')).not.toBe(etag)
  })

  test('answers HEAD without reading the page', async () => {
    const path = newPage()
    const response = await fetch(address(path), { method: 'HEAD' })
    expect([response.status, response.headers.get('etag'), site.fetchesOf(path)]).toEqual([200, null, 0])
    await card(address(path))
    const known = await fetch(address(path), { method: 'HEAD' })
    expect([known.status, known.headers.get('x-card-source'), site.fetchesOf(path)]).toEqual([200, 'page', 1])
  })

  test('counts a signed address once, and answers it from then on', async () => {
    const url = await embedUrl(
      `${server.url}/api/card.png` as never,
      { page: site.url(newPage()) } as never,
      pair,
    )
    expect(url).toContain('/i/card/')
    const first = await fetch(url)
    expect([first.status, first.headers.get('x-card-source')]).toEqual([200, 'page'])
    const second = await fetch(url)
    expect(second.headers.get('x-quota-remaining')).toBe(first.headers.get('x-quota-remaining'))
  })

  test('of four hundred requests at once is read once', async () => {
    const path = newPage()
    const answers = await Promise.all(Array.from({ length: 400 }, () => fetch(address(path))))
    expect([new Set(answers.map(({ status }) => status)), site.fetchesOf(path)]).toEqual([new Set([200]), 1])
  })
})

describe('a page that cannot be read', () => {
  test('has a card of its host alone, which costs nothing and is asked for again soon', async () => {
    const used = await demoUsed()
    const { status, source, title, response } = await card(address('/nowhere'))
    expect([status, source, title]).toEqual([200, 'fallback', 'harbour.example.com'])
    expect(response.headers.get('cache-control')).toBe('public, max-age=60')
    expect(await demoUsed()).toBe(used)
  })

  test('has none of the words that a caller gives: who wants a card of these pays for it', async () => {
    const given = { title: 'Mine', subtitle: 'Mine', author: 'Mine', url: 'mine.example', eyebrow: 'Mine' }
    const { source, title, desc, body } = await card(address('/nowhere', given))
    expect([source, title, desc]).toEqual(['fallback', 'harbour.example.com', undefined])
    expect(body).toBe((await card(address('/nowhere'))).body)
  })

  test('is an error where the caller wants one, and costs nothing', async () => {
    const used = await demoUsed()
    const response = await fetch(address('/missing', { fallback: 'error' }))
    const again = await fetch(address('/missing', { fallback: 'error' }))
    for (const each of [response, again])
      expect([each.status, await each.json()]).toMatchObject([
        502,
        { code: 'upstream_failed', reason: 'target_http_status', target_status: 404 },
      ])
    expect(await demoUsed()).toBe(used)
  })

  test('makes no signed address answered', async () => {
    const path = '/later'
    const url = await embedUrl(`${server.url}/api/card` as never, { page: site.url(path) } as never, pair)
    const usage = async () => (await (await fetch(`${server.url}/api/usage?key=${pair.key}`)).json()).used
    const used = await usage()
    expect((await card(url)).source).toBe('fallback')
    expect(await usage()).toBe(used)
    site.setPage(path, page)
    server.clock.aheadMs += 61_000
    expect((await card(url)).source).toBe('page')
    expect(await usage()).toBe(used + 1)
  })

  test('keeps the card that it had for thirty days', async () => {
    const path = newPage()
    await card(address(path))
    site.remove(path)
    server.clock.aheadMs += 2 * 3_600_000
    expect((await card(address(path))).source).toBe('page')
    await until(() => site.fetchesOf(path) === 2)
    await until(async () => (await card(address(path))).source === 'kept')
    expect((await card(address(path))).title).toBe('Tides of March')
    server.clock.aheadMs += 29 * 86_400_000
    expect((await card(address(path))).source).toBe('kept')
    server.clock.aheadMs += 2 * 86_400_000
    expect((await card(address(path))).source).toBe('fallback')
  })
})

describe('what is known of a page', () => {
  test('is read again after an hour, behind the answer, and only if it has changed', async () => {
    const path = '/conditional'
    site.set(path, (headers) =>
      headers.get('if-none-match') === '"v1"'
        ? new Response(null, { status: 304 })
        : new Response(page, { headers: { 'content-type': 'text/html', etag: '"v1"' } }),
    )
    const { response } = await card(address(path))
    server.clock.aheadMs += 3_700_000
    await card(address(path))
    await until(() => site.fetchesOf(path) === 2)
    expect(site.requests.at(-1)?.headers.get('if-none-match')).toBe('"v1"')
    const { source, response: after } = await card(address(path))
    expect([source, after.headers.get('etag')]).toEqual(['page', response.headers.get('etag')])
    expect(site.fetchesOf(path)).toBe(2)
  })

  test('changes the card once the page has changed', async () => {
    const path = newPage()
    await card(address(path))
    site.setPage(path, page.replaceAll('Tides of March', 'Tides of April'))
    server.clock.aheadMs += 3_700_000
    expect((await card(address(path))).title).toBe('Tides of March')
    await until(async () => (await card(address(path))).title === 'Tides of April')
    expect(site.fetchesOf(path)).toBe(2)
  })
})

async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await Bun.sleep(20)
}

const apiCardMovedServer = started(() => startService({ env: { ...site.env, KEY_DAILY_QUOTA: '1000' } }))
let id: string
beforeAll(async () => {
  const issued = await (await fetch(`${apiCardMovedServer.url}/api/key?hosts=harbour.example.com`)).json()
  id = issued.site
})

async function movedCard(path: string, siteId = id) {
  const query = new URLSearchParams({ site: siteId, page: site.url(path) })
  const response = await fetch(`${apiCardMovedServer.url}/api/card?${query}`)
  return { status: response.status, title: /<title[^>]*>([^<]*)</.exec(await response.text())?.[1] }
}

/** Asks until the answer is this one. */
async function cardOnce(path: string, wanted: { readonly status: number; readonly title?: string }) {
  await eventually(async () => {
    const { status, title } = await movedCard(path)
    return status === wanted.status && title === wanted.title
  })
}

function leads(path: string, to: string) {
  site.set(path, new Response('', { status: 302, headers: { location: to } }))
}

function titled(title: string) {
  return `<!doctype html><html lang="en"><title>${title}</title><h1>${title}</h1><p>Text.</p>`
}

const hourMs = 3_600_000
const elsewhere = () => site.url('/there', 'other.example.com')

test('an address of a site that leads to another page after a while has the card of that page', async () => {
  site.setPage('/one', titled('One'))
  site.setPage('/two', titled('Two'))
  leads('/latest', site.url('/one'))
  expect(await movedCard('/latest')).toEqual({ status: 200, title: 'One' })
  leads('/latest', site.url('/two'))
  expect((await movedCard('/latest')).title).toBe('One')
  apiCardMovedServer.clock.aheadMs += 1.1 * hourMs
  await cardOnce('/latest', { status: 200, title: 'Two' })
})

test('an address that led off its site for a while is drawn again once it no longer does', async () => {
  site.setPage('/there', titled('Elsewhere'))
  leads('/members', elsewhere())
  expect((await movedCard('/members')).status).toBe(403)
  site.setPage('/members', titled('Members'))
  apiCardMovedServer.clock.aheadMs += 1.1 * hourMs
  await cardOnce('/members', { status: 200, title: 'Members' })
})

test('a known page that led off its site when it was refreshed is drawn again once it no longer does', async () => {
  site.setPage('/known', titled('Known'))
  expect(await movedCard('/known')).toEqual({ status: 200, title: 'Known' })
  site.setPage('/there', titled('Elsewhere'))
  leads('/known', elsewhere())
  apiCardMovedServer.clock.aheadMs += 1.1 * hourMs
  await cardOnce('/known', { status: 403 })
  site.setPage('/known', titled('Known again'))
  apiCardMovedServer.clock.aheadMs += 1.1 * hourMs
  await cardOnce('/known', { status: 200, title: 'Known again' })
})

test('a page that was counted is drawn after the quota is used up, also where its picture is read again', async () => {
  const pair = await (await fetch(`${apiCardMovedServer.url}/api/key?hosts=harbour.example.com`)).json()
  await queryTestStore(
    join(apiCardMovedServer.dataDir, 'mintmark.sqlite'),
    `update keys set daily_quota = 1, look = '{"picture":"page"}', revision = revision + 1 where id = '${pair.id}'`,
  )
  const picture = `<meta property="og:image" content="${site.url('/no-picture.png')}">`
  site.setPage('/counted', titled('Counted') + picture)
  site.setPage('/other', titled('Other'))
  expect((await movedCard('/counted', pair.site)).status).toBe(200)
  expect((await movedCard('/other', pair.site)).status).toBe(402)
  const reads = site.fetchesOf('/no-picture.png')
  apiCardMovedServer.clock.aheadMs += 11 * 60_000
  expect(await movedCard('/counted', pair.site)).toEqual({ status: 200, title: 'Counted' })
  expect(site.fetchesOf('/no-picture.png')).toBe(reads + 1)
})

const pagesServer = started(() => startService({ env: site.env }))

async function textsOfCard(path: string) {
  const query = new URLSearchParams({ page: site.url(path), demo: '1' })
  const response = await fetch(`${pagesServer.url}/api/card?${query}`)
  const body = await response.text()
  return {
    source: response.headers.get('x-card-source'),
    title: /<title[^>]*>([^<]*)</.exec(body)?.[1] ?? '',
    desc: (/<desc[^>]*>([^<]*)</.exec(body)?.[1] ?? '').split(' · '),
  }
}

const folder = new URL('../fixtures/sites/', import.meta.url).pathname
const files = [...new Glob('**/*.html').scanSync(folder)].sort()
/** Pages that generators write beside those that people read. */
const others = /(?:^|\/)(?:404|200|_not-found|_error|_gatsby|old|_next|google)/

describe('pages as generators write them have cards that say each thing once', () => {
  const pages = files.filter((file) => !others.test(file))
  test.each(pages)('%s', async (file) => {
    site.setPage(`/${file}`, readFileSync(folder + file, 'utf8'))
    const { source, title, desc } = await textsOfCard(`/${file}`)
    expect(source).toBe('page')
    expect(title.trim()).not.toBe('')
    const texts = [title, ...desc].map(letters).filter((text) => text !== '')
    expect(texts).toEqual([...new Set(texts)])
  })
})

const twice = cases.twice as [markup: string, title: string, desc: string[] | null][]

test.each(twice)('%s', async (markup, title, desc) => {
  site.setPage(`/twice/${letters(markup)}`, markup)
  const drawn = await textsOfCard(`/twice/${letters(markup)}`)
  expect(drawn.title.replace(/:\d+$/, '')).toBe(title)
  expect(drawn.desc.filter((text) => text !== '' && !text.startsWith('harbour.example.com'))).toEqual([
    ...(desc ?? []),
  ])
})
