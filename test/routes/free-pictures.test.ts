import { beforeEach, expect, test } from 'bun:test'
import { freePort } from '../support/free-port.ts'
import { decodePng } from '../support/png-decode.ts'
import { startService } from '../support/service.ts'
import { started } from '../support/started.ts'
import cases from './free-pictures.json' with { type: 'json' }

/** Nobody answers at this port, so every address of this machine is a host whose pages cannot be read. */
const deadPort = await freePort()
const env = {
  FETCH_ALLOW_CIDRS: '127.0.0.0/8',
  FETCH_ALLOW_PORTS: String(deadPort),
  FETCH_UNPAID_PER_MINUTE: '100000',
  FETCH_TARGET_PER_MINUTE: '100000',
}
const service = started(() => startService({ env }))
// Each test has a minute of its own.
beforeEach(() => {
  service.clock.aheadMs += 60_000
})

let hosts = 1
function deadHost(): string {
  hosts += 1
  return `127.0.0.${hosts}:${deadPort}`
}

interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly bytes: Buffer
}

async function ask(path: string, query: Readonly<Record<string, string>>): Promise<Answer> {
  const response = await fetch(`${service.url}${path}?${new URLSearchParams({ ...query, demo: '1' })}`)
  const { status, headers } = response
  return { status, headers, bytes: Buffer.from(await response.arrayBuffer()) }
}

/** The name of a host on its card, which has no port. */
function addressOf(host: string): string {
  return host.replace(/:\d+$/, '')
}

function card(host: string, look: Readonly<Record<string, string>> = {}): Promise<Answer> {
  return ask('/api/card', { page: `http://${host}/a/page?of=it`, ...look })
}

function badge(host: string, look: Readonly<Record<string, string>> = {}): Promise<Answer> {
  return ask('/api/badge', { json: `http://${host}/a.json`, query: '$.a', fallback: 'badge', ...look })
}

async function used(): Promise<number> {
  return (await (await fetch(`${service.url}/api/stats`)).json()).demo.used
}

test('the card of a page that cannot be read has one look for each host, size and format, and counts nothing', async () => {
  const host = deadHost()
  const plain = await card(host, { format: 'png', size: 'pin' })
  expect([plain.status, plain.headers.get('x-card-source')]).toEqual([200, 'fallback'])
  expect(plain.headers.get('cache-control')).toContain('max-age=60')
  const { widthPx, heightPx } = decodePng(plain.bytes)
  expect([widthPx, heightPx]).toEqual([1000, 1500])
  const looks = cases.looks
  for (const look of looks) {
    const { bytes, headers } = await card(host, { format: 'png', size: 'pin', ...look })
    expect([look, bytes.equals(plain.bytes)]).toEqual([look, true])
    expect(headers.get('cache-control')).toContain('max-age=60')
  }
  expect((await card(host, { size: 'pin' })).bytes.toString()).toContain(`>${addressOf(host)}</title>`)
  expect(await used()).toBe(0)
})

test('the badge of a document that cannot be read is flat and grey, with forty characters of its label, and counts nothing', async () => {
  const host = deadHost()
  const label = 'a label of more than forty characters, which are too many'
  const plain = await badge(host, { label })
  const expected = [200, expect.stringContaining('max-age=60')]
  expect([plain.status, plain.headers.get('cache-control')]).toEqual(expected)
  const svg = plain.bytes.toString()
  expect(svg).toContain(`${label.slice(0, 39)}…: inaccessible`)
  const looks = [
    { style: 'for-the-badge', scale: '4' },
    { color: 'red', labelColor: 'blue', logo: 'github', logoWidth: '90' },
    { title: 'My own words', idSuffix: 'x', link: 'https://example.com/' },
    { prefix: 'v', suffix: '%', cacheSeconds: '86400' },
  ]
  for (const look of looks)
    expect([look, (await badge(deadHost(), { label, ...look })).bytes.toString()]).toEqual([look, svg])
  expect(await used()).toBe(0)
})

test('beyond sixty new ones a minute an address gets one without words; those in memory stay', async () => {
  const [known = '', ...rest] = Array.from({ length: 60 }, deadHost)
  const first = await card(known)
  for (const host of rest) expect((await card(host)).bytes.toString()).toContain(addressOf(host))
  const [one, other] = [deadHost(), deadHost()]
  const plain = await card(one)
  expect([plain.status, plain.headers.get('x-card-source')]).toEqual([200, 'fallback'])
  expect(plain.bytes.toString()).not.toContain(one)
  expect((await card(other)).bytes.equals(plain.bytes)).toBe(true)
  expect((await badge(other, { label: 'mine' })).bytes.toString()).not.toContain('mine')
  expect((await card(known)).bytes.equals(first.bytes)).toBe(true)
  const { widthPx, heightPx } = decodePng((await card(other, { format: 'png', size: 'square' })).bytes)
  expect([widthPx, heightPx, await used()]).toEqual([1080, 1080, 0])
  service.clock.aheadMs += 60_000
  expect((await card(one)).bytes.toString()).toContain(addressOf(one))
})
