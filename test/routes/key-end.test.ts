import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { signUrl } from '../../src/client/sign-url.ts'
import { type AdminServer, openAdminServer } from '../admin/support/admin-server.ts'
import { signEmbed } from '../support/sign-embed.ts'

const dayMs = 86_400_000
let server: AdminServer

beforeAll(async () => {
  server = await openAdminServer({ env: { KEYS_PER_IP_PER_DAY: '50' } })
})
afterAll(() => server?.close())

interface Issued {
  readonly pair: { readonly key: string; readonly secret: string }
  readonly endMs: number
}

async function issue(): Promise<Issued> {
  const { id, secret, expires_at } = await (await fetch(`${server.url}/api/key?expires=1`)).json()
  return { pair: { key: id, secret }, endMs: Date.parse(expires_at) }
}

function nowSeconds(): number {
  return Math.floor(server.clock.now() / 1000)
}

/** Addresses that the key signs: for years, for now, and for what has no price. */
async function addresses({ pair }: Issued) {
  const exp = nowSeconds() + 400 * 86_400
  const t = { t: nowSeconds() }
  return {
    card: await signEmbed(`${server.url}/api/og`, { title: 'Ends' }, pair, exp),
    badge: await signEmbed(`${server.url}/api/badge`, { value: 'ends' }, pair, exp),
    signed: await signUrl(`${server.url}/api/og?title=Ends`, pair, t),
    avatar: await signUrl(`${server.url}/api/avatar?name=Ends`, pair, t),
    usage: await signUrl(`${server.url}/api/usage`, pair, t),
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
    server.clock.aheadMs += dayMs
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
    server.clock.aheadMs += dayMs
    const { signed } = await addresses(issued)
    const demo = await fetch(`${signed}&demo=1`)
    expect([demo.status, demo.headers.get('x-auth-mode')]).toEqual([200, 'demo'])
    const upgrade = await fetch(`${server.url}/api/upgrade?key=${issued.pair.key}`, { method: 'POST' })
    expect(upgrade.status).toBe(404)
    const { code, detail } = await upgrade.json()
    expect([code, detail]).toEqual(['unknown_key', expect.stringContaining('has ended')])
    const usage = await fetch(`${server.url}/api/usage?key=${issued.pair.key}`)
    expect(await usage.json()).toMatchObject({ used: 0, plan: 'free' })
  })
})
