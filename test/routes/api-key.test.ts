import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startServer, type TestServer } from '../support/server.ts'
import { everythingIn } from '../support/test-store.ts'

let server: TestServer
let folder: string

beforeAll(async () => {
  server = await startServer({ env: { KEYS_PER_IP_PER_DAY: '3', TRUSTED_PROXIES: '127.0.0.1' } })
  folder = mkdtempSync(join(tmpdir(), 'mintmark-key-'))
})
afterAll(async () => {
  await server.stop()
  rmSync(folder, { recursive: true })
})

function from(address: string) {
  return { headers: { 'x-forwarded-for': address } }
}

describe('a key that anybody is issued', () => {
  test('works at once: the signed example, and every line when pasted into a shell', async () => {
    const response = await fetch(`${server.url}/api/key`, from('192.0.2.1'))
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(response.headers.get('x-robots-tag')).toBe('noindex')
    const pair = await response.json()
    expect(pair.id).toMatch(/^mk_[a-z0-9]+$/)
    expect(pair.secret).toMatch(/^[0-9a-f]{64}$/)
    expect(pair.signed_example.payload_to_sign).toBe(`${pair.signed_example.unix_seconds}.GET /api/og`)

    const example = await fetch(pair.signed_example.url)
    expect(example.status).toBe(200)
    expect(example.headers.get('x-auth-mode')).toBe('key')
    for (const line of pair.examples) {
      rmSync(join(folder, 'card.svg'), { force: true })
      const run = spawnSync('bash', ['-c', line], { cwd: folder, encoding: 'utf8' })
      expect({ line, status: run.status, errors: run.stderr }).toEqual({ line, status: 0, errors: '' })
      if (line.includes('card.svg'))
        expect(readFileSync(join(folder, 'card.svg'), 'utf8')).toStartWith('<svg ')
      else expect(JSON.parse(run.stdout)).toMatchObject({ key: pair.id, used: 4, limit: 100, remaining: 96 })
    }
  })

  test('is in no backup of the database: the file holds no secret', async () => {
    const { id, secret } = await (await fetch(`${server.url}/api/key`, from('192.0.2.2'))).json()
    const bytes = await everythingIn(join(server.dataDir, 'mintmark.sqlite'))
    expect(bytes.includes(id)).toBe(true)
    expect(bytes.includes(secret)).toBe(false)
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
    expect(await refused?.json()).toMatchObject({ code: 'rate_limited', status: 429 })
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
    }
    const answers = [1, 2, 3].map(() => fetch(`${server.url}/api/key`, from(address)))
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([200, 200, 200])
  })
})

test('an operator who keeps the keys hands out none', async () => {
  const closed = await startServer({ env: { PUBLIC_KEYS: 'off' } })
  const answer = await fetch(`${closed.url}/api/key`)
  expect(answer.status).toBe(403)
  expect(await answer.json()).toMatchObject({ code: 'issuing_closed' })
  await closed.stop()
})
