import { expect, test } from 'bun:test'
import { once } from 'node:events'
import net from 'node:net'
import { awakeNowMs } from '../../src/lib/awake-time.ts'
import { defaultLimits } from '../../src/web/fetch-limits.ts'
import { readResponseBody } from '../../src/web/read-body.ts'
import { sendRequest } from '../../src/web/send-request.ts'
import { createWebFetcher } from '../../src/web/web-fetcher.ts'
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
    const deadlineAt = awakeNowMs() + 60_000
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

const page = '<p>A page that its site sends at once.</p>'
const siteMsMax = 600

/** Fetches a page of a site that answers at once. Both sides stand still where `onRequest` does. */
async function fetchFrom(read: () => Promise<boolean>, onRequest = () => {}) {
  const server = await startRawServer((socket) => {
    onRequest()
    socket.end(`HTTP/1.1 200 OK\r\nContent-Length: ${page.length}\r\n\r\n${page}`)
  })
  const fetcher = createWebFetcher({
    userAgent: 'Test',
    allowCidrs: ['127.0.0.0/8'],
    allowPorts: [server.port],
    limits: { connectMs: siteMsMax, headersMs: siteMsMax, idleMs: siteMsMax, totalMs: siteMsMax },
  })
  try {
    return await fetcher.fetchPage(`http://127.0.0.1:${server.port}/`, {
      sink: () => ({ write: read, isUseful: () => false }),
    })
  } finally {
    await server.close()
  }
}

test('the time in which we read what has arrived is not the time of its site', async () => {
  const { truncated, bytes } = await fetchFrom(async () => {
    await Bun.sleep(2 * siteMsMax)
    return true
  })
  expect([truncated, bytes.decoded]).toEqual([false, page.length])
})

test('a site is not late because our process stood still', async () => {
  const { bytes } = await fetchFrom(
    async () => true,
    () => Bun.sleepSync(2 * siteMsMax),
  )
  expect(bytes.decoded).toBe(page.length)
})
