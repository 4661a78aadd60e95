import { describe, expect, test } from 'bun:test'
import { embedUrl } from '../../src/client/embed-url.ts'
import { signUrl } from '../../src/client/sign-url.ts'
import { issueKeyPair } from '../support/issue-key-pair.ts'
import { startService } from '../support/service.ts'
import { started } from '../support/started.ts'

const server = started(startService)
const pair = started(() => issueKeyPair(server))

/** More than a URL needs to be in every cache. */
const views = 6

/** The headers that every response has of its own. */
const own = ['date', 'server-timing', 'x-request-id']

async function get(path: string, headers: Readonly<Record<string, string>> = {}, method = 'GET') {
  const response = await fetch(server.url + path, {
    method,
    headers: { 'accept-encoding': 'identity', ...headers },
    decompress: false,
  })
  const all = [...response.headers].filter(([name]) => !own.includes(name))
  return {
    status: response.status,
    id: response.headers.get('x-request-id'),
    headers: Object.fromEntries(all),
    body: Buffer.from(await response.arrayBuffer()).toString('base64'),
  }
}

async function embedPath(path: string, words: Readonly<Record<string, string>>): Promise<string> {
  const { pathname, search } = new URL(await embedUrl(server.url + path, words, pair))
  return pathname + search
}

/** Bytes, text that is not all ASCII, and text that is, long and short. */
const pictures = [
  ['/api/og.png', { title: 'A picture' }],
  ['/api/og', { title: 'Ein Ärger', author: 'Ada' }],
  ['/api/og', { title: 'All ASCII' }],
  ['/api/badge', { label: 'build', message: 'passing' }],
] as const

describe.each(pictures)('an embed URL of %s', (path, words) => {
  test('has the same bytes and headers at each view, and an id of its own', async () => {
    const url = await embedPath(path, words)
    const first = await get(url)
    const ids = new Set([first.id])
    expect(first).toMatchObject({ status: 200, headers: { 'x-auth-mode': 'key' } })
    for (let view = 1; view < views; view += 1) {
      const { id, ...later } = await get(url)
      ids.add(id)
      expect({ ...later, id: first.id }).toEqual(first)
    }
    expect(ids.size).toBe(views)
    const head = await get(url, {}, 'HEAD')
    expect({ ...head, id: first.id, body: first.body }).toEqual(first)
    for (const encoding of ['gzip', 'zstd']) {
      const packed = await get(url, { 'accept-encoding': encoding })
      const again = await get(url, { 'accept-encoding': encoding })
      expect({ ...again, id: packed.id }).toEqual(packed)
    }
  })

  test('is a 304 with the headers of the 200 for whoever has it, and no other ETag is', async () => {
    const url = await embedPath(path, { ...words, cacheSeconds: '600' })
    const { headers } = await get(url)
    const etag = headers['etag'] ?? ''
    const ids = new Set<string | null>()
    for (const given of [etag, etag, `W/${etag}`, `"other", ${etag}`, etag]) {
      const { id, status, body, headers: fresh } = await get(url, { 'if-none-match': given })
      ids.add(id)
      expect({ status, body }).toEqual({ status: 304, body: '' })
      expect(fresh['etag']).toBe(etag)
      for (const name of ['cache-control', 'vary', 'access-control-allow-origin', 'x-content-type-options'])
        expect({ name, value: fresh[name] }).toEqual({ name, value: headers[name] })
    }
    expect(ids.size).toBe(5)
    const paid = await get(url, { 'if-none-match': etag, 'x-payment': '0x00' })
    expect(paid.headers['cache-control']).toStartWith('private')
    expect((await get(url, { 'if-none-match': etag })).headers['cache-control']).toStartWith('public')
    expect((await get(url, { 'if-none-match': '"other"' })).status).toBe(200)
    expect((await get(url, { 'if-none-match': etag, host: 'not a host' })).status).toBe(400)
  })

  test('counts once', async () => {
    const url = await embedPath(path, { ...words, cacheSeconds: '601' })
    const before = await usage()
    for (let view = 0; view < views; view += 1) await get(url)
    await get(url, {}, 'HEAD')
    expect(await usage()).toBe(before + 1)
  })
})

test('what is left of a quota is told as it is, between views of other URLs and calls of the same key', async () => {
  const views = await Promise.all(
    ['First', 'Second'].map((title) => embedPath('/api/og', { title, cacheSeconds: '602' })),
  )
  let expected = Number.NaN
  for (let round = 0; round < 4; round += 1) {
    for (const view of views) {
      // The first view of each is counted.
      if (round === 0) expected = await left(view)
      else expect(await left(view)).toBe(expected)
    }
    const call = await signUrl(`${server.url}/api/og?title=Between&n=${round}`, pair)
    expected = await left(call.slice(server.url.length))
  }
})

async function left(path: string): Promise<number> {
  const response = await fetch(server.url + path)
  await response.arrayBuffer()
  expect(response.headers.get('server-timing')).toMatch(/^auth;dur=[\d.]+, make;desc=(hit|miss);dur=[\d.]+$/)
  return Number(response.headers.get('x-quota-remaining'))
}

test('a 402 names the host that was asked, whichever was asked before', async () => {
  for (const host of ['a.example', 'b.example', 'a.example:8080', 'a.example']) {
    const { status, body } = await get('/api/og?title=Free', { host })
    const { docs, upgrade } = JSON.parse(Buffer.from(body, 'base64').toString()) as Record<string, string>
    expect({ status, docs, upgrade }).toEqual({
      status: 402,
      docs: `http://${host}/docs/errors#payment_required`,
      upgrade: `http://${host}/api/upgrade`,
    })
  }
})

async function usage(): Promise<number> {
  const answer = await fetch(`${server.url}/api/usage?key=${pair.key}`)
  return ((await answer.json()) as { used: number }).used
}
