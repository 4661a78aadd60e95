import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { assets } from '../../src/catalog.ts'
import { type Browser, hasBrowser, openBrowser, openPage } from '../admin/support/browser.ts'
import { layoutFaults } from '../support/layout-faults.ts'
import { faultsInLooks, looks, widths } from '../support/looks.ts'
import { pageFaults } from '../support/page-faults.ts'
import { startService, type TestService } from '../support/service.ts'

const paths = [
  ...assets.map(({ id }) => `/?kind=${id}`),
  '/?kind=live-badge',
  '/?show=Release+notes+that+people+read',
  '/?show=http://localhost/',
  '/?kind=og&title=',
  '/?kind=og&title=Hello&theme=poster&size=pin&scheme=dark',
  '/?kind=badge&value=x&status=nosuchword',
  '/?kind=sitemap&domain=example.com&crawl=false',
  '/?kind=stats&format=json',
  '/examples',
  '/docs',
  '/docs/errors',
  '/docs/guides',
  '/docs/operations',
  '/docs/reliability',
  '/status',
  '/bot',
  '/no/such/page',
]

let server: TestService
let browser: Browser

beforeAll(async () => {
  if (!hasBrowser) return
  ;[server, browser] = await Promise.all([startService(), openBrowser()])
})
afterAll(async () => {
  await browser?.close()
  await server?.stop()
})

function addresses() {
  return Object.fromEntries(paths.map((path) => [path, server.url + path]))
}

describe.skipIf(!hasBrowser)('every page', () => {
  test('is accessible, fits phones, tablets and desks, light and dark, cuts and breaks nothing, and keeps to its policy and to our origin', async () => {
    const { page, complaints, close } = await openPage(browser)
    const strangers: string[] = []
    page.on('request', (request) => {
      if (!request.url().startsWith(server.url)) strangers.push(request.url())
    })
    expect(await faultsInLooks(page, addresses(), pageFaults)).toEqual({})
    // The browser reports every 404 page as an error of its own.
    expect(complaints.filter((complaint) => !complaint.includes('404'))).toEqual([])
    expect(strangers).toEqual([])
    await close()
  })

  test('is accessible without our script', async () => {
    const { page, close } = await openPage(browser)
    // A browser that runs no script could not run axe either.
    await page.route('**/site.js', (route) => route.fulfill({ contentType: 'text/javascript', body: '' }))
    const twoLooks = looks.filter(
      ({ width, colorScheme }) => [390, 1360].includes(width) && (width === 390) === (colorScheme === 'dark'),
    )
    expect(await faultsInLooks(page, addresses(), pageFaults, twoLooks)).toEqual({})
    await close()
  })

  test('has a good layout at every width between those of phones, tablets and desks', async () => {
    const { page, close } = await openPage(browser)
    expect(await faultsInLooks(page, addresses(), layoutFaults, widths)).toEqual({})
    await close()
  })

  test('has a good layout where no script runs', async () => {
    const { page, close } = await openPage(browser, { javaScriptEnabled: false })
    expect(await faultsInLooks(page, addresses(), layoutFaults)).toEqual({})
    await close()
  })
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
)
