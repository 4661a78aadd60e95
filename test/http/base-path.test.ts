import { describe, expect, test } from 'bun:test'
import { writeSessionCookie } from '../../admin/session/guard.ts'
import { embedUrl } from '../../src/client/embed-url.ts'
import { signUrl } from '../../src/client/sign-url.ts'
import { findConfig } from '../../src/config.ts'
import { openAdminServer } from '../admin/support/admin-server.ts'
import { logIn } from '../admin/support/operator.ts'
import { seededPages } from '../admin/support/pages.ts'
import { rawGet, rawHttp } from '../support/raw-http.ts'
import { startService } from '../support/service.ts'
import { started } from '../support/started.ts'
import { sampleOf } from '../support/test-size.ts'
import cases from './base-path.json' with { type: 'json' }

const origin = 'http://cards.test'
const base = '/tools/mint'
const env = {
  BASE_URL: origin + base,
  X402_PAY_TO: `0x${'12'.repeat(20)}`,
  X402_FACILITATOR_URL: 'http://127.0.0.1:9/',
}
const server = started(() => openAdminServer({ env, seed: { keys: 3, days: 3, payments: 5 } }))
const operator = started(() => logIn({ url: server.url + base }))

/** Asks as a proxy does that passes targets on, or removes the base path from them. */
function ask(url: URL, isStripped: boolean, headers: Record<string, string> = {}): Promise<Response> {
  const target = url.pathname + url.search
  const passed = isStripped ? target.slice(base.length) : target
  return fetch(server.url + passed, { redirect: 'manual', headers })
}

interface Found {
  /** Every URL of this origin that an answer names. */
  readonly all: readonly URL[]
  /** Links and scripts among them. */
  readonly followed: readonly URL[]
}

/** Attributes whose values are text, though they may begin with a slash. */
const textAttributes = /^(?:value|placeholder|title|alt|aria-label|d|content)$/

