import { beforeAll, describe, expect, test } from 'bun:test'
import { spawnSync } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { signUrl } from '../../src/client/sign-url.ts'
import { openAdminServer } from '../admin/support/admin-server.ts'
import { temporaryDirectory } from '../store/temporary-directory.ts'
import { startServer } from '../support/server.ts'
import { startService } from '../support/service.ts'
import { signEmbed } from '../support/sign-embed.ts'
import { started } from '../support/started.ts'
import { everythingIn } from '../support/test-store.ts'

const dayMs = 86_400_000
const server = started(() => startServer({ env: { KEYS_PER_IP_PER_DAY: '3', TRUSTED_PROXIES: '127.0.0.1' } }))
const folder = temporaryDirectory()

function from(address: string) {
  return { headers: { 'x-forwarded-for': address } }
}

/** Runs a line in an empty folder. One that asks for a card has to leave one there. */
function runIn(shell: 'sh' | 'bash', line: string) {
  rmSync(join(folder, 'card.svg'), { force: true })
  const run = spawnSync(shell, ['-c', line], { cwd: folder, encoding: 'utf8' })
  if (line.includes('card.svg')) expect(readFileSync(join(folder, 'card.svg'), 'utf8')).toStartWith('<svg ')
  return run
}

describe('a key that anybody is issued', () => {
  test('is in lines, and works at once: the signed example, and every line as it stands in the JSON, pasted into a shell', async () => {
    const response = await fetch(`${server.url}/api/key`, from('192.0.2.1'))
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(response.headers.get('x-robots-tag')).toBe('noindex')
    const text = await response.text()
    expect(text).toMatch(/^\{\n {2}"id": .*\n\}\n$/s)
    const pair = JSON.parse(text)
    expect(pair.id).toMatch(/^mk_[a-z0-9]+$/)
    expect(pair.secret).toMatch(/^[0-9a-f]{64}$/)
    expect(pair).not.toHaveProperty('expires_at')
    expect(pair.signed_example.payload_to_sign).toBe(`${pair.signed_example.unix_seconds}.GET /api/og`)

    const example = await fetch(pair.signed_example.url)
    expect([example.status, example.headers.get('x-auth-mode')]).toEqual([200, 'key'])
    // Not what the JSON means, but what somebody sees and copies.
    const copied = text.match(/"examples": \[\n +"(.*?)"\n +\]/s)?.[1]?.split(/",\n +"/) ?? []
    expect(copied).toHaveLength(4)
    for (const line of copied) expect(runIn('sh', line)).toMatchObject({ status: 0, stderr: '' })
    const used = runIn('bash', copied.at(-1) ?? '').stdout
    expect(JSON.parse(used)).toMatchObject({ key: pair.id, used: 4, limit: 100, remaining: 96 })
  })

  test('is in no backup of the database: the file holds no secret', async () => {
    const { id, secret } = await (await fetch(`${server.url}/api/key`, from('192.0.2.2'))).json()
    const bytes = await everythingIn(join(server.dataDir, 'mintmark.sqlite'))
    expect([bytes.includes(id), bytes.includes(secret)]).toEqual([true, false])
    expect(bytes.includes(Buffer.from(secret, 'hex'))).toBe(false)
  })

  test('is counted by address, an IPv6 network as one, and refused beyond the day’s number', async () => {
    const addresses = ['2001:db8:1:2::1', '2001:db8:1:2::2', '2001:db8:1:2:ffff::3', '2001:db8:1:2::4']
    const answers = await Promise.all(
      addresses.map((address) => fetch(`${server.url}/api/key`, from(address))),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 429])
    const refused = answers.find(({ status }) => status === 429)
    expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0)
    const { code, detail } = (await refused?.json()) ?? {}
    expect(code).toBe('rate_limited')
    const midnight = new Date(Math.ceil(Date.now() / dayMs) * dayMs).toISOString().slice(0, 16)
    for (const part of [`at most 3 keys a day`, `until ${midnight}Z`]) expect(detail).toContain(part)
    expect(detail).toContain('operator can create a key for you, or raise KEYS_PER_IP_PER_DAY')
    expect((await fetch(`${server.url}/api/key`, from('2001:db8:1:3::1'))).status).toBe(200)
  })

  test('is not minted by those who only look', async () => {
    const address = '192.0.2.9'
    for (let count = 0; count < 5; count++) {
      const head = await fetch(`${server.url}/api/key`, { ...from(address), method: 'HEAD' })
      expect(head.status).toBe(200)
      expect(head.headers.get('content-length')).toBeNull()
      const guess = { 'x-forwarded-for': address, 'sec-purpose': 'prefetch;prerender' }
      expect(await (await fetch(`${server.url}/api/key`, { headers: guess })).text()).toBe('')
      const preview = { 'x-forwarded-for': address, 'x-purpose': 'preview' }
      expect((await fetch(`${server.url}/api/key`, { headers: preview })).status).toBe(204)
    }
    const answers = [1, 2, 3].map(() => fetch(`${server.url}/api/key`, from(address)))
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([200, 200, 200])
  })
})

