import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type AdminServer, openAdminServer } from '../admin/support/admin-server.ts'
import { logIn, type Operator } from '../admin/support/operator.ts'
import { seededPages } from '../admin/support/pages.ts'

const origin = 'http://cards.test'
const base = '/tools/mint'
let server: AdminServer
let operator: Operator
beforeAll(async () => {
  const env = {
    BASE_URL: origin + base,
    X402_PAY_TO: `0x${'12'.repeat(20)}`,
    X402_FACILITATOR_URL: 'http://127.0.0.1:9/',
  }
  server = await openAdminServer({ env, seed: { keys: 3, days: 3, payments: 5 } })
  operator = await logIn({ url: server.url + base })
})
afterAll(() => server.close())

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
const starts = [
  '/',
  '/openapi.json',
  '/llms.txt',
  '/robots.txt',
  '/sitemap.xml',
  '/.well-known/x402',
  '/client.js',
  '/docs/search.json',
  '/api/key',
  '/api/upgrade',
  '/api/payment-required',
  '/api/og',
  '/api/og?title=Hello',
  '/api/stats',
  '/nothing',
  '/docs/',
  '/admin/',
  ...Object.values(seededPages),
]

test.each([false, true])(
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
    expect(beside).toEqual([])
    expect(broken).toEqual([])
    expect(pages).toBeGreaterThan(60)
  },
  120_000,
)
