import { afterAll, beforeEach, expect, test } from 'bun:test'
import { createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { KeyPair } from '../../src/client/types.ts'
import { issueKeyPair } from '../support/issue-key-pair.ts'
import { startService } from '../support/service.ts'
import { signAddress } from '../support/sign-address.ts'
import { started } from '../support/started.ts'

/** The document of the site at the moment. */
let message = 'one'
let status = 200
let isChanged = true
let etag = '"tag"'
let requests: { readonly path: string; readonly headers: Headers }[] = []
let held: (() => void)[] = []

const site = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  async fetch(request) {
    const { pathname, searchParams } = new URL(request.url)
    requests.push({ path: pathname, headers: request.headers })
    if (pathname === '/held') await new Promise<void>((resolve) => held.push(resolve))
    if (pathname === '/to') return Response.redirect(searchParams.get('url') ?? '', 302)
    if (status !== 200) return new Response('down', { status })
    const headers = { etag, 'last-modified': 'Thu, 01 Jan 2026 00:00:00 GMT' }
    if (!isChanged) return new Response(null, { status: 304, headers })
    return Response.json({ schemaVersion: 1, label: 'n', message }, { headers })
  },
})
const other = Bun.serve({
  port: 0,
  hostname: '127.0.0.2',
  fetch: () => Response.json({ schemaVersion: 1, label: 'n', message: 'other' }),
})

const env = {
  FETCH_ALLOW_CIDRS: '127.0.0.0/8',
  FETCH_ALLOW_PORTS: `${site.port},${other.port},80,443,8080,8443`,
  DEMO_DAILY_QUOTA: '100000',
  KEYS_PER_IP_PER_DAY: '100',
  KEY_DAILY_QUOTA: '100',
  FETCH_UNPAID_PER_MINUTE: '100000',
}
const server = started(() => startService({ env }))
beforeEach(() => {
  message = 'one'
  status = 200
  isChanged = true
  etag = '"tag"'
  requests = []
  held = []
})
afterAll(() => Promise.all([site.stop(true), other.stop(true)]))

const origin = `http://127.0.0.1:${site.port}`
const titleOf = /<title>([^<]*)<\/title>/
const secondMs = 1_000
const dayMs = 86_400_000

let documents = 0
/** The address of a document that nobody asked for before. */
function newDocument(): string {
  documents += 1
  return `${origin}/document-${documents}`
}

async function ask(parameters: Readonly<Record<string, string>>) {
  const query = new URLSearchParams({ demo: '1', ...parameters })
  const response = await fetch(`${server.url}/api/badge?${query}`)
  const text = await response.text()
  const { headers } = response
  return { status: response.status, words: titleOf.exec(text)?.[1], etag: headers.get('etag'), text }
}

async function requestsOnce(count: number): Promise<void> {
  while (requests.length < count) await Bun.sleep(5)
}

/** Asks until the badge says so. */
async function wordsOnce(endpoint: string, words: string): Promise<void> {
  while ((await ask({ endpoint })).words !== words) await Bun.sleep(5)
}

test('a document whose time is over is shown once more while it is fetched again', async () => {
  const endpoint = newDocument()
  const first = await ask({ endpoint })
  message = 'two'
  server.clock.aheadMs += 299 * secondMs
  expect((await ask({ endpoint })).words).toBe('n: one')
  expect(requests).toHaveLength(1)
  server.clock.aheadMs += 2 * secondMs
  expect((await ask({ endpoint })).words).toBe('n: one')
  await wordsOnce(endpoint, 'n: two')
  expect(requests).toHaveLength(2)
  expect((await ask({ endpoint })).etag).not.toBe(first.etag)
})

test('a site is asked whether its document has changed, and sends nothing if it has not', async () => {
  const endpoint = newDocument()
  const first = await ask({ endpoint })
  isChanged = false
  server.clock.aheadMs += 301 * secondMs
  await ask({ endpoint })
  await requestsOnce(2)
  const asked = requests[1]?.headers
  const expected = ['"tag"', 'Thu, 01 Jan 2026 00:00:00 GMT']
  expect([asked?.get('if-none-match'), asked?.get('if-modified-since')]).toEqual(expected)
  expect(await ask({ endpoint })).toMatchObject({ words: 'n: one', etag: first.etag })
})

test('a tag that is longer than its document is not kept', async () => {
  const endpoint = newDocument()
  etag = `"${'t'.repeat(10_000)}"`
  expect((await ask({ endpoint })).words).toBe('n: one')
  server.clock.aheadMs += 301 * secondMs
  await ask({ endpoint })
  await requestsOnce(2)
  expect(requests[1]?.headers.has('if-none-match')).toBe(false)
})

test('a site that fails keeps its badge for a day, and is asked again once a minute', async () => {
  const endpoint = newDocument()
  await ask({ endpoint })
  status = 500
  server.clock.aheadMs += 301 * secondMs
  expect((await ask({ endpoint })).words).toBe('n: one')
  await requestsOnce(2)
  while ((await ask({ endpoint })).words === 'n: one' && requests.length === 2) {
    await Bun.sleep(20)
    if (requests.length === 2) break
  }
  expect(requests).toHaveLength(2)
  server.clock.aheadMs += 61 * secondMs
  expect((await ask({ endpoint })).words).toBe('n: one')
  await requestsOnce(3)
  server.clock.aheadMs += dayMs
  expect((await ask({ endpoint })).status).toBe(502)
})