describe('a key that anybody is issued for some days', () => {
  test('says when it ends, and its examples work', async () => {
    const beforeMs = Date.now()
    const response = await fetch(`${server.url}/api/key?expires=2`, from('192.0.2.20'))
    const pair = await response.json()
    const lifeMs = Date.parse(pair.expires_at) - beforeMs
    expect(lifeMs).toBeGreaterThanOrEqual(2 * dayMs - 1_000)
    expect(lifeMs).toBeLessThan(2 * dayMs + 60_000)
    expect((await fetch(pair.signed_example.url)).status).toBe(200)
    for (const line of pair.examples) expect(runIn('sh', line)).toMatchObject({ status: 0, stderr: '' })
  })

  test('is not issued when what was asked for cannot be read or is not there: never one that does not end', async () => {
    const wrong = [
      ...['', '0', '-1', '3651', '1.5', '1e2', '07', ' 7', '7d', 'never', '٣', '9'.repeat(400), '%ff'],
      ...['30&expires=30', '30&expires='],
    ].map((text) => ['expires', `expires=${text}`] as const)
    const queries = [
      ...wrong,
      ['Expires', 'Expires=30'],
      ['hosts', 'hosts'],
      ['Hosts', 'Hosts=example.com'],
      ['hosts', 'hosts=example.com&hosts=example.org'],
    ] as const
    const address = '192.0.2.21'
    for (const [parameter, query] of queries) {
      const url = `${server.url}/api/key?${query}`
      const answer = await fetch(url, from(address))
      expect([query, answer.status]).toEqual([query, 400])
      const { code, errors } = await answer.json()
      const expected = ['invalid_query', [parameter]]
      expect([code, errors.map((error: { parameter: string }) => error.parameter)]).toEqual(expected)
      expect((await fetch(url, { ...from(address), method: 'HEAD' })).status).toBe(400)
    }
    const escaped = await (await fetch(`${server.url}/api/key?a=b&amp;expires=30`, from('192.0.2.22'))).json()
    expect(escaped.id === undefined || escaped.expires_at !== undefined).toBe(true)
    const both = await (await fetch(`${server.url}/api/key?expires=x&hosts=a`, from(address))).json()
    expect(both.errors).toMatchObject([{ parameter: 'expires' }, { parameter: 'hosts' }])
    const answers = ['1', '3650', '30&utm_source=a'].map((query) =>
      fetch(`${server.url}/api/key?expires=${query}`, from(address)),
    )
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([200, 200, 200])
  })
})

test('an operator who keeps the keys hands out none', async () => {
  const closed = await startServer({ env: { PUBLIC_KEYS: 'off' } })
  const answer = await fetch(`${closed.url}/api/key`)
  expect(answer.status).toBe(403)
  expect(await answer.json()).toMatchObject({ code: 'issuing_closed' })
  expect((await fetch(`${closed.url}/api/key`, { method: 'HEAD' })).status).toBe(403)
  const stats = await (await fetch(`${closed.url}/api/stats?format=json&demo=1`)).json()
  expect(stats.keys).toEqual({ issued: 0 })
  await closed.stop()
})

