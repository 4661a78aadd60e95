import { describe, expect, test } from 'bun:test'
import { createHmac } from 'node:crypto'
import { startService } from '../support/service.ts'
import { started } from '../support/started.ts'

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
