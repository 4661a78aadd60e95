import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createHmac } from 'node:crypto'
import { embedUrl } from '../../src/client/embed-url.ts'
import { signUrl } from '../../src/client/sign-url.ts'
import type { KeyPair } from '../../src/client/types.ts'
import { type AdminServer, openAdminServer, operatorPassword } from '../admin/support/admin-server.ts'
import { logIn, type Operator, send } from '../admin/support/operator.ts'
import { adminKeyId } from '../admin/support/seed-admin.ts'
import { eventually } from '../support/eventually.ts'
import { startService } from '../support/service.ts'
import { started } from '../support/started.ts'
import { startPageSite } from './support/page-site.ts'

const server = started(() => startService({ env: { KEYS_PER_IP_PER_DAY: '50' } }))

test('usage shows what a key has used and has left, with the last seven days', async () => {
  const pair = await (await fetch(`${server.url}/api/key`)).json()
  await fetch(pair.signed_example.url)
  await fetch(pair.signed_example.url)
  const usage = await (await fetch(`${server.url}/api/usage?key=${pair.id}`)).json()
  expect(usage).toMatchObject({ key: pair.id, plan: 'free', used: 2, limit: 100, remaining: 98 })
  expect(usage.last_7_days).toHaveLength(7)
  expect(usage.last_7_days.at(-1)).toEqual({ day: usage.day, used: 2 })
  expect(Date.parse(usage.resets_at)).toBe(Date.parse(usage.day) + 86_400_000)
})

test('asking costs nothing', async () => {
  const { id } = await (await fetch(`${server.url}/api/key`)).json()
  for (let count = 0; count < 3; count++) await fetch(`${server.url}/api/usage?key=${id}`)
  expect((await (await fetch(`${server.url}/api/usage?key=${id}`)).json()).used).toBe(0)
})

test('a key that nobody has is not found, and no key is a mistake', async () => {
  const missing = await fetch(`${server.url}/api/usage?key=mk_nobody`)
  expect(missing.status).toBe(404)
  expect(await missing.json()).toMatchObject({ code: 'unknown_key' })
  expect((await fetch(`${server.url}/api/usage`)).status).toBe(400)
})

test('an id of odd characters is one that nobody has, or a mistake', async () => {
  for (const id of ['%00', 'mk_%00a', '%ED%A0%80', '%F0%9F%98%80', "'", '%25', '%5C', 'a'.repeat(2_000)])
    expect([400, 404]).toContain((await fetch(`${server.url}/api/usage?key=${id}`)).status)
})

describe('a call that the key signed', () => {
  function signedQuery({ id, secret }: Pair, t: number, target = 'GET /api/usage') {
    const sig = createHmac('sha256', secret).update(`${t}.${target}`).digest('hex')
    return `key=${id}&t=${t}&sig=${sig}`
  }
  async function issue(query = ''): Promise<Pair> {
    return await (await fetch(`${server.url}/api/key${query}`)).json()
  }
  const now = () => Math.floor(Date.now() / 1000)

  test('is told when the key ends, which others are not, and is not counted', async () => {
    const pair = await issue('?expires=30')
    const open = await (await fetch(`${server.url}/api/usage?key=${pair.id}`)).json()
    expect(open).not.toHaveProperty('expires_at')
    for (let count = 0; count < 3; count++) {
      const answer = await fetch(`${server.url}/api/usage?${signedQuery(pair, now())}`)
      expect(answer.headers.get('cache-control')).toBe('no-store')
      expect(await answer.json()).toEqual({
        ...open,
        drawings: { used: 0, limit: 2000 },
        assets: null,
        over_quota: 0,
        expires_at: pair.expires_at,
        shares: [],
      })
    }
    const head = await fetch(`${server.url}/api/usage?${signedQuery(pair, now())}`, { method: 'HEAD' })
    expect(head.status).toBe(200)
    const lasting = await issue()
    const told = await (await fetch(`${server.url}/api/usage?${signedQuery(lasting, now())}`)).json()
    expect(told).toMatchObject({ expires_at: null, used: 0 })
  })

  test('gets nothing of the answer where the signature is wrong', async () => {
    const pair = await issue('?expires=30')
    const other = await issue()
    const wrong = [
      ['invalid_signature', signedQuery({ ...pair, secret: other.secret }, now())],
      ['invalid_signature', signedQuery(pair, now(), 'GET /api/og')],
      ['invalid_signature', signedQuery(pair, now(), 'POST /api/usage')],
      ['stale_signature', signedQuery(pair, now() - 400)],
      ['stale_signature', signedQuery(pair, now() + 400)],
    ] as const
    for (const [code, query] of wrong)
      for (const more of ['', '&demo=1']) {
        const answer = await fetch(`${server.url}/api/usage?${query}${more}`)
        expect([query, answer.status]).toEqual([query, 402])
        const text = await answer.text()
        expect(JSON.parse(text)).toMatchObject({ error: code, accepts: [] })
        for (const told of ['expires_at', 'shares', 'last_7_days', 'remaining'])
          expect(text).not.toContain(told)
      }
  })

  test('is a mistake where a part of the signature is missing, twice or of another kind', async () => {
    const pair = await issue()
    const [key, t, sig] = signedQuery(pair, now()).split('&')
    const wrong = [
      ['sig', `${key}&${t}`],
      ['t', `${key}&${sig}`],
      ['key', `${t}&${sig}`],
      ['t', `${key}&t=now&${sig}`],
      ['sig', `${key}&${t}&sig=short`],
      ['key', `${key}&${key}&${t}&${sig}`],
      ['exp', `${key}&exp=${now() + 60}&${sig}`],
      ['exp', `${key}&${t}&exp=${now() + 60}&${sig}`],
    ] as const
    for (const [parameter, query] of wrong) {
      const answer = await fetch(`${server.url}/api/usage?${query}`)
      expect([query, answer.status]).toEqual([query, 400])
      expect((await answer.json()).errors).toMatchObject([{ parameter }])
    }
  })
})