const env = {
  UPGRADE_PAYMENT_LINK: 'https://pay.example/buy?plan=1',
  DONATION_LINKS: 'Tip=https://tip.example/',
}
const instead =
  'There is nothing to pay here. The operator lifts the quota of a key; so does the page https://pay.example/buy?plan=1. Donations are welcome: Tip, https://tip.example/.'
let id: string

const apiUpgradeServer = started(() => startService({ env }))
beforeAll(async () => {
  id = (await (await fetch(`${apiUpgradeServer.url}/api/key`)).json()).id
})

function post(path: string, init: RequestInit = {}) {
  return fetch(`${apiUpgradeServer.url}${path}`, { method: 'POST', ...init })
}

describe('the ways to lift a quota', () => {
  test('are listed, the default first, without x402 where there is no wallet', async () => {
    const links = [
      { type: 'payment_link', url: 'https://pay.example/buy?plan=1' },
      { type: 'donation', name: 'Tip', url: 'https://tip.example/' },
    ]
    const ways = await (await fetch(`${apiUpgradeServer.url}/api/upgrade`)).json()
    expect(ways).toEqual({ default: 'payment_link', paths: links, detail: instead })
  })

  test('where payments are off nothing is lifted or offered, and every answer says what there is instead', async () => {
    const json = { 'content-type': 'application/json' }
    const form = { 'content-type': 'application/x-www-form-urlencoded' }
    const parts = new FormData()
    parts.set('key', id)
    const answers = [
      await post('/api/upgrade', { body: parts }),
      await post(`/api/upgrade?key=${id}`),
      await post('/api/upgrade', { body: `key=${id}`, headers: form }),
      await post('/api/upgrade', { body: JSON.stringify({ key: id }), headers: json }),
    ]
    for (const answer of answers) {
      expect([answer.status, answer.headers.get('cache-control')]).toEqual([402, 'no-store'])
      const body = await answer.json()
      expect(body).toMatchObject({ x402Version: 1, error: 'payment_required', accepts: [], detail: instead })
      expect(body).not.toHaveProperty('transfer')
      for (const name of ['payment-required', 'www-authenticate']) expect(answer.headers.get(name)).toBeNull()
      expect(body.payment_link).toBe(`https://pay.example/buy?plan=1&client_reference_id=${id}`)
    }
    const usage = await (await fetch(`${apiUpgradeServer.url}/api/usage?key=${id}`)).json()
    expect(usage).toMatchObject({ plan: 'free', limit: 100 })
  })

  test('a payment where no wallet is configured is refused by name', async () => {
    const answer = await post(`/api/upgrade?key=${id}`, { headers: { 'x-payment': `0x${'a'.repeat(64)}` } })
    expect(answer.status).toBe(402)
    expect(await answer.json()).toMatchObject({ error: 'payments_off', detail: instead })
  })
})

const wrong = [
  { name: 'no key', path: '/api/upgrade', status: 400, code: 'invalid_query' },
  { name: 'a stranger’s key', path: '/api/upgrade?key=mk_nobody', status: 404, code: 'unknown_key' },
  { name: 'the key twice', path: '/api/upgrade?key=a&key=b', status: 400, code: 'invalid_query' },
] as const

test('two keys in one call are a mistake, wherever they stand', async () => {
  const json = { 'content-type': 'application/json' }
  const answer = await post(`/api/upgrade?key=${id}`, { body: '{"key":"mk_other"}', headers: json })
  expect(answer.status).toBe(400)
  expect(await answer.json()).toMatchObject({ errors: [{ parameter: 'key' }] })
})

