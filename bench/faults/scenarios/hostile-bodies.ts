import { connect } from 'node:net'
import type { FaultContext } from '../context.ts'
import type { Scenario } from '../scenario.ts'
import { ask, inParallel } from '../support/ask.ts'
import type { FaultServer } from '../support/server.ts'

/** Bodies that are too large, never end, come in single bytes or are no forms. */
export const hostileBodies: Scenario = {
  name: 'hostile-bodies',
  title: 'hostile request bodies',
  tried: 'bodies that are too large, drip, come in single bytes or never, on every path that takes one',
  async run(context) {
    const server = await context.startServer({ env: { LOG_LEVEL: 'error' } })
    const slow = Array.from({ length: context.times(200, 40) }, () => drip(context, server))
    await inParallel(context.times(200, 40), 8, async (index) => {
      const body = 'a'.repeat(index % 2 === 0 ? 70_000 : 900_000)
      const answer = await ask(context, server.url + (paths[index % paths.length] ?? ''), {
        method: 'POST',
        headers: { 'sec-fetch-site': 'same-origin', 'content-type': 'application/x-www-form-urlencoded' },
        body,
      })
      context.count('bodies')
      if (answer !== undefined && ![413, 404, 405, 401, 403, 303].includes(answer.status))
        context.mistake(`a body that is too large was answered ${answer.status}`)
    })
    for (let index = 0; index < context.times(3, 1); index++) await oneByteChunks(context, server)
    for (const one of slow) one.destroy()
  },
}

const paths = ['/admin/login', '/api/upgrade?key=mk_1', '/admin/setup', '/api/og']

/** Says that a body comes, sends a byte of it now and then, and stays. */
function drip(context: FaultContext, { port }: FaultServer) {
  context.count('bodies that drip')
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {})
  socket.write(
    'POST /admin/login HTTP/1.1\r\nHost: a\r\nContent-Length: 60000\r\nSec-Fetch-Site: same-origin\r\n\r\n',
  )
  const timer = setInterval(() => socket.write('a'), 200)
  socket.on('close', () => clearInterval(timer))
  return socket
}

/** The longest body that is allowed, each of its bytes a chunk of its own. */
function oneByteChunks(context: FaultContext, { port }: FaultServer): Promise<void> {
  context.count('bodies in single bytes')
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => resolve())
    socket.on('close', () => resolve())
    socket.on('data', () => socket.destroy())
    socket.setTimeout(20_000, () => socket.destroy())
    socket.write(
      'POST /admin/login HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nSec-Fetch-Site: same-origin\r\nContent-Type: application/x-www-form-urlencoded\r\n\r\n',
    )
    socket.write(`${'1\r\na\r\n'.repeat(60_000)}0\r\n\r\n`)
  })
}
