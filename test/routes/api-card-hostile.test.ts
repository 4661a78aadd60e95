import { beforeAll, describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { startService } from '../support/service.ts'
import { started } from '../support/started.ts'
import { sampleOf } from '../support/test-size.ts'
import { startDnsServer } from '../web/support/dns-server.ts'
import cases from './hostile-words.json' with { type: 'json' }
import { startPageSite } from './support/page-site.ts'

const site = started(startPageSite)
const server = started(() => startService({ env: site.env }))

async function card(page: string, rest: Readonly<Record<string, string>> = {}, at = server) {
  const query = new URLSearchParams({ page, demo: '1', ...rest })
  const response = await fetch(`${at.url}/api/card?${query}`)
  const body = await response.text()
  return {
    status: response.status,
    source: response.headers.get('x-card-source'),
    title: /<title[^>]*>([^<]*)</.exec(body)?.[1],
    desc: /<desc[^>]*>([^<]*)</.exec(body)?.[1],
    body,
  }
}

const html = { 'content-type': 'text/html' }
const login =
  '<title>Log in</title><form><input name=user><input type=password name=pass></form><p>Welcome to the intranet.'
const challenge =
  '<title>Just a moment...</title><script src="/cdn-cgi/challenge-platform/h/b/orchestrate"></script>'

const noPages: Readonly<Record<string, () => Response>> = {
  'a page that is missing': () =>
    new Response('<title>404 Not Found</title>', { status: 404, headers: html }),
  'a page that is missing, with a good status': () =>
    new Response('<title>404 | Harbour</title><h1>Page not found</h1>', { headers: html }),
  'a refusal with a good status': () =>
    new Response('<title>Access Denied</title><p>You do not have permission.', { headers: html }),
  'a challenge': () => new Response(challenge, { status: 403, headers: html }),
  'a challenge with a good status': () => new Response(challenge, { headers: html }),
  'a challenge that a header tells of': () =>
    new Response('<title>Harbour</title>', { headers: { ...html, 'cf-mitigated': 'challenge' } }),
  'a login': () => new Response(login, { status: 401, headers: html }),
  'a redirect to a login': () => new Response(null, { status: 302, headers: { location: '/login' } }),
  'an error of the server': () => new Response('<title>Error</title>', { status: 503, headers: html }),
  'an empty answer': () => new Response('', { headers: html }),
  'a file': () => new Response('%PDF-1.7', { headers: { 'content-type': 'application/pdf' } }),
  'a picture': () => new Response('PNG', { headers: { 'content-type': 'image/png' } }),
  'an application without a word in its head': () =>
    new Response('<body><div id=app></div><script src=/app.js></script>', { headers: html }),
  'a redirect to itself': () => new Response(null, { status: 302, headers: { location: '?' } }),
  'a redirect out of the web': () =>
    new Response(null, { status: 302, headers: { location: 'gopher://10.0.0.1/' } }),
  'a body in a coding that nobody has': () =>
    new Response('x', { headers: { ...html, 'content-encoding': 'compress' } }),
  'a body that is no gzip': () => new Response('x', { headers: { ...html, 'content-encoding': 'gzip' } }),
}

describe('in place of a page', () => {
  beforeAll(() => {
    site.setPage('/login', login)
    for (const [name, answer] of Object.entries(noPages)) site.set(`/${encodeURIComponent(name)}`, answer)
  })

  test.each(Object.keys(noPages))('%s is not drawn: the card is that of the host', async (name) => {
    const { status, source, title, desc } = await card(site.url(`/${encodeURIComponent(name)}`))
    expect([status, source, title, desc]).toEqual([200, 'fallback', 'harbour.example.com', undefined])
  })

  test('all of them have one card', async () => {
    const cards = await Promise.all(
      Object.keys(noPages).map((name) => card(site.url(`/${encodeURIComponent(name)}`))),
    )
    expect(new Set(cards.map(({ body }) => body)).size).toBe(1)
  })
})

const cuts: Readonly<Record<string, () => Response>> = {
  'a page of a gigabyte in a megabyte': () => {
    const bomb = gzipSync(Buffer.concat([Buffer.from('<title>Bomb</title>'), Buffer.alloc(200_000_000, 32)]))
    return new Response(bomb, { headers: { ...html, 'content-encoding': 'gzip' } })
  },
  'a page without an end': () => {
    let rows = 0
    const endless = new ReadableStream({
      pull(controller) {
        rows += 1
        controller.enqueue(new TextEncoder().encode(rows === 1 ? '<title>Bomb</title>' : '<p>'.repeat(9_999)))
      },
    })
    return new Response(endless, { headers: html })
  },
  'a page of a hundred thousand open elements': () =>
    new Response(`<title>Bomb</title>${'<div>'.repeat(100_000)}${'</p>'.repeat(100_000)}`, { headers: html }),
  'a title of a megabyte': () =>
    new Response(`<title>Bomb ${'bomb '.repeat(200_000)}</title>`, { headers: html }),
  'a thousand tags of a kind': () =>
    new Response(
      `<title>Bomb</title>${'<meta property="og:description" content="b"><meta name="mintmark:eyebrow" content="c">'.repeat(5_000)}`,
      { headers: html },
    ),
}

test.each(sampleOf(Object.entries(cuts), 2))('%s has a card all the same', async (name, answer) => {
  site.set(`/cut/${encodeURIComponent(name)}`, answer)
  const { status, source, title } = await card(site.url(`/cut/${encodeURIComponent(name)}`))
  expect([status, source, title?.slice(0, 4)]).toEqual([200, 'page', 'Bomb'])
})

test.each([
  'Security check: what to bring to the harbour',
  'Not found in Nature',
  'Service unavailable on Sundays | Harbour',
])('a page on “%s” is no page of an error', async (title) => {
  site.setPage(`/on/${encodeURIComponent(title)}`, `<title>${title}</title><p>A short note.`)
  expect((await card(site.url(`/on/${encodeURIComponent(title)}`))).source).toBe('page')
})

test('a site that does not answer holds up no card of another', async () => {
  let asked = 0
  const { promise: over, resolve: end } = Promise.withResolvers<void>()
  for (let number = 0; number < 40; number += 1)
    site.set(`/silent/${number}`, () => {
      asked += 1
      return over.then(() => new Response('<title>Late</title>', { headers: html }))
    })
  let answered = 0
  const waiting = Array.from({ length: 40 }, (_, number) =>
    card(site.url(`/silent/${number}`, 'silent.example.com')).then(() => {
      answered += 1
    }),
  )
  while (asked === 0) await Bun.sleep(10)
  site.setPage('/quick', '<title>Tides of March</title>')
  const { source, title } = await card(site.url('/quick', 'quick.example.com'))
  expect([source, title, answered]).toEqual(['page', 'Tides of March', 0])
  end()
  await Promise.all(waiting)
})

test('markup in the words of a page is words on its card', async () => {
  site.setPage(
    '/markup',
    '<title>&lt;script&gt;alert(1)&lt;/script&gt; "quoted"</title><meta name=description content="]]>&lt;/svg>"><meta name=author content="&amp;amp;&lt;b>">',
  )
  const { body, status } = await card(site.url('/markup'))
  expect(status).toBe(200)
  for (const part of ['<script', '<b>']) expect(body).not.toContain(part)
  expect(body.match(/<\/svg>/g)?.length).toBe(1)
})

const languages: Readonly<Record<string, string>> = cases.languages

test.each(sampleOf(Object.entries(languages), 4))(
  'a page in %s has its own words on its card',
  async (lang, words) => {
    site.setPage(`/lang/${lang}`, `<html lang="${lang}"><title>${words}</title><p>${words}`)
    const { status, title } = await card(site.url(`/lang/${lang}`))
    expect([status, title]).toEqual([200, words.normalize()])
  },
)

interface SsrfCase {
  readonly id: string
  readonly url: string
  readonly expect: 'blocked' | 'allowed'
  readonly code?: string
  readonly dns?: Readonly<Record<string, readonly string[]>>
  readonly dns_sequence?: unknown
}

describe('no address of a page', () => {
  const file = new URL('../fixtures/web/ssrf.json', import.meta.url)
  const cases = (JSON.parse(readFileSync(file, 'utf8')).cases as readonly SsrfCase[]).filter(
    ({ expect: outcome, url, code = '', dns_sequence }) =>
      outcome === 'blocked' &&
      !/^(?:dns|redirect)/.test(code) &&
      dns_sequence === undefined &&
      !/\/(?:redir|chain|loop)\?/.test(url),
  )
  let answers: SsrfCase['dns'] = {}
  const dns = started(() => startDnsServer((name) => answers?.[name] ?? answers?.['*'] ?? []))
  const closed = started(() => startService({ env: { FETCH_DNS: dns.address } }))

  function refusalOf({ code = 'blocked_address' }: SsrfCase) {
    return /^(?:blocked|self|denied)_/.test(code) ? [403, code] : [400, 'invalid_query']
  }

  test.each(sampleOf(cases, 6).map((each) => [each.id, each] as const))(
    'leads into a private network: %s',
    async (_, each) => {
      answers = each.dns ?? {}
      for (const fallback of ['card', 'error']) {
        const { status, body } = await card(each.url, { fallback, title: 'a' }, closed)
        const { code } = JSON.parse(body)
        expect([each.id, status, code]).toEqual([each.id, ...refusalOf(each)])
      }
    },
  )

  test('is that of the service itself', async () => {
    const { status, body } = await card(`http://127.0.0.1:${closed.port}/`, {}, closed)
    expect([status, JSON.parse(body).code]).toEqual([403, expect.stringMatching(/^(?:blocked_|self_)/)])
  })
})
