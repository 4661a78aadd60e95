import { beforeAll, describe, expect, test } from 'bun:test'
import { connect } from 'node:net'
import { operatorPassword } from '../admin/support/admin-server.ts'
import { logIn } from '../admin/support/operator.ts'
import { eventually } from '../support/eventually.ts'
import { startServer } from '../support/server.ts'
import { started } from '../support/started.ts'
import { runtimes } from '../support/test-size.ts'

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
  let cookie: string
  const server = started(() =>
    startServer({ runtime, env: { ADMIN_PASSWORD: operatorPassword, LOG_LEVEL: 'info' } }),
  )
  beforeAll(async () => {
    cookie = (await logIn(server)).cookie
  })

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
      `Cookie: ${cookie}`,
      'Sec-Fetch-Site: same-origin',
      `Content-Type: ${contentType}`,
      length,
    ]
    await sendAndLeave(server.port, head, body)
    expect(await lineOf(path)).toMatchObject({ level: 'info', status: 499 })
    expect(server.lines.filter(({ level }) => level === 'error')).toEqual([])
  })
})