async function urlsIn(answer: Response, from: URL): Promise<Found> {
  const type = answer.headers.get('content-type') ?? ''
  const isText = /^(?:text|application\/(?:[\w.+-]*json|xml))/.test(type)
  const location = answer.headers.get('location')
  const followed = location === null ? [] : [location]
  const others: string[] = []
  const body = new HTMLRewriter().on('*', {
    element({ tagName, attributes }) {
      for (const [name, value] of attributes) {
        if (textAttributes.test(name) || !/^(?:\/|https?:)/.test(value)) continue
        const isFollowed = name === 'href' || tagName === 'script' || name.startsWith('data-')
        ;(isFollowed ? followed : others).push(value.replaceAll('&amp;', '&'))
      }
    },
  })
  const isHtml = type.startsWith('text/html')
  const text = isText ? await (isHtml ? body.transform(answer) : answer).text() : ''
  // Absolute URLs in documents, examples and JSON.
  others.push(
    ...captured(text, /(http:\/\/cards\.test(?![\w.-])(?:(?!&(?:quot|#39|[lg]t);)[^\s"'<>`)\\])*)/g),
  )
  if (type.startsWith('text/css')) followed.push(...captured(text, /url\(["']?(\/[^)"']*)/g))
  if (type.startsWith('text/javascript'))
    followed.push(...captured(text, /(?:fetch|import|EventSource)\(["'`](\/[^"'`]*)/g))
  if (from.pathname.endsWith('/search.json'))
    followed.push(...(JSON.parse(text) as string[][]).map(([path = '']) => path))
  const ours = (list: readonly string[]) =>
    list.map((url) => new URL(url, from)).filter((url) => url.origin === origin)
  return { all: ours([...followed, ...others]), followed: ours(followed) }
}

function captured(text: string, pattern: RegExp): readonly string[] {
  return [...text.matchAll(pattern)].map(([, part = '']) => part)
}

/** Paths of every public document, and of the operator's pages. */
const starts = [...cases.starts, ...Object.values(seededPages)]

test.each(sampleOf([false, true], 2))(
  'no answer names a URL beside the base path, proxy removes it: %p',
  async (isStripped) => {
    const waiting = starts.map((path) => new URL(origin + base + path))
    const seen = new Set(waiting.map(({ href }) => href))
    const beside: string[] = []
    const broken: string[] = []
    let pages = 0
    for (let url = waiting.pop(); url !== undefined; url = waiting.pop()) {
      const answer = await ask(url, isStripped, { cookie: operator.cookie, accept: 'text/html' })
      if (answer.status >= 500) broken.push(`${url.pathname}: ${answer.status}`)
      if (answer.headers.get('content-type')?.startsWith('text/event-stream')) {
        await answer.body?.cancel()
        continue
      }
      if (answer.headers.get('content-type')?.startsWith('text/html')) pages += 1
      const { all, followed } = await urlsIn(answer, url)
      for (const named of all)
        if (named.pathname !== base && !named.pathname.startsWith(`${base}/`))
          beside.push(`${url.pathname}${url.search}: ${named.href}`)
      for (const next of followed) {
        next.hash = ''
        if (seen.has(next.href) || !next.pathname.startsWith(`${base}/`)) continue
        seen.add(next.href)
        waiting.push(next)
      }
    }
    expect([beside, broken]).toEqual([[], []])
    expect(pages).toBeGreaterThan(60)
  },
)

function get(path: string, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(server.url + path, { redirect: 'manual', headers })
}

test('the home page is behind the slash, and the base path alone leads to it', async () => {
  expect((await get(`${base}/`)).status).toBe(200)
  const answer = await get(`${base}?kind=badge`)
  expect([answer.status, answer.headers.get('location')]).toEqual([308, `${base}/?kind=badge`])
})

test('a path that only begins with the letters of the base path is another path', async () => {
  for (const path of [`${base}ed/api/og`, `${base}api/og`, `${base}${base}/bot`, '/tools/bot', '/tools'])
    expect((await get(path)).status).toBe(404)
})

test('a key from below the path signs calls and addresses that are answered there', async () => {
  const { id, secret, signed_example, examples } = await (await get(`${base}/api/key`)).json()
  const pair = { key: id, secret }
  const here = server.url + base
  expect(signed_example.url).toStartWith(`${origin}${base}/api/og?`)
  expect(examples.join()).toContain(`'${origin}${base}/i/og/`)
  for (const url of [
    signed_example.url.replace(origin, server.url),
    await signUrl(`${here}/api/og?title=Signed`, pair),
    await embedUrl(`${here}/api/og.png`, { title: 'In the path' }, pair),
    await embedUrl(`${here}/api/og`, { title: 'In the query' }, pair, { form: 'query' }),
  ]) {
    expect(url).toStartWith(here)
    expect((await fetch(url)).status).toBe(200)
  }
})

test('a picture is the same below the path, without it, and again from memory', async () => {
  const call = '/api/badge?label=build&value=passing&demo=1'
  const answers = []
  for (const path of [base + call, call, base + call, call]) {
    const answer = await get(path)
    answers.push([answer.status, answer.headers.get('etag'), await answer.text()])
  }
  expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
  const [[, etag] = []] = answers
  expect((await get(base + call, { 'if-none-match': String(etag) })).status).toBe(304)
})

test.each([
  '/badge/build-passing-green?',
  '/static/v1?label=a&message=b&',
  '/api/?name=Ada&',
  '/9.x/initials/svg?seed=Ada&',
])('the compatibility URL %s is answered below the path', async (path) => {
  expect((await get(`${base}${path}demo=1`)).status).toBe(200)
})

test('errors and what is to be paid name the path', async () => {
  const wrong = await (await get(`${base}/api/og`)).json()
  expect(wrong.type).toBe(`${origin}${base}/docs/errors#invalid_query`)
  const asked = '/api/og?title=Hello'
  for (const path of [base + asked, asked]) {
    const answer = await get(path)
    const terms = Buffer.from(answer.headers.get('payment-required') ?? '', 'base64').toString()
    const { accepts, upgrade } = await answer.json()
    expect(JSON.parse(terms).resource.url).toBe(origin + base + asked)
    expect(accepts[0].resource).toBe(origin + base + asked)
    expect(upgrade).toBe(`${origin}${base}/api/upgrade`)
  }
})

test('a row of the traffic page names no path beside the base path', async () => {
  await get(`${base}/bot`)
  const page = await operator.page('/admin/traffic')
  expect(page).toContain('GET /bot')
  expect(page).not.toMatch(/(?:href|action)="\/(?!tools\/mint\/)/)
})

test.each([
  ['https://cards.test/mint', '__Secure-session', '/mint', '; Secure'],
  ['https://cards.test', '__Host-session', '/', '; Secure'],
  ['http://cards.test/mint', 'session', '/mint', ''],
])('with %s the session is the cookie %s of %s', (baseUrl, name, path, end) => {
  expect(writeSessionCookie('x', baseUrl)).toBe(`${name}=x; Path=${path}; HttpOnly; SameSite=Lax${end}`)
})

describe('BASE_URL', () => {
  function mistakesOf(url: string): readonly string[] {
    return findConfig({ BASE_URL: url }, () => '').mistakes
  }

  test.each([
    ['https://example.com/mint/', 'https://example.com/mint'],
    ['https://example.com/', 'https://example.com'],
    ['https://example.com/tools/~mint-1.2_3', 'https://example.com/tools/~mint-1.2_3'],
    ['https://example.com/tools/api', 'https://example.com/tools/api'],
  ])('%s is taken as %s', (url, taken) => {
    expect(findConfig({ BASE_URL: url }, () => '').values.BASE_URL).toBe(taken)
  })

  test.each(['//', '/a//b', '/a%20b', '/a;b', '/"x', '/mint?x', '/mint#x', '/ä'])(
    'a path with %s is refused',
    (path) => {
      expect(mistakesOf(`https://example.com${path}`)).toEqual([expect.stringMatching(/^BASE_URL must /)])
    },
  )

  test('a path that begins as one of ours does stops the start', async () => {
    const routes = await server.service.routes()
    const segments = new Set(routes.map(({ path }) => path.split('/')[1] ?? ''))
    segments.delete('')
    expect(segments.size).toBeGreaterThan(20)
    for (const segment of [...segments, 'badge', 'static', 'endpoint', 'v2', '9.x', '5.0'])
      expect(mistakesOf(`https://example.com/${segment}/mint`)).toEqual([
        `BASE_URL must not have a path that begins with /${segment}, because paths of Mintmark begin with it`,
      ])
  })
})

describe('without BASE_URL', () => {
  const server = started(() => startService())

  const bad = [...cases.bad, `${'a.'.repeat(200)}example`]
  test.each(bad)('the malformed host %s is refused', async (host) => {
    const { status, text } = await rawHttp(server.port, rawGet('/healthz', host))
    expect(status).toBe(400)
    expect(text).toContain('"code":"invalid_host"')
    expect(text).not.toContain('<script>')
  })

  const good = cases.hosts
  test.each(good)('the host %s is served, and is the base of our URLs', async (host) => {
    const { status, text } = await rawHttp(server.port, rawGet('/api/og', host))
    expect(status).toBe(400)
    expect(text).toContain(`"type":"http://${host.toLowerCase()}/docs/errors#invalid_query"`)
  })

  test('a short host does not move the path', async () => {
    expect((await rawHttp(server.port, rawGet('//healthz', 'a.b'))).status).toBe(404)
    expect((await rawHttp(server.port, rawGet('/x/healthz', 'a'))).status).toBe(404)
    expect((await rawHttp(server.port, rawGet('/healthz', 'a'))).status).toBe(200)
  })

  test('a path with another slash is another path', async () => {
    for (const path of ['//api/og?title=a', '/api//og?title=a', '/api/og//?title=a']) {
      expect((await rawHttp(server.port, rawGet(path, 'localhost'))).status).toBe(404)
    }
    const { status, text } = await rawHttp(server.port, rawGet('/api/og/?title=a', 'localhost'))
    expect([status, /^location: (.*)\r$/im.exec(text)?.[1]]).toEqual([308, '/api/og?title=a'])
  })

  test('a health check of HTTP/1.0 without a host is answered', async () => {
    const { text } = await rawHttp(server.port, 'GET /healthz HTTP/1.0\r\n\r\n')
    expect(text).toContain('200 OK')
  })
})

describe('with BASE_URL', () => {
  const env = { BASE_URL: 'https://cards.example', ALLOWED_HOSTS: 'Other.example' }
  const server = started(() => startService({ env }))

  test.each(['cards.example', 'Cards.Example', 'other.example', 'localhost:3000', '127.0.0.1', '[::1]:3000'])(
    'the host %s is served under the public base',
    async (host) => {
      const { status, text } = await rawHttp(server.port, rawGet('/api/og', host))
      expect(status).toBe(400)
      expect(text).toContain('"type":"https://cards.example/docs/errors#invalid_query"')
    },
  )

  test.each(cases.foreign)('the host %s is refused', async (host) => {
    const { status, text } = await rawHttp(server.port, rawGet('//admin', host))
    expect(status).toBe(400)
    expect(text).toContain('"code":"invalid_host"')
  })
})
