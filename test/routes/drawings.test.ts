import { describe, expect, test } from 'bun:test'
import { signUrl } from '../../src/client/index.ts'
import { type AdminServer, openAdminServer } from '../admin/support/admin-server.ts'
import { logIn } from '../admin/support/operator.ts'
import { signAddress } from '../support/sign-address.ts'
import { signEmbed } from '../support/sign-embed.ts'
import { started } from '../support/started.ts'
import { sampleSize, slowTest } from '../support/test-size.ts'

interface Pair {
  readonly path: string
  readonly id: string
  readonly secret: string
}

const bound = 20

function addressOf({ id, secret }: Pair, title: string, extension = 'svg'): string {
  return signAddress({ key: id, secret }, { title }, { extension })
}

function embedOf(server: AdminServer, { id, secret }: Pair, title: string): Promise<string> {
  const endpoint = `${server.url}/api/og`
  return signEmbed(endpoint, { title }, { key: id, secret }, Math.floor(Date.now() / 1000) + 9_000)
}

interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

async function get(url: string, init: RequestInit = {}): Promise<Answer> {
  const response = await fetch(url, init)
  return { status: response.status, headers: response.headers, text: await response.text() }
}

/** The usage that the key is told. */
async function usageOf(server: AdminServer, { id, secret }: Pair) {
  const url = await signUrl(`${server.url}/api/usage`, { key: id, secret })
  const answer = await fetch(url)
  return await answer.json()
}

/** Uses up the drawings of the key. */
async function useUp(server: AdminServer, pair: Pair): Promise<void> {
  for (let i = 0; i < bound; i += 1) await get(server.url + addressOf(pair, `Used up ${i}`))
  expect(await usageOf(server, pair)).toMatchObject({ drawings: { used: bound, limit: bound } })
}