for (const { name, path, status, code } of wrong)
  test(`${name}: ${status}, and nothing is charged`, async () => {
    const answer = await post(path)
    expect(answer.status).toBe(status)
    expect(await answer.json()).toMatchObject({ code })
  })

test('a body that is not JSON is said to be so', async () => {
  const answer = await post('/api/upgrade', { body: '{', headers: { 'content-type': 'application/json' } })
  expect(answer.status).toBe(400)
  expect(await answer.json()).toMatchObject({ code: 'invalid_body' })
})

const keyEndServer = started(() => openAdminServer({ env: { KEYS_PER_IP_PER_DAY: '50' } }))

interface Issued {
  readonly pair: { readonly key: string; readonly secret: string }
  readonly endMs: number
}

async function issue(): Promise<Issued> {
  const { id, secret, expires_at } = await (await fetch(`${keyEndServer.url}/api/key?expires=1`)).json()
  return { pair: { key: id, secret }, endMs: Date.parse(expires_at) }
}

function nowSeconds(): number {
  return Math.floor(keyEndServer.clock.now() / 1000)
}

/** Addresses that the key signs: for years, for now, and for what has no price. */
async function addresses({ pair }: Issued) {
  const exp = nowSeconds() + 400 * 86_400
  const t = { t: nowSeconds() }
  return {
    card: await signEmbed(`${keyEndServer.url}/api/og`, { title: 'Ends' }, pair, exp),
    badge: await signEmbed(`${keyEndServer.url}/api/badge`, { value: 'ends' }, pair, exp),
    signed: await signUrl(`${keyEndServer.url}/api/og?title=Ends`, pair, t),
    avatar: await signUrl(`${keyEndServer.url}/api/avatar?name=Ends`, pair, t),
    usage: await signUrl(`${keyEndServer.url}/api/usage`, pair, t),
  }
}

async function statuses(urls: readonly string[], init?: RequestInit) {
  return await Promise.all(urls.map(async (url) => (await fetch(url, init)).status))
}

describe('over HTTP a key that was issued for a day', () => {
  test('grants everything to its last moment and nothing from then on, however often it was asked before', async () => {
    const issued = await issue()
    const before = await addresses(issued)
    for (let times = 0; times < 3; times += 1)
      expect(await statuses(Object.values(before))).toEqual([200, 200, 200, 200, 200])
    keyEndServer.clock.aheadMs += dayMs
    const after = [...Object.values(before), ...Object.values(await addresses(issued))]
    for (const method of ['GET', 'HEAD'])
      for (const status of await statuses(after, { method })) expect(status).toBe(402)
    const answer = await fetch(before.card)
    expect(answer.headers.get('cache-control')).toBe('no-store')
    const { error, detail } = await answer.json()
    expect([error, detail]).toEqual(['invalid_key', expect.stringContaining('This key has ended')])
    const [page, picture] = await Promise.all([
      fetch(before.usage),
      fetch(before.badge, { headers: { accept: 'image/svg+xml' } }),
    ])
    expect(await page.text()).not.toContain('last_7_days')
    expect([picture.status, await picture.text()]).toEqual([402, expect.stringContaining('<svg')])
  })

  test('leaves the demo to those who ask for it as well, and is not upgraded for money', async () => {
    const issued = await issue()
    keyEndServer.clock.aheadMs += dayMs
    const { signed } = await addresses(issued)
    const demo = await fetch(`${signed}&demo=1`)
    expect([demo.status, demo.headers.get('x-auth-mode')]).toEqual([200, 'demo'])
    const upgrade = await fetch(`${keyEndServer.url}/api/upgrade?key=${issued.pair.key}`, { method: 'POST' })
    expect(upgrade.status).toBe(404)
    const { code, detail } = await upgrade.json()
    expect([code, detail]).toEqual(['unknown_key', expect.stringContaining('has ended')])
    const usage = await fetch(`${keyEndServer.url}/api/usage?key=${issued.pair.key}`)
    expect(await usage.json()).toMatchObject({ used: 0, plan: 'free' })
  })
})
