import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { freePort } from '../support/free-port.ts'
import { startService, type TestService } from '../support/service.ts'

const page =
  '<!doctype html><title>A draft on this machine</title><meta name="description" content="Seen before it is published.">'

/** A site on this machine, as its author looks at it before it is published. */
const site: Bun.Server<undefined> = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch({ url }): Response {
    const { pathname } = new URL(url)
    if (pathname === '/moved') return Response.redirect(`http://localhost:${site.port}/`)
    if (pathname === '/value.json') return Response.json({ value: 'fresh' })
    return new Response(page, { headers: { 'content-type': 'text/html' } })
  },
})
afterAll(() => site.stop(true))

/** Calls that read a page or a document of this URL. */
function callsFor(origin: string): readonly string[] {
  const url = encodeURIComponent(`${origin}/`)
  const moved = encodeURIComponent(`${origin}/moved`)
  const json = encodeURIComponent(`${origin}/value.json`)
  return [
    `/api/card?page=${url}&fallback=error`,
    `/api/card?page=${moved}&fallback=error`,
    `/api/preview?url=${url}`,
    `/api/badge?json=${json}&query=$.value`,
  ].map((path) => `${path}&demo=1`)
}

async function answersOf(service: TestService, origin: string) {
  return await Promise.all(
    callsFor(origin).map(async (path) => {
      const answer = await fetch(service.url + path)
      const text = await answer.text()
      const { code, detail } = answer.ok ? { code: '', detail: '' } : JSON.parse(text)
      return { path, status: answer.status, code, detail, text }
    }),
  )
}

async function started(env: Readonly<Record<string, string>>): Promise<TestService> {
  return await startService({ env: { FETCH_ALLOW_PORTS: `80,${site.port}`, ...env } })
}

describe('with FETCH_ALLOW_CIDRS=127.0.0.0/8', () => {
  let ownPort: number
  let service: TestService
  beforeAll(async () => {
    ownPort = await freePort()
    service = await started({
      PORT: String(ownPort),
      BASE_URL: `http://localhost:${ownPort}`,
      FETCH_ALLOW_CIDRS: '127.0.0.0/8',
      FETCH_ALLOW_PORTS: `${site.port},${ownPort}`,
    })
  })
  afterAll(() => service.stop())

  test.each(['localhost', 'blog.localhost', '127.0.0.1', 'LOCALHOST', 'localhost.'])(
    'pages and documents of %s are read, by every asset',
    async (host) => {
      for (const { path, status } of await answersOf(service, `http://${host}:${site.port}`))
        expect([path, status]).toEqual([path, 200])
    },
  )

  test.each(['localhost', 'blog.localhost', '127.0.0.1'])('our own port on %s is not', async (host) => {
    for (const { path, code } of await answersOf(service, `http://${host}:${ownPort}`))
      expect([path, code]).toEqual([path, 'self_request'])
  })

  test.each(['[::1]', '10.0.0.1', '169.254.169.254'])('addresses beyond it are not: %s', async (host) => {
    for (const { path, code } of await answersOf(service, `http://${host}:${site.port}`))
      expect([path, code]).toEqual([path, 'blocked_address'])
  })

  test('the cards of a site on localhost need no signature', async () => {
    const { site: siteId } = await (await fetch(`${service.url}/api/key?hosts=localhost:${site.port}`)).json()
    const asked = `page=${encodeURIComponent(`http://localhost:${site.port}/`)}`
    const answer = await fetch(`${service.url}/api/card?site=${siteId}&${asked}`)
    expect([answer.status, answer.headers.get('x-card-source')]).toEqual([200, 'page'])
  })
})

test.each([
  ['without a setting', {}],
  ['with ranges that are not those of localhost', { FETCH_ALLOW_CIDRS: '10.0.0.0/8' }],
])('%s pages of localhost are refused with the settings that would allow them', async (_, env) => {
  const service = await started(env)
  for (const { path, status, code, detail } of await answersOf(service, `http://localhost:${site.port}`)) {
    expect([path, status, code]).toEqual([path, 403, 'blocked_host'])
    for (const part of ['FETCH_ALLOW_CIDRS', 'FETCH_ALLOW_PORTS']) expect(detail).toContain(part)
  }
  for (const { detail } of await answersOf(service, `http://127.0.0.1:${site.port}`))
    expect(detail).toContain('FETCH_ALLOW_CIDRS')
  for (const { detail } of await answersOf(service, 'http://127.0.0.1:1'))
    expect(detail).toContain('FETCH_ALLOW_PORTS')
  await service.stop()
})
