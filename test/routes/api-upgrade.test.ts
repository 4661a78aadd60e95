import { beforeAll, describe, expect, test } from 'bun:test'
import { startService } from '../support/service.ts'
import { started } from '../support/started.ts'

const env = {
  UPGRADE_PAYMENT_LINK: 'https://pay.example/buy?plan=1',
  DONATION_LINKS: 'Tip=https://tip.example/',
}
const instead =
  'There is nothing to pay here. The operator lifts the quota of a key; so does the page https://pay.example/buy?plan=1. Donations are welcome: Tip, https://tip.example/.'
let id: string

const server = started(() => startService({ env }))
beforeAll(async () => {
  id = (await (await fetch(`${server.url}/api/key`)).json()).id
})

function post(path: string, init: RequestInit = {}) {
  return fetch(`${server.url}${path}`, { method: 'POST', ...init })
}

describe('the ways to lift a quota', () => {
  test('are listed, the default first, without x402 where there is no wallet', async () => {
    const links = [
      { type: 'payment_link', url: 'https://pay.example/buy?plan=1' },
      { type: 'donation', name: 'Tip', url: 'https://tip.example/' },
    ]
    const ways = await (await fetch(`${server.url}/api/upgrade`)).json()
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
      expect(answer.status).toBe(402)
      expect(answer.headers.get('cache-control')).toBe('no-store')
      const body = await answer.json()
      expect(body).toMatchObject({ x402Version: 1, error: 'payment_required', accepts: [], detail: instead })
      expect(body).not.toHaveProperty('transfer')
      for (const name of ['payment-required', 'www-authenticate']) expect(answer.headers.get(name)).toBeNull()
      expect(body.payment_link).toBe(`https://pay.example/buy?plan=1&client_reference_id=${id}`)
    }
    const usage = await (await fetch(`${server.url}/api/usage?key=${id}`)).json()
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
