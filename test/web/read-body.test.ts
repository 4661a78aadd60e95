import { expect, test } from 'bun:test'
import { createWebFetcher } from '../../src/web/web-fetcher.ts'
import { startRawServer } from './support/raw-server.ts'

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