describe('where no picture fits into memory', () => {
  const server = started(() =>
    openAdminServer({
      env: { CACHE_MB: '0', KEY_DAILY_DRAWINGS: String(bound), KEY_DAILY_QUOTA: '1000', LOG_LEVEL: 'error' },
    }),
  )
  const operator = started(() => logIn(server))

  test('every counted address is answered, however often somebody walks through all of them', async () => {
    const pages = sampleSize(300, 80)
    const pair = await operator.createKey()
    const addresses = Array.from({ length: pages }, (_, i) => server.url + addressOf(pair, `Page ${i}`))
    const walks: Answer[] = []
    for (const address of addresses) walks.push(await get(address))
    const others: Answer[] = []
    for (let start = 0; start < addresses.length; start += 10) {
      const views = addresses.slice(start, start + 10).map((address) => get(address))
      others.push(await get(`${server.url}/api/og?demo=1&title=Other%20${start}`))
      walks.push(...(await Promise.all(views)))
    }
    expect(walks.filter(({ status }) => status !== 200)).toEqual([])
    expect(others.filter(({ status }) => status !== 200)).toEqual([])
    expect(await usageOf(server, pair)).toMatchObject({
      used: pages,
      drawings: { used: bound, limit: bound },
    })
  })

  test('what waits behind ten of its key is 503 with Retry-After, counts nothing, and is drawn later', async () => {
    const pair = await operator.createKey()
    await useUp(server, pair)
    const addresses = Array.from({ length: 40 }, (_, i) => server.url + addressOf(pair, `New ${i}`, 'png'))
    const views = await Promise.all(addresses.map((address) => get(address)))
    const refused = views.filter(({ status }) => status !== 200)
    expect(views.length - refused.length).toBeGreaterThanOrEqual(11)
    expect(refused.length).toBeGreaterThan(0)
    for (const { status, headers, text } of refused) {
      expect([status, JSON.parse(text).code, headers.get('retry-after')]).toEqual([503, 'busy', '5'])
    }
    expect((await usageOf(server, pair)).used).toBe(bound + views.length - refused.length)
    for (const address of addresses) expect((await get(address)).status).toBe(200)
    expect((await usageOf(server, pair)).used).toBe(bound + addresses.length)
  })

  test('one picture takes one place, however many look at it in whatever spelling', async () => {
    const pair = await operator.createKey()
    await useUp(server, pair)
    const address = server.url + addressOf(pair, 'Popular', 'png')
    const spellings = ['', '?v=2', '?fbclid=abc', ')', '%22%3E', '/']
    const views = await Promise.all(
      Array.from({ length: 60 }, (_, i) => get(address + spellings[i % spellings.length])),
    )
    expect(new Set(views.map(({ status }) => status))).toEqual(new Set([200]))
    expect((await usageOf(server, pair)).used).toBe(bound + 1)
  })

  test('both forms of an address are drawings; HEAD, 304 and calls signed with t are none', async () => {
    const pair = await operator.createKey()
    const address = server.url + addressOf(pair, 'Seen')
    const { headers } = await get(address)
    await get(await embedOf(server, pair, 'Seen in the query'))
    const drawn = { drawings: { used: 2, limit: bound } }
    expect(await usageOf(server, pair)).toMatchObject(drawn)
    const validator = { 'if-none-match': headers.get('etag') ?? '' }
    expect((await get(address, { method: 'HEAD' })).status).toBe(200)
    expect((await get(address, { headers: validator })).status).toBe(304)
    const call = await signUrl(`${server.url}/api/og?title=Called`, { key: pair.id, secret: pair.secret })
    expect((await get(call)).status).toBe(200)
    expect(await usageOf(server, pair)).toMatchObject(drawn)
  })

  test('only the key is told, the operator sees it, and without a quota there is no limit', async () => {
    const pair = await operator.createKey()
    await useUp(server, pair)
    const expected = 'drawings'
    expect(await (await fetch(`${server.url}/api/usage?key=${pair.id}`)).json()).not.toHaveProperty(expected)
    expect(await operator.page(pair.path)).toMatch(/Drawings today<\/dt><dd>20 <small>of 20/)
    await operator.post(`${pair.path}/upgrade`)
    await get(server.url + addressOf(pair, 'After the upgrade'))
    expect(await usageOf(server, pair)).toMatchObject({ drawings: { used: bound + 1, limit: null } })
    expect(await operator.page(pair.path)).toMatch(/Drawings today<\/dt><dd>21 <small>no limit/)
  })
})

slowTest(
  'a stranger who keeps every place of a key taken does not hide pictures that are in memory',
  async () => {
    const server = await openAdminServer({
      env: { KEY_DAILY_DRAWINGS: String(bound), KEY_DAILY_QUOTA: '1000', LOG_LEVEL: 'error' },
    })
    const operator = await logIn(server)
    const victim = await operator.createKey()
    await useUp(server, victim)
    const kept = server.url + addressOf(victim, 'Used up 3')
    const walk = Array.from({ length: 40 }, (_, i) =>
      get(server.url + addressOf(victim, `Walked ${i}`, 'png'), {
        headers: { 'accept-encoding': 'identity' },
      }),
    )
    for (const end of ['', '?v=9', '%22%3E', ')', '&quot;&gt;']) {
      const { status, headers } = await get(kept + end)
      expect([status, headers.get('server-timing')]).toEqual([200, expect.stringContaining('desc=hit')])
    }
    await Promise.all(walk)
    expect(await usageOf(server, victim)).toMatchObject({ drawings: { used: bound, limit: bound } })
    await server.close()
  },
)

test('a key has twenty drawings for each call of its quota unless the operator says otherwise', async () => {
  const server = await openAdminServer({ env: { KEY_DAILY_QUOTA: '7', LOG_LEVEL: 'error' } })
  const pair = await (await logIn(server)).createKey()
  await get(server.url + addressOf(pair, 'One'))
  await get(server.url + addressOf(pair, 'One'))
  expect(await usageOf(server, pair)).toMatchObject({ used: 1, drawings: { used: 1, limit: 140 } })
  server.clock.aheadMs += 86_400_000
  expect((await get(server.url + addressOf(pair, 'Two'))).status).toBe(200)
  await server.close()
})
