import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { templateNames } from '../../src/assets/og/templates.ts'
import { assets } from '../../src/catalog.ts'
import { assetForms, shuffled } from '../../src/site/playground/form.ts'
import { hasBrowser, openPage, pageTests, startedBrowser } from '../admin/support/browser.ts'
import { randomFrom } from '../support/random.ts'
import { startService, type TestService } from '../support/service.ts'
import { started } from '../support/started.ts'
import { isQuick, sampleOf, slowTest } from '../support/test-size.ts'

const forms = assets.flatMap((asset) => assetForms(asset, false))

const browser = startedBrowser()
const it = pageTests(browser)
const server = started(startService)

async function textOf(path: string): Promise<string> {
  const answer = await fetch(server.url + path)
  expect([path, answer.status]).toEqual([path, 200])
  return (await answer.text()).replaceAll('<wbr/>', '')
}

test.each([...templateNames])('the template %s shows a card as soon as it is chosen', async (template) => {
  expect(await textOf(`/?kind=og&title=Hello&template=${template}`)).toContain('class="stage is-picture"')
})

test.each(forms.map(({ id }) => id))('the tab %s begins with a finished result', async (id) => {
  const html = await textOf(`/?kind=${id}`)
  expect(html).toMatch(/class="stage is-(picture|data)"/)
  expect(html).not.toContain('Press the button')
})

test.each(sampleOf(['theme=grid', 'theme=poster&scheme=dark&accent=d53ab7', 'size=pin&format=png'], 3))(
  'the sample of a page changes its look without being fetched: %s',
  async (look) => {
    const html = await textOf(`/?kind=card&page=https://ogp.me/&${look}`)
    expect(html).toContain('class="stage is-picture"')
    expect(html).toContain('nothing was fetched')
    expect(html).toContain(`/api/card?page=https%3A%2F%2Fogp.me%2F&amp;${look.replaceAll('&', '&amp;')}`)
  },
)

test('an address with the document of a live badge opens the form for it', async () => {
  const html = await textOf('/?kind=badge&json=https%3A%2F%2Fexample.com%2Fa.json&query=$.version')
  expect(html).toContain('name="kind" value="live-badge"')
  expect(html).toContain('value="https://example.com/a.json"')
})

test('a mistake is told once, at its field', async () => {
  const html = await textOf(`/?kind=og&title=${'x'.repeat(90)}`)
  expect(html.split('must be 1 to 80 characters').length - 1).toBe(1)
  expect(html).toContain('href="#field-title"')
  const unknown = await textOf('/?kind=badge&value=ok&color=nosuchcolour')
  expect(unknown.match(/class="problem"/g)).toHaveLength(1)
})

describe('a shuffle', () => {
  test('leads to an address with the whole state', async () => {
    const answer = await fetch(`${server.url}/?kind=og&shuffle=1`, { redirect: 'manual' })
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([303, 'no-store'])
    const location = new URL(answer.headers.get('location') ?? '', `${server.url}/`)
    expect([location.pathname, location.hash]).toEqual(['/', '#play'])
    for (const name of ['kind', 'title', 'theme', 'scheme', 'accent'])
      expect([name, location.searchParams.get(name)]).toEqual([name, expect.stringMatching(/./)])
  })

  slowTest('gives texts and looks that draw, whatever it chooses', async () => {
    const { below } = randomFrom(7)
    for (const form of forms.filter(({ id }) => ['og', 'card', 'badge', 'live-badge', 'avatar'].includes(id)))
      for (let round = 0; round < 12; round += 1) {
        const address = `/${shuffled(form, () => below(1_000) / 1_000).replace('#play', '')}`
        const expected = [address, expect.stringContaining('class="stage is-picture"')]
        expect([address, await textOf(address)]).toEqual(expected)
      }
  })
})

test('thumbnails use neither the demo quota nor that of previews', async () => {
  const html = await textOf('/?kind=og')
  const sources = [...html.matchAll(/src="(\/pictures\/theme-[^"]+)"/g)].map(([, path = '']) => path)
  expect(sources.length).toBeGreaterThan(10)
  for (const path of sources) {
    const answer = await fetch(server.url + path)
    const expected = [path, 200, 'public, max-age=86400']
    expect([path, answer.status, answer.headers.get('cache-control')]).toEqual(expected)
  }
  const { demo } = await (await fetch(`${server.url}/api/stats`)).json()
  expect(demo.used).toBe(0)
})