test('a document that could not be read is not asked for again within a minute', async () => {
  const endpoint = newDocument()
  status = 404
  expect((await ask({ endpoint })).status).toBe(502)
  status = 200
  expect((await ask({ endpoint })).status).toBe(502)
  expect((await ask({ endpoint, fallback: 'badge' })).words).toBe('inaccessible')
  expect(requests).toHaveLength(1)
  server.clock.aheadMs += 61 * secondMs
  expect((await ask({ endpoint })).words).toBe('n: one')
})

test('a site that does not answer holds up no other', async () => {
  const waiting = Array.from({ length: 40 }, (_, index) =>
    ask({ endpoint: `${origin}/held?${index}`, fallback: 'badge' }),
  )
  await requestsOnce(2)
  expect((await ask({ endpoint: `http://127.0.0.2:${other.port}/a` })).words).toBe('n: other')
  // No more than two are with the silent site at once.
  expect(requests.filter(({ path }) => path === '/held')).toHaveLength(2)
  let isOver = false
  const all = Promise.all(waiting).finally(() => {
    isOver = true
  })
  while (!isOver) {
    for (const release of held.splice(0)) release()
    await Bun.sleep(5)
  }
  expect(new Set((await all).map(({ words }) => words))).toEqual(new Set(['n: one']))
})

function signedAddress(pair: KeyPair, parameters: Readonly<Record<string, string>>): string {
  return server.url + signAddress(pair, parameters, { asset: 'badge' })
}

interface Usage {
  readonly used: number
  readonly shares: readonly { readonly title: string | null; readonly count: number }[]
}

async function usageOf({ key, secret }: KeyPair): Promise<Usage> {
  const t = Math.floor(server.clock.now() / 1000)
  const sig = createHmac('sha256', secret).update(`${t}.GET /api/usage`).digest('hex')
  return (await fetch(`${server.url}/api/usage?key=${key}&t=${t}&sig=${sig}`)).json() as Promise<Usage>
}

const slack = { 'user-agent': 'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)' }

test('a signed address of a live badge counts once, whatever its document says, and its shares are counted', async () => {
  const pair = await issueKeyPair(server)
  const endpoint = newDocument()
  const address = signedAddress(pair, { endpoint })
  for (const words of ['n: one', 'n: two']) {
    message = words.slice(3)
    await wordsOnce(endpoint, words)
    const response = await fetch(address, { headers: slack })
    expect([response.status, titleOf.exec(await response.text())?.[1]]).toEqual([200, words])
    server.clock.aheadMs += 301 * secondMs
  }
  for (;;) {
    const { used, shares } = await usageOf(pair)
    const total = shares.reduce((sum, { count }) => sum + count, 0)
    if (total < 2) continue
    expect([used, total, shares[0]?.title]).toEqual([1, 2, 'n: one'])
    break
  }
})

test('a grey badge in place of a document counts nothing, and leaves its signed address uncounted', async () => {
  const pair = await issueKeyPair(server)
  status = 500
  const address = signedAddress(pair, { endpoint: newDocument(), fallback: 'badge' })
  const response = await fetch(address, { headers: slack })
  expect([response.status, titleOf.exec(await response.text())?.[1]]).toEqual([200, 'inaccessible'])
  expect(response.headers.get('cache-control')).toBe('public, max-age=60')
  expect(await usageOf(pair)).toMatchObject({ used: 0, shares: [] })
  status = 200
  server.clock.aheadMs += 61 * secondMs
  expect(titleOf.exec(await (await fetch(address)).text())?.[1]).toBe('n: one')
  expect(await usageOf(pair)).toMatchObject({ used: 1 })
})

interface SsrfCase {
  readonly id: string
  readonly url: string
  readonly expect: 'blocked' | 'allowed'
  readonly dns?: unknown
  readonly dns_sequence?: unknown
}

const { cases } = JSON.parse(readFileSync(new URL('../fixtures/web/ssrf.json', import.meta.url), 'utf8')) as {
  readonly cases: readonly SsrfCase[]
}
const blocked = cases.filter(
  (one) => one.expect === 'blocked' && one.dns === undefined && one.dns_sequence === undefined,
)

test('no address of a private network is read through a live badge', async () => {
  const strict = await startService({ env: { DEMO_DAILY_QUOTA: '1000' } })
  for (const { url } of blocked) {
    const query = new URLSearchParams({ demo: '1', endpoint: url })
    const response = await fetch(`${strict.url}/api/badge?${query}`)
    expect([400, 403], url).toContain(response.status)
  }
  await strict.stop()
  expect(blocked.length).toBeGreaterThan(30)
})

/** Loopback is allowed in the other tests. */
const isLoopback = /127|１２７|localhost|::1|0x7f|2130706433|017700000001/i

test('no redirect of a document leads into a private network', async () => {
  const others = blocked.filter(({ url }) => !isLoopback.test(url))
  for (const { url } of others) {
    const moved = await ask({ json: `${origin}/to?url=${encodeURIComponent(url)}`, query: '$.message' })
    expect([403, 502], url).toContain(moved.status)
  }
  expect(others.length).toBeGreaterThan(15)
})
