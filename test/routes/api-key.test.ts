import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startServer } from '../support/server.ts'
import { started } from '../support/started.ts'
import { everythingIn } from '../support/test-store.ts'

const dayMs = 86_400_000
let folder: string

const server = started(() => startServer({ env: { KEYS_PER_IP_PER_DAY: '3', TRUSTED_PROXIES: '127.0.0.1' } }))
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'mintmark-key-'))
})
afterAll(async () => {
  rmSync(folder, { recursive: true })
})

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
    expect(example.status).toBe(200)
    expect(example.headers.get('x-auth-mode')).toBe('key')
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
    const { code, detail } = (await refused?.json()) ?? {}
    expect(code).toBe('rate_limited')
    const midnight = new Date(Math.ceil(Date.now() / dayMs) * dayMs).toISOString().slice(0, 16)
    expect(detail).toContain(`at most 3 keys a day`)
    expect(detail).toContain(`until ${midnight}Z`)
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
      expect([code, errors.map((error: { parameter: string }) => error.parameter)]).toEqual([
        'invalid_query',
        [parameter],
      ])
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
  await closed.stop()
})