describe.skipIf(isQuick || !hasBrowser)('in a browser', () => {
  const address = (page: Page) => page.locator('pre.url')

  test.each([true, false])(
    'one press on a swatch is enough, and Enter presses none; JavaScript: %p',
    async (javaScriptEnabled) => {
      const { page, complaints, close } = await openPage(browser, { javaScriptEnabled })
      await page.goto(`${server.url}/?kind=og&title=Hello&accent=d53ab7`)
      await page.getByRole('button', { name: 'forest' }).click()
      await address(page)
        .filter({ hasText: /accent=(?!d53ab7)[0-9a-f]{6}/ })
        .waitFor()
      expect(await page.getByRole('button', { name: 'forest' }).getAttribute('aria-pressed')).toBe('true')
      const chosen = await page.locator('input[name=accent]').inputValue()
      await page.locator('input[name=title]').fill('Another title')
      await page.locator('input[name=title]').press('Enter')
      await address(page).filter({ hasText: 'title=Another+title' }).waitFor()
      expect(await address(page).textContent()).toContain(`accent=${chosen}`)
      await page.locator('#field-accent').getByRole('button', { name: 'Default' }).click()
      await address(page).filter({ hasNotText: 'accent=' }).waitFor()
      expect(complaints).toEqual([])
      await close()
    },
  )

  it('a theme is chosen by the arrow keys, and the thumbnails take on the scheme', async ({ page }) => {
    await page.goto(`${server.url}/?kind=og&title=Hello&theme=aurora`)
    await page.getByRole('radio', { name: 'Aurora' }).focus()
    await page.keyboard.press('ArrowRight')
    await page.waitForURL(/theme=paper/)
    await page.getByRole('radio', { name: 'Dark' }).check()
    await page.waitForURL(/scheme=dark/)
    const shown = await page
      .locator('.pics.is-theme img')
      .evaluateAll((images) =>
        images.filter((image) => image.checkVisibility()).map((image) => image.className),
      )
    expect(new Set(shown)).toEqual(new Set(['is-dark']))
  })

  test.each([true, false])(
    'a shuffle fills form, address and result alike; JavaScript: %p',
    async (javaScriptEnabled) => {
      const { page, complaints, close } = await openPage(browser, { javaScriptEnabled })
      await page.goto(`${server.url}/?kind=avatar`)
      await page.getByRole('link', { name: 'Shuffle' }).click()
      await page.waitForURL(/shape=/)
      const sent = new URL(page.url()).searchParams
      expect(await page.locator('input[name=name]').inputValue()).toBe(sent.get('name') ?? '')
      expect(await page.locator('input[name=shape]:checked').inputValue()).toBe(sent.get('shape') ?? '')
      expect(await page.locator('.canvas img').first().getAttribute('alt')).toBe(sent.get('name'))
      if (javaScriptEnabled)
        expect(await page.evaluate(() => document.activeElement?.textContent?.trim())).toBe('Shuffle')
      expect(complaints).toEqual([])
      await close()
    },
  )

  test.each([true, false])(
    'a card is seen in each network, one at a time, by the arrow keys; JavaScript: %p',
    async (javaScriptEnabled) => {
      const { page, close } = await openPage(browser, { javaScriptEnabled })
      await page.goto(`${server.url}/?kind=og`)
      const result = page.locator('.stage')
      const tabs = result.getByRole('group', { name: 'As seen in' }).getByRole('radio')
      const names = ['Card', 'X', 'Slack', 'LinkedIn', 'Discord', 'WhatsApp']
      await tabs.first().focus()
      for (const [index, name] of names.entries()) {
        if (index > 0) await page.keyboard.press('ArrowRight')
        expect(await result.getByRole('radio', { name, exact: true }).isChecked()).toBe(true)
        const visible = result.locator('.feed').filter({ visible: true })
        expect(await visible.count()).toBe(1)
        if (index > 0) expect(await visible.textContent()).toContain('docs.harbour.dev')
      }
      await close()
    },
  )

  it('the last result stays while a field is wrong, and the tab of a network stays after a change', async ({
    page,
  }) => {
    await page.goto(`${server.url}/?kind=og&title=Hello`)
    await page.locator('.stage').getByRole('radio', { name: 'Slack', exact: true }).check()
    const title = page.locator('input[name=title]')
    await title.fill('x'.repeat(81))
    await page.locator('.problem').waitFor()
    expect(await page.locator('.stage .feed.is-slack img').isVisible()).toBe(true)
    await title.fill('A title that is right')
    await page.locator('.stage .feed.is-slack', { hasText: 'A title that is right' }).waitFor()
    expect(await page.locator('.problem').count()).toBe(0)
    expect(await page.locator('[data-stale]').count()).toBe(0)
    expect(await page.locator('.stage .feed.is-slack').isVisible()).toBe(true)
  })
})