interface Pair {
  readonly id: string
  readonly secret: string
  readonly expires_at?: string
}

const threeDaysMs = 3 * 86_400_000
const env = {
  FETCH_UNPAID_PER_MINUTE: '2',
  KEYS_PER_IP_PER_DAY: '1',
  PLAYGROUND_PER_IP_PER_DAY: '1',
  DEMO_DAILY_QUOTA: '100',
}
let clockSetBackServer: AdminServer
let operator: Operator
/** A clock that runs three days ahead, under which everything is used up, and is then set right. */
beforeAll(async () => {
  clockSetBackServer = await openAdminServer({ env, seed: {} })
  clockSetBackServer.clock.aheadMs = threeDaysMs
  operator = await logIn(clockSetBackServer)
  await Promise.all(useUp())
  for (let n = 0; n < 6; n += 1) await send(`${clockSetBackServer.url}/admin/login`, { password: 'wrong' })
  clockSetBackServer.clock.aheadMs = 0
})
afterAll(() => clockSetBackServer.close())

function preview() {
  return fetch(
    `${clockSetBackServer.url}/api/transform?kind=preview&url=https%3A%2F%2Fsite${Math.random()}.invalid%2F&demo=1`,
  )
}
function useUp() {
  return [
    preview(),
    preview(),
    preview(),
    fetch(`${clockSetBackServer.url}/api/key`),
    fetch(`${clockSetBackServer.url}/api/key`),
  ]
}

test('no wait is of days: what was used up is free again, or is as long as its own rule says', async () => {
  const answers = await Promise.all([
    ...useUp(),
    send(`${clockSetBackServer.url}/admin/login`, { password: operatorPassword }),
  ])
  for (const { status, headers } of answers) {
    expect(status).not.toBe(500)
    expect(Number(headers.get('retry-after') ?? 0)).toBeLessThanOrEqual(86_400)
  }
})

test('an address that used up its minute has to wait for a minute at most', async () => {
  for (let n = 0; n < 4; n += 1) {
    const { status, headers } = await preview()
    if (status === 429) expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(60)
  }
})

test('the operator gets in, and a session of the time to come is none', async () => {
  expect((await operator.get('/admin')).status).toBe(303)
  expect((await (await logIn(clockSetBackServer)).get('/admin')).status).toBe(200)
})

test('a password that was given in the time to come is not fresh', async () => {
  const now = await logIn(clockSetBackServer)
  clockSetBackServer.clock.aheadMs = -30 * 60_000
  const asked = await now.post(`/admin/keys/${adminKeyId(3)}/rotate`, { overlap: '0' })
  clockSetBackServer.clock.aheadMs = 0
  expect(await asked.text()).toContain('type="password"')
})

test('the time since the start is never negative', async () => {
  clockSetBackServer.clock.aheadMs = -threeDaysMs
  const stats = await (await fetch(`${clockSetBackServer.url}/api/transform?kind=stats`)).json()
  clockSetBackServer.clock.aheadMs = 0
  expect(stats.uptime_seconds).toBe(0)
})

const site = started(startPageSite)
const here = started(() => openAdminServer({ env: site.env }))
const there = started(() => openAdminServer({ env: site.env, dataDir: here.dataDir }))
const keyAssetsOperator = started(() => logIn(here))

async function createKey(assets: string, hosts = '') {
  const fields = { name: 'limited', quota: '50', assets, hosts }
  const { id, secret, path } = await keyAssetsOperator.createKey(fields)
  return { path, pair: { key: id, secret } }
}

