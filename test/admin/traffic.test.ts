import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type AdminServer, openAdminServer } from './support/admin-server.ts'
import { type Browser, enter, hasBrowser, openBrowser, openPage } from './support/browser.ts'
import { logIn } from './support/operator.ts'

let server: AdminServer
beforeAll(async () => {
  server = await openAdminServer()
})
afterAll(() => server.close())

/** Reads the stream until it holds the text. */
async function readUntil(
  reader: Pick<ReadableStreamDefaultReader<Uint8Array>, 'read'>,
  text: string,
): Promise<string> {
  const decoder = new TextDecoder()
  for (let seen = ''; ; ) {
    if (seen.includes(text)) return seen
    const { done, value } = await reader.read()
    if (done) throw new Error(`The stream ended after: ${seen}`)
    seen += decoder.decode(value, { stream: true })
  }
}

describe('live traffic', () => {
  test('arrives as it happens, unbuffered, without the queries', async () => {
    const { get } = await logIn(server)
    const answer = await get('/admin/traffic/events')
    expect(answer.headers.get('content-type')).toBe('text/event-stream')
    expect(answer.headers.get('content-encoding')).toBeNull()
    const reader = (answer.body as ReadableStream<Uint8Array>).getReader()
    await readUntil(reader, 'retry')
    await (await fetch(`${server.url}/api/usage?key=mk_secret-thing`)).arrayBuffer()
    const event = await readUntil(reader, '/api/usage')
    expect(event).toContain('404')
    expect(event).not.toContain('mk_secret-thing')
    await reader.cancel()
  })

  test('is not followed by more pages than a process can serve, and ended ones make room', async () => {
    const { get } = await logIn(server)
    function open() {
      return get('/admin/traffic/events')
    }
    const streams = await Promise.all(Array.from({ length: 8 }, open))
    expect((await open()).status).toBe(503)
    await Promise.all(streams.map((stream) => stream.body?.cancel()))
    await Bun.sleep(50)
    const again = await open()
    expect(again.status).toBe(200)
    await again.body?.cancel()
  })

  test('ends when the service is asked to stop, so that it can', async () => {
    const other = await openAdminServer()
    const { get } = await logIn(other)
    const text = (await get('/admin/traffic/events')).text()
    other.service.startDraining()
    expect(await text).toContain('retry')
    await other.close()
  })
})

describe.skipIf(!hasBrowser)('the traffic page', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await openBrowser()
  })
  afterAll(() => browser.close())

  test('shows a new request without a reload where script runs', async () => {
    const { page, complaints, close } = await openPage(browser)
    await enter(page, server)
    await page.goto(`${server.url}/admin/traffic`)
    await page.getByText('Live', { exact: true }).waitFor()
    await (await fetch(`${server.url}/healthz?live`)).arrayBuffer()
    await page.locator('tbody tr', { hasText: '/healthz' }).first().waitFor()
    expect(complaints).toEqual([])
    await close()
  })

  test('reloads by itself where none does', async () => {
    const { page, close } = await openPage(browser, { javaScriptEnabled: false })
    await enter(page, server)
    await page.goto(`${server.url}/admin/traffic`)
    expect(await page.locator('meta[http-equiv=refresh]').getAttribute('content')).toBe('5')
    await close()
  })
})
