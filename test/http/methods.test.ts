import { describe, expect, test } from 'bun:test'
import { connect } from 'node:net'
import { operatorPassword } from '../admin/support/admin-server.ts'
import { logIn } from '../admin/support/operator.ts'
import { testChecks } from '../support/check.ts'
import { eventually } from '../support/eventually.ts'
import { type HttpCase, testTable } from '../support/http-table.ts'
import { rawHttp } from '../support/raw-http.ts'
import { startServer } from '../support/server.ts'
import { started } from '../support/started.ts'
import { runtimes } from '../support/test-size.ts'
import cases from './methods.json' with { type: 'json' }
import { checks } from './multipart-form-checks.ts'

const server = started(() => startServer({ env: { DEMO_DAILY_QUOTA: '5' } }))

testTable(() => server, cases.table as unknown as readonly HttpCase[])

test('HEAD has the headers of GET, no body, and costs nothing', async () => {
  const url = `${server.url}/api/og?title=head&demo=1`
  const head = await fetch(url, { method: 'HEAD' })
  const get = await fetch(url)
  // HEAD does not make the body, so its length is unknown.
  const volatile = cases.volatile
  function stable({ headers }: Response) {
    return [...headers].filter(([name]) => !volatile.includes(name))
  }
  expect([await head.text(), stable(head)]).toEqual(['', stable(get)])
  function left(response: Response) {
    return Number(response.headers.get('x-quota-remaining'))
  }
  expect(left(get)).toBe(left(head) - 1)
})

test('HEAD says what GET would say when it is refused', async () => {
  for (const [query, status] of [
    ['', 400],
    ['?title=a', 402],
  ] as const) {
    const head = await fetch(`${server.url}/api/og${query}`, { method: 'HEAD' })
    const get = await fetch(`${server.url}/api/og${query}`)
    expect([head.status, get.status]).toEqual([status, status])
    expect(head.headers.get('content-length')).toBe(get.headers.get('content-length'))
    expect(await head.text()).toBe('')
  }
})

// Bun itself hangs up on TRACK, and Deno refuses CONNECT: neither asks us.
const unusual = cases.unusual as ['bun' | 'deno', string][]
test.each(unusual.filter(([runtime]) => runtimes.includes(runtime)))(
  'on %s, %s is answered with the methods that work',
  async (runtime, method) => {
    const one = runtime === 'bun' ? server : await startServer({ runtime })
    try {
      function ask(path: string) {
        return rawHttp(one.port, `${method} ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`)
      }
      const { status, text } = await ask('/api/og?title=a&demo=1')
      expect(status).toBe(405)
      expect(text).toMatch(/\r\nallow: GET, HEAD, OPTIONS\r\n/i)
      expect((await ask('/api/nope')).status).toBe(404)
    } finally {
      if (one !== server) await one.stop()
    }
  },
)

/** Sends the beginning of a request, waits until the server has it, and goes away. */
function sendAndLeave(port: number, head: readonly string[], body: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => {
      // The answer to a second request on another connection says that this one has arrived.
      socket.write(`${head.join('\r\n')}\r\n\r\n${body}`, () => {
        void fetch(`http://127.0.0.1:${port}/healthz`).then(() => socket.resetAndDestroy())
      })
    })
    socket.on('close', () => resolve())
    socket.on('error', reject)
  })
}

describe.each(runtimes)('a caller on %s who goes away within a body', (runtime) => {
  const server = started(() =>
    startServer({ runtime, env: { ADMIN_PASSWORD: operatorPassword, LOG_LEVEL: 'info' } }),
  )
  const operator = started(() => logIn(server))

  function lineOf(path: string) {
    return eventually(() => server.lines.find((one) => one['path'] === path && one['method'] === 'POST'))
  }

  const form = 'application/x-www-form-urlencoded'
  test.each([
    ['/api/upgrade', form, 'Content-Length: 1000', 'key=mk_'],
    ['/api/upgrade/chunked', form, 'Transfer-Encoding: chunked', '4\r\nkey=\r\n'],
    ['/admin/keys', form, 'Content-Length: 1000', 'name='],
    ['/admin/brands', 'multipart/form-data; boundary=a', 'Content-Length: 1000', '--a\r\n'],
  ])('POST %s is no error of ours', async (path, contentType, length, body) => {
    const head = [
      `POST ${path} HTTP/1.1`,
      'Host: localhost',
      `Cookie: ${operator.cookie}`,
      'Sec-Fetch-Site: same-origin',
      `Content-Type: ${contentType}`,
      length,
    ]
    await sendAndLeave(server.port, head, body)
    expect(await lineOf(path)).toMatchObject({ level: 'info', status: 499 })
    expect(server.lines.filter(({ level }) => level === 'error')).toEqual([])
  })
})

describe('forms with files are read within bounds', () => {
  testChecks(checks)
})
