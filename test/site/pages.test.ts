import { describe, expect, test } from 'bun:test'
import { cardSizes, sizeNames } from '../../src/assets/og/theme.ts'
import { themeNames } from '../../src/assets/og/themes.ts'
import { assets } from '../../src/catalog.ts'
import { hasBrowser, openPage, startedBrowser } from '../admin/support/browser.ts'
import { layoutFaults } from '../support/layout-faults.ts'
import { faultsInLooks, looks, widths } from '../support/looks.ts'
import { pageFaults } from '../support/page-faults.ts'
import { startService } from '../support/service.ts'
import { started } from '../support/started.ts'
import { parseXml } from '../support/xml-tree.ts'

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
  '/docs/built-sites',
  '/docs/settings',
  '/docs/reliability',
  '/status',
  '/bot',
  '/no/such/page',
]

const server = started(startService)
const browser = startedBrowser()

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

test.skipIf(!hasBrowser)(
  'on a small phone the first page has at most 5,500 px, one line of navigation, and a card that stays above the fields',
  async () => {
    const { page, close } = await openPage(browser, { viewport: { width: 360, height: 740 } })
    await page.goto(server.url)
    expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBeLessThanOrEqual(5500)
    expect((await page.getByRole('navigation', { name: 'Site' }).boundingBox())?.height).toBeLessThan(30)
    await page.getByLabel('Size').scrollIntoViewIfNeeded()
    const [card, field] = [page.locator('.canvas .is-card'), page.getByLabel('Size')]
    const [cardBox, fieldBox] = [await card.boundingBox(), await field.boundingBox()]
    expect(cardBox?.y).toBeGreaterThanOrEqual(0)
    expect((cardBox?.y ?? 0) + (cardBox?.height ?? 0)).toBeLessThan(fieldBox?.y ?? 0)
    await close()
  },
)

const examplesServer = started(startService)

async function picturesOf(): Promise<readonly (readonly string[])[]> {
  const html = await (await fetch(`${examplesServer.url}/examples`)).text()
  return Array.from(
    html.matchAll(/<img src="([^"]+)" width="(\d+)" height="(\d+)" alt="[^"]+" loading="lazy"/g),
    (match) => match.slice(1),
  )
}

test('the examples are four brands in four sizes and a card of every theme in both schemes and all sizes, of the extent that the page says', async () => {
  const pictures = await picturesOf()
  const wanted = sizeNames.flatMap((size) =>
    themeNames.flatMap((theme) => ['light', 'dark'].map((scheme) => `card-${size}-${theme}-${scheme}.svg`)),
  )
  const [ofBrands, ofThemes] = [pictures.slice(0, 16), pictures.slice(16)]
  expect(ofBrands.every(([source]) => source?.startsWith('/pictures/brand-'))).toBe(true)
  expect(ofThemes.map(([source]) => source)).toEqual(wanted.map((file) => `/pictures/${file}`))
  const bodies = new Set<string>()
  for (const [source = '', width, height] of pictures) {
    const body = await (await fetch(examplesServer.url + source)).text()
    expect(parseXml(body).attributes).toMatchObject({ width, height })
    bodies.add(body)
  }
  expect(bodies.size).toBe(16 + sizeNames.length * themeNames.length * 2)
  expect(Object.keys(cardSizes)).toHaveLength(6)
})

test('one brand stands on a picture', async () => {
  const sources = (await picturesOf()).slice(0, 16).map(([source = '']) => source)
  const bodies = await Promise.all(
    sources.map(async (source) => (await fetch(examplesServer.url + source)).text()),
  )
  const onPictures = sources.filter((_, index) => bodies[index]?.includes('data:image/jpeg;base64,'))
  expect(onPictures).toEqual(
    ['og', 'square', 'portrait', 'pin'].map((size) => `/pictures/brand-orbit-fm-${size}.svg`),
  )
})

test('looking at all of them takes nothing of a quota', async () => {
  for (const [source = ''] of await picturesOf()) await fetch(examplesServer.url + source)
  const stats = await (await fetch(`${examplesServer.url}/api/stats`)).json()
  expect(stats).toMatchObject({ demo: { used: 0 }, day: { by_endpoint: { og: 0 } } })
})
