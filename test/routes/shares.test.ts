import { expect, test } from 'bun:test'
import { createHmac } from 'node:crypto'
import type { KeyPair } from '../../src/client/types.ts'
import { canonicalQuery } from '../../src/lib/query-pairs.ts'
import { issueKeyPair } from '../support/issue-key-pair.ts'
import { startService } from '../support/service.ts'
import { signAddress } from '../support/sign-address.ts'
import { started } from '../support/started.ts'

const server = started(() => startService({ env: { KEYS_PER_IP_PER_DAY: '100', KEY_DAILY_QUOTA: '1000' } }))

const words = { title: 'Hello', url: 'example.com' }
const slack = 'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)'
const browser =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36'

function hmac({ secret }: KeyPair, text: string): string {
  return createHmac('sha256', secret).update(text).digest('hex')
}

function pathAddress(pair: KeyPair, parameters: Readonly<Record<string, string>> = words): string {
  return signAddress(pair, parameters)
}

function queryAddress(pair: KeyPair, parameters: Readonly<Record<string, string>> = words): string {
  const exp = String(Math.floor(Date.now() / 1000) + 86_400)
  const query = canonicalQuery(Object.entries({ ...parameters, key: pair.key, exp }))
  return `/api/og?${query}&sig=${hmac(pair, `GET /api/og?${query}`)}`
}

function nowQuery(pair: KeyPair, path: string): string {
  const t = Math.floor(Date.now() / 1000)
  return `key=${pair.key}&t=${t}&sig=${hmac(pair, `${t}.GET ${path}`)}`
}

function get(path: string, userAgent: string, init: RequestInit = {}): Promise<Response> {
  return fetch(server.url + path, { ...init, headers: { ...init.headers, 'user-agent': userAgent } })
}

interface Shared {
  readonly network: string
  readonly count: number
  readonly title: string | null
  readonly url: string | null
}

async function sharesOf(pair: KeyPair): Promise<readonly Shared[]> {
  const usage = await fetch(`${server.url}/api/usage?${nowQuery(pair, '/api/usage')}`)
  return ((await usage.json()) as { readonly shares: readonly Shared[] }).shares
}

/** Waits until the key has as many previews. */
async function sharesOnce(pair: KeyPair, total: number): Promise<readonly Shared[]> {
  for (;;) {
    const shares = await sharesOf(pair)
    if (shares.reduce((sum, { count }) => sum + count, 0) >= total) return shares
    await Bun.sleep(20)
  }
}

test.each([
  ['in the path', pathAddress],
  ['in the query', queryAddress],
])('previews of an address %s are counted by network, however it is spelt', async (_, address) => {
  const pair = await issueKeyPair(server)
  const path = address(pair)
  const first = await get(path, slack)
  expect(first.status).toBe(200)
  const mark = path.includes('?') ? '&' : '?'
  expect((await get(`${path}${mark}fbclid=1`, slack)).status).toBe(200)
  const etag = first.headers.get('etag') ?? ''
  expect((await get(path, slack, { headers: { 'if-none-match': etag } })).status).toBe(304)
  expect((await get(path, 'Twitterbot/1.0')).status).toBe(200)
  const shares = await sharesOnce(pair, 4)
  const day = new Date().toISOString().slice(0, 10)
  const expected = [
    { day, network: 'slack', count: 3, ...words },
    { day, network: 'x', count: 1, ...words },
  ]
  expect(shares as unknown).toEqual(expected)
})

test('people, search engines, HEAD, refusals and other calls are not counted', async () => {
  const pair = await issueKeyPair(server)
  const path = pathAddress(pair)
  for (const userAgent of [browser, 'Googlebot-Image/1.0', 'curl/8.5.0', '']) await get(path, userAgent)
  await get(path, slack, { method: 'HEAD' })
  await get(path.replace(/\/[0-9a-f]{32}\./, `/${'0'.repeat(32)}.`), slack)
  await get(pathAddress(pair, { ...words, size: 'none' }), slack)
  await get(`/api/og?title=Hello&${nowQuery(pair, '/api/og')}`, slack)
  await get('/api/og?title=Hello&demo=1', slack)
  await get(pathAddress(pair, { title: 'The last one' }), slack)
  const expected = [{ title: 'The last one', count: 1 }]
  expect((await sharesOnce(pair, 1)).map(({ title, count }) => ({ title, count }))).toEqual(expected)
})

test('nobody but the key is told of it', async () => {
  const pair = await issueKeyPair(server)
  await get(pathAddress(pair), slack)
  await sharesOnce(pair, 1)
  const open = await (await fetch(`${server.url}/api/usage?key=${pair.key}`)).text()
  expect(open).not.toContain('shares')
  expect(await sharesOf(await issueKeyPair(server))).toEqual([])
})

test('what more cards are fetched than a key has rows for is added up by network', async () => {
  const pair = await issueKeyPair(server)
  const paths = Array.from({ length: 310 }, (_, n) => pathAddress(pair, { title: `Card ${n}` }))
  for (let start = 0; start < paths.length; start += 10)
    await Promise.all(paths.slice(start, start + 10).map((path) => get(path, slack)))
  const shares = await sharesOnce(pair, 310)
  expect(shares.length).toBeLessThanOrEqual(300)
  const [rest] = shares.filter(({ title }) => title === null)
  expect(rest).toMatchObject({ network: 'slack', url: null, count: 310 - (shares.length - 1) })
})
