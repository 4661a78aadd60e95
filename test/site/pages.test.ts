import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { assets } from '../../src/catalog.ts'
import { type Browser, hasBrowser, openBrowser, openPage } from '../admin/support/browser.ts'
import { axeViolations } from '../support/page-faults.ts'
import { startServer, type TestServer } from '../support/server.ts'

const paths = [
  ...Object.keys(assets).map((id) => `/?kind=${id}`),
  '/?kind=og&title=',
  '/?kind=badge&value=x&status=nosuchword',
  '/?kind=sitemap&domain=example.com&crawl=false',
  '/?kind=stats&format=json',
  '/docs',
  '/docs/errors',
  '/status',
  '/bot',
]

let server: TestServer
let browser: Browser

beforeAll(async () => {
  if (!hasBrowser) return
  ;[server, browser] = await Promise.all([startServer(), openBrowser()])
}, 30_000)
afterAll(async () => {
  await browser?.close()
  await server?.stop()
})

describe.skipIf(!hasBrowser).each([true, false])('with our script: %p', (hasScript) => {
  test('every page is accessible, fits phones and desks, light and dark, and keeps to its policy and to our origin', async () => {
    const { page, complaints, close } = await openPage(browser)
    // A browser that runs no script could not run axe either.
    if (!hasScript)
      await page.route('**/site.js', (route) => route.fulfill({ contentType: 'text/javascript', body: '' }))
    const strangers: string[] = []
    page.on('request', (request) => {
      if (!request.url().startsWith(server.url)) strangers.push(request.url())
    })
    const faults: Record<string, readonly string[]> = {}
    for (const path of paths) {
      await page.goto(server.url + path)
      for (const [width, colorScheme] of [
        [390, 'light'],
        [1360, 'dark'],
        [390, 'dark'],
        [1360, 'light'],
      ] as const) {
        // Without the script the page is the same markup: two looks at it are enough.
        if (!hasScript && (width === 390) === (colorScheme === 'light')) continue
        await page.setViewportSize({ width, height: 900 })
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
        const found = await axeViolations(page)
        if (found.length > 0) faults[`${path}, ${width} px, ${colorScheme}`] = found
      }
    }
    expect(faults).toEqual({})
    expect(complaints).toEqual([])
    expect(strangers).toEqual([])
    await close()
  }, 60_000)
})

test.skipIf(!hasBrowser)(
  'the first page is light: at most 60 KB without pictures, at most 6 KB of it script',
  async () => {
    const { page, close } = await openPage(browser)
    await page.goto(server.url)
    const transfers = await page.evaluate(() =>
      [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')].map(
        (entry) => {
          const { name, transferSize, decodedBodySize, initiatorType } = entry as PerformanceResourceTiming
          return { name, transferSize, decodedBodySize, initiatorType }
        },
      ),
    )
    const others = transfers.filter(({ initiatorType }) => initiatorType !== 'img')
    expect(others.length).toBeGreaterThan(2)
    expect(others.reduce((sum, { transferSize }) => sum + transferSize, 0)).toBeLessThan(60_000)
    const scripts = others.filter(({ name }) => name.endsWith('.js'))
    expect(scripts.reduce((sum, { decodedBodySize }) => sum + decodedBodySize, 0)).toBeLessThanOrEqual(
      6 * 1024,
    )
    await close()
  },
  20_000,
)
