import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { rawGet, rawHttp } from '../support/raw-http.ts'
import { startService, type TestService } from '../support/service.ts'

describe('without BASE_URL', () => {
  let server: TestService
  beforeAll(async () => {
    server = await startService()
  })
  afterAll(() => server.stop())

  const bad = [
    'a"b',
    'a b',
    'user:secret@host',
    'host/path',
    'host?x',
    'host#x',
    'one.example, two.example',
    '[::1',
    'ho\\st',
    'a..b',
    '<script>',
    'a:99999',
    '999.1.1.1',
    '1.2.3.4.5',
    '08.1',
    '[::::]',
    '[1.2.3]',
    `${'a.'.repeat(200)}example`,
  ]
  test.each(bad)('the malformed host %s is refused', async (host) => {
    const { status, text } = await rawHttp(server.port, rawGet('/healthz', host))
    expect(status).toBe(400)
    expect(text).toContain('"code":"invalid_host"')
    expect(text).not.toContain('<script>')
  })

  const good = [
    'localhost',
    'cards.example',
    'CARDS.example:8080',
    'a.b',
    'x',
    '127.0.0.1',
    '[::1]:3000',
    'xn--bcher-kva.example',
  ]
  test.each(good)('the host %s is served, and is the base of our URLs', async (host) => {
    const { status, text } = await rawHttp(server.port, rawGet('/api/og', host))
    expect(status).toBe(400)
    expect(text).toContain(`"type":"http://${host.toLowerCase()}/docs/errors#invalid_query"`)
  })

  test('a short host does not move the path', async () => {
    expect((await rawHttp(server.port, rawGet('//healthz', 'a.b'))).status).toBe(404)
    expect((await rawHttp(server.port, rawGet('/x/healthz', 'a'))).status).toBe(404)
    expect((await rawHttp(server.port, rawGet('/healthz', 'a'))).status).toBe(200)
  })

  test('a path with another slash is another path', async () => {
    for (const path of ['//api/og?title=a', '/api//og?title=a', '/api/og//?title=a']) {
      expect((await rawHttp(server.port, rawGet(path, 'localhost'))).status).toBe(404)
    }
    const { status, text } = await rawHttp(server.port, rawGet('/api/og/?title=a', 'localhost'))
    expect([status, /^location: (.*)\r$/im.exec(text)?.[1]]).toEqual([308, '/api/og?title=a'])
  })

  test('a health check of HTTP/1.0 without a host is answered', async () => {
    const { text } = await rawHttp(server.port, 'GET /healthz HTTP/1.0\r\n\r\n')
    expect(text).toContain('200 OK')
  })
})

describe('with BASE_URL', () => {
  let server: TestService
  beforeAll(async () => {
    server = await startService({
      env: { BASE_URL: 'https://cards.example', ALLOWED_HOSTS: 'Other.example' },
    })
  })
  afterAll(() => server.stop())

  test.each(['cards.example', 'Cards.Example', 'other.example', 'localhost:3000', '127.0.0.1', '[::1]:3000'])(
    'the host %s is served under the public base',
    async (host) => {
      const { status, text } = await rawHttp(server.port, rawGet('/api/og', host))
      expect(status).toBe(400)
      expect(text).toContain('"type":"https://cards.example/docs/errors#invalid_query"')
    },
  )

  test.each([
    'evil.example',
    'cards.example.evil.example',
    'cards.example:81',
    'a.b',
    '127.0.0.1.evil.example',
  ])('the host %s is refused', async (host) => {
    const { status, text } = await rawHttp(server.port, rawGet('//admin', host))
    expect(status).toBe(400)
    expect(text).toContain('"code":"invalid_host"')
  })
})