/** Drawings that a client is given a minute without paying or counting, which the server's clock never ends by itself. */
const freeMax = 60

let playgroundDrawingsServer: TestService
beforeAll(async () => {
  playgroundDrawingsServer = await startService({
    env: { CACHE_MB: '0', PLAYGROUND_PER_IP_PER_DAY: '2', TRUSTED_PROXIES: '127.0.0.1', LOG_LEVEL: 'error' },
  })
  // The first home page measures its badges.
  await get('/', '192.0.2.98')
})
afterAll(() => playgroundDrawingsServer.stop())

async function get(path: string, address: string) {
  const headers = { 'x-forwarded-for': address }
  const response = await fetch(playgroundDrawingsServer.url + path, { headers })
  return { status: response.status, headers: response.headers, text: await response.text() }
}

async function statuses(path: string, address: string, calls: number): Promise<readonly number[]> {
  const found: number[] = []
  for (let call = 0; call < calls; call += 1) found.push((await get(path, address)).status)
  return found
}

/** Drawings since the start, because nothing is kept. */
async function drawings(): Promise<number> {
  return JSON.parse((await get('/api/stats', '192.0.2.99')).text).cache.misses
}

async function previewOf(page: string, address: string): Promise<string | undefined> {
  const { text } = await get(page, address)
  return /src="(\/playground\/badge[^"]+)"/.exec(text)?.[1]?.replaceAll('&amp;', '&')
}

test('a preview that was counted today is drawn again sixty times a minute, and not for others', async () => {
  const page = '/?kind=badge&label=one&value=two'
  const path = (await previewOf(page, '192.0.2.1')) ?? ''
  expect(path).not.toBe('')
  const answered = await statuses(path, '192.0.2.1', freeMax + 5)
  expect(answered).toEqual(Array.from(answered, (_, call) => (call < freeMax ? 200 : 503)))
  const refused = await get(path, '192.0.2.1')
  expect(refused.headers.get('retry-after')).toBe('60')
  expect(JSON.parse(refused.text).code).toBe('busy')
  // A preview that is counted just now is drawn, and so are those of others.
  expect(await previewOf('/?kind=badge&label=one&value=three', '192.0.2.1')).toBeDefined()
  expect((await get(path, '192.0.2.2')).status).toBe(200)
  playgroundDrawingsServer.clock.aheadMs += 60_000
  expect((await get(path, '192.0.2.1')).status).toBe(200)
})

test('an IPv6 network gets no more drawings from many addresses that show one preview', async () => {
  const page = '/?kind=badge&label=net&value=work'
  const before = await drawings()
  for (let subnet = 0; subnet < 0x100; subnet += 1)
    await get(page, `2001:db8:7:${subnet.toString(16).padStart(4, '0')}::1`)
  // One is counted, and a /56 has four times as much as an address.
  expect((await drawings()) - before).toBeLessThanOrEqual(1 + 4 * freeMax)
})

test('the home page draws a preview again no more often, and is written all the same', async () => {
  playgroundDrawingsServer.clock.aheadMs += 60_000
  const page = '/?kind=badge&label=home&value=page'
  await get(page, '192.0.2.3')
  const before = await drawings()
  const answered = await statuses(page, '192.0.2.3', freeMax + 10)
  expect(new Set(answered)).toEqual(new Set([200]))
  expect((await drawings()) - before).toBe(freeMax)
  const { text } = await get(page, '192.0.2.3')
  expect(text).toContain('Too many pictures were drawn again just now.')
  expect(text).toContain('label=home')
})

test.each(['/pictures/badge-build.svg', '/pictures/brand-saltmarsh-og.svg', '/pictures/share-home.png'])(
  'a picture of our own pages is drawn once, and again within the bound: %p',
  async (path) => {
    playgroundDrawingsServer.clock.aheadMs += 60_000
    const answered = await statuses(path, '192.0.2.4', freeMax + 5)
    const shown = answered.filter((status) => status === 200).length
    expect(shown).toBeGreaterThanOrEqual(freeMax)
    expect(shown).toBeLessThanOrEqual(freeMax + 1)
    expect(answered.at(-1)).toBe(503)
  },
)

test('an example of the playground draws nothing without bound', async () => {
  playgroundDrawingsServer.clock.aheadMs += 60_000
  const before = await drawings()
  // The empty text is nobody's card, but such a page is not kept.
  await statuses('/?kind=badge&show=', '192.0.2.5', freeMax + 10)
  expect((await drawings()) - before).toBeLessThanOrEqual(freeMax + 1)
})
