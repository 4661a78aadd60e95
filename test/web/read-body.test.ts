import { expect, test } from 'bun:test'
import { once } from 'node:events'
import net from 'node:net'
import { defaultLimits } from '../../src/web/fetch-limits.ts'
import { readResponseBody } from '../../src/web/read-body.ts'
import { sendRequest } from '../../src/web/send-request.ts'
import { startRawServer } from './support/raw-server.ts'

const beginning = '<title>Slow</title>'

/** Reads a body that never ends; others need the slot once its beginning has arrived, or before. */
async function readUntilPreempted(isUseful: boolean, isPreemptedBefore = false) {
  const server = await startRawServer((socket) => socket.write(`HTTP/1.1 200 OK\r\n\r\n${beginning}`))
  const socket = net.connect(server.port, '127.0.0.1')
  await once(socket, 'connect')
  const abort = new AbortController()
  if (isPreemptedBefore) abort.abort()
  const sink = {
    write() {
      abort.abort()
      return true
    },
    isUseful: () => isUseful,
  }
  try {
    const pending = await sendRequest(socket, new URL('http://slow.example.com/'), {}, 4_096)
    const deadlineAt = performance.now() + 60_000
    const limits = {
      ...defaultLimits,
      idleMs: 60_000,
      deadlineAt,
      preempted: abort.signal,
      wireBytes: Infinity,
    }
    return { isClosed: () => socket.destroyed, body: await readResponseBody(pending, sink, limits) }
  } finally {
    await server.close()
  }
}

test('what was read until others needed the slot is the answer, if it is useful', async () => {
  const { body, isClosed } = await readUntilPreempted(true)
  expect(body).toMatchObject({ truncated: true, decodedBytes: beginning.length })
  expect(isClosed()).toBe(true)
})

test.each([false, true])('otherwise the fetch fails as preempted (before the body: %p)', async (isBefore) => {
  await expect(readUntilPreempted(false, isBefore)).rejects.toMatchObject({
    reason: 'timeout_total',
    preempted: true,
  })
})