async function usedBy({ key }: KeyPair): Promise<number> {
  return (await (await fetch(`${here.url}/api/usage?key=${key}`)).json()).used
}

async function statusOf(url: string, init?: RequestInit): Promise<number> {
  const response = await fetch(url, init)
  await response.arrayBuffer()
  return response.status
}

/** Addresses of a badge that a key signs. */
async function badgesOf(pair: KeyPair): Promise<readonly string[]> {
  return [
    await embedUrl(`${here.url}/api/badge`, { value: 'path' }, pair),
    await signUrl(`${here.url}/api/badge?value=now`, pair),
    await signUrl(`${here.url}/api/transform?kind=badge&value=now`, pair),
  ]
}

describe('a key that is limited to some assets', () => {
  test('grants those, and is refused any other in words, before anything is counted', async () => {
    const { pair } = await createKey('og')
    expect(await statusOf(await embedUrl(`${here.url}/api/og`, { title: 'Allowed' }, pair))).toBe(200)
    for (const url of await badgesOf(pair)) {
      for (const method of ['GET', 'HEAD']) expect([url, await statusOf(url, { method })]).toEqual([url, 402])
      const { error, detail } = await (await fetch(url)).json()
      expect(error).toBe('asset_not_allowed')
      expect(detail).toStartWith('This key may call og, and not badge.')
    }
    expect(await usedBy(pair)).toBe(1)
  })

  test('leaves a call of another asset to the next credentials', async () => {
    const { pair } = await createKey('og')
    const answer = await fetch(await signUrl(`${here.url}/api/badge?value=demo&demo=1`, pair))
    expect([answer.status, answer.headers.get('x-auth-mode'), await usedBy(pair)]).toEqual([200, 'demo', 0])
  })

  test('says nothing of its assets to somebody who cannot sign', async () => {
    const { pair } = await createKey('og')
    const [url = ''] = await badgesOf({ ...pair, secret: '0'.repeat(64) })
    expect((await (await fetch(url)).json()).error).toBe('invalid_signature')
    const open = await (await fetch(`${here.url}/api/usage?key=${pair.key}`)).json()
    expect(open).not.toHaveProperty('assets')
    const own = await fetch(await signUrl(`${here.url}/api/usage`, pair))
    expect((await own.json()).assets).toEqual(['og'])
  })

  test('loses an asset on every server, also what is in memory there and what a reader has a copy of', async () => {
    const { pair, path } = await createKey('og,badge')
    const [badge = ''] = await badgesOf(pair)
    const elsewhere = badge.replace(here.url, there.url)
    const etag = (await fetch(badge)).headers.get('etag') ?? ''
    const again = { headers: { 'if-none-match': etag } }
    for (let view = 0; view < 3; view += 1)
      for (const url of [badge, elsewhere])
        expect([await statusOf(url), await statusOf(url, again)]).toEqual([200, 304])
    expect(
      (
        await keyAssetsOperator.post(`${path}/assets`, [
          ['assets', 'og'],
          ['assets', 'avatar'],
        ])
      ).status,
    ).toBe(303)
    expect([await statusOf(badge), await statusOf(badge, again)]).toEqual([402, 402])
    await eventually(async () => (await statusOf(elsewhere)) === 402)
    expect(await statusOf(elsewhere, again)).toBe(402)
    expect((await keyAssetsOperator.post(`${path}/assets`, {})).status).toBe(303)
    expect(await statusOf(badge)).toBe(200)
    await eventually(async () => (await statusOf(elsewhere)) === 200)
    expect(await usedBy(pair)).toBe(1)
  })

  test('draws cards of its hosts’ pages only where it may call them', async () => {
    const host = 'limited.example.com'
    site.setPage('/tides', '<!doctype html><html lang="en"><title>Tides</title><p>Text.</p>')
    const { pair, path } = await createKey('card', host)
    const siteId = /id="site-id">(ms_[0-9a-z]+)</.exec(await keyAssetsOperator.page(path))?.[1] ?? ''
    const page = site.url('/tides', host)
    const address = `${here.url}/api/card?${new URLSearchParams({ site: siteId, page })}`
    const answer = await fetch(address)
    const again = { headers: { 'if-none-match': answer.headers.get('etag') ?? '' } }
    expect([answer.status, await statusOf(address), await statusOf(address, again)]).toEqual([200, 200, 304])
    await keyAssetsOperator.post(`${path}/assets`, { assets: 'og' })
    expect([await statusOf(address), await statusOf(address, again)]).toEqual([402, 402])
    expect((await (await fetch(address)).json()).error).toBe('asset_not_allowed')
    expect(await usedBy(pair)).toBe(0)
  })
})
