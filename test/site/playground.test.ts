import { expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { hasBrowser, openPage, pageTests, startedBrowser } from '../admin/support/browser.ts'
import { readAddress } from '../support/read-address.ts'
import { started } from '../support/started.ts'
import cases from './playground.json' with { type: 'json' }
import { startWithSite } from './support/live-site.ts'

const house = started(startWithSite)
const browser = startedBrowser()

const it = pageTests(browser)

function picture(page: Page) {
  return page.locator('.canvas img').first()
}
async function addressOf(page: Page) {
  return (await page.locator('pre.url').textContent()) ?? ''
}
async function demoLeft() {
  return (await (await fetch(`${house.server.url}/api/transform?kind=stats`)).json()).demo.used
}

it('the preview follows typing, the address follows the form, and nothing jumps', async ({ page }) => {
  await page.goto(house.server.url)
  await page.evaluate(() => {
    const seen = window as unknown as { shifts: number }
    seen.shifts = 0
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) seen.shifts += (entry as unknown as { value: number }).value
    }).observe({ type: 'layout-shift', buffered: true })
  })
  const before = await picture(page).getAttribute('src')
  await page
    .getByLabel('Title', { exact: false })
    .first()
    .fill('Words of my own that are long enough to wrap')
  await page.waitForURL(/title=Words/)
  expect(await picture(page).getAttribute('src')).not.toBe(before)
  expect(await picture(page).evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(1200)
  expect(await page.evaluate(() => (window as unknown as { shifts: number }).shifts)).toBe(0)
  expect((await fetch(await addressOf(page))).status).toBe(200)
  await page.getByLabel('Title', { exact: false }).first().fill('x'.repeat(81))
  await page.locator('.problem').waitFor()
  expect(await page.locator('.problem').textContent()).toContain('Title must be 1 to 80 characters, not 81')
})

test.skipIf(!hasBrowser)(
  'an address of the playground shows the same to somebody else, without JavaScript too',
  async () => {
    const { page, close } = await openPage(browser, { javaScriptEnabled: false })
    await page.goto(`${house.server.url}/?kind=avatar&name=Grace+Hopper&size=64`)
    expect(await picture(page).getAttribute('alt')).toBe('Grace Hopper')
    expect(await picture(page).getAttribute('width')).toBe('64')
    await page.getByLabel('Name', { exact: false }).fill('Alan Turing')
    await page.getByRole('button', { name: 'Update preview' }).click()
    await page.waitForURL(/name=Alan/)
    expect(await picture(page).getAttribute('alt')).toBe('Alan Turing')
    expect(await addressOf(page)).toContain('name=Alan+Turing')
    await close()
  },
)

it('previews do not use the demo quota', async ({ page }) => {
  const before = await demoLeft()
  await page.goto(`${house.server.url}/?kind=badge&label=mine&value=ok`)
  expect(
    await picture(page).evaluate((image: HTMLImageElement) => image.complete && image.naturalWidth > 0),
  ).toBe(true)
  expect(await demoLeft()).toBe(before)
})

it('a secret that is pasted in is sent nowhere, and what it signs works', async ({ page }) => {
  const pair = await (await fetch(`${house.server.url}/api/key`)).json()
  const sent: string[] = []
  page.on('request', (request) =>
    sent.push(`${request.url()} ${request.postData()} ${JSON.stringify(request.headers())}`),
  )
  await page.goto(`${house.server.url}/?kind=og&title=It's+(mine)*!&subtitle=caf%C3%A9`)
  await page.getByText('Sign this URL in your browser').click()
  expect(await page.getByRole('button', { name: 'Copy URL' }).isVisible()).toBe(false)
  await page.getByLabel('Key id').fill(pair.id)
  await page.getByLabel('Secret').fill(pair.secret)
  await page.getByRole('button', { name: 'Sign', exact: true }).click()
  const shown = page.getByRole('region', { name: 'Signed URL' })
  await shown.waitFor()
  const address = (await shown.textContent()) ?? ''
  expect(readAddress(address)).toMatchObject({ service: house.server.url, asset: 'og', key: pair.id })
  expect(readAddress(address).parameters.get('title')).toBe("It's (mine)*!")
  await page.getByRole('button', { name: 'Copy URL' }).click()
  await page.getByRole('button', { name: 'Copied' }).waitFor()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(address)
  const answer = await fetch(address)
  expect(answer.headers.get('x-auth-mode')).toBe('key')
  expect(sent.length).toBeGreaterThan(3)
  expect(sent.filter((request) => request.includes(pair.secret) || request.includes(pair.id))).toEqual([])
  await page.getByLabel('Secret').fill('none')
  await page.getByRole('button', { name: 'Sign', exact: true }).click()
  await shown.filter({ hasText: 'secret must be 64 hex digits' }).waitFor()
})

it('a look at a site waits for the button behind a sample, then shows what was found', async ({ page }) => {
  await page.goto(`${house.server.url}/?kind=preview`)
  expect(await page.locator('.stage > .facts').textContent()).toContain('nothing was fetched')
  expect(await page.locator('.unfurl').textContent()).toContain('Open Graph protocol')
  await page.getByLabel('Page').fill(house.pageUrl)
  await page.getByRole('button', { name: 'Fetch' }).click()
  await page.locator('.unfurl', { hasText: 'Harbour news' }).waitFor()
  await page.goto(`${house.server.url}/?kind=sitemap`)
  await page.getByLabel('Domain').fill('site.example.com')
  const progress = page.waitForRequest((request) => request.url().includes('/playground/sitemap'))
  await page.getByRole('button', { name: 'Fetch' }).click()
  expect((await progress).resourceType()).toBe('eventsource')
  await page.locator('.files', { hasText: 'site.example.com' }).waitFor()
  expect(await page.locator('.files').textContent()).toContain('robots.txt')
})

it('a badge is shown large enough to judge, and copied as it is', async ({ page }) => {
  await page.goto(`${house.server.url}/?kind=badge`)
  expect(await addressOf(page)).not.toContain('scale=')
  const image = await fetch(await addressOf(page))
  const [, height] = /<svg[^>]*? height="(\d+)"/.exec(await image.text()) ?? []
  expect(Number(height)).toBe(20)
  expect((await picture(page).boundingBox())?.height).toBe(40)
  expect(await page.locator('.stage > .facts').textContent()).toContain('shown at 200 %')
  await page.locator('.snips [value=html]').check()
  expect(await page.locator('pre.html').textContent()).toContain('height="20"')
})

it('the result fills its panel: nothing stands empty below it, whatever the result is', async ({ page }) => {
  const results = cases.results
  for (const query of results)
    for (const width of [920, 1360]) {
      await page.setViewportSize({ width, height: 900 })
      await page.goto(`${house.server.url}/?${query}`)
      const more = page.locator('.more summary').first()
      if (await more.isVisible()) await more.click()
      const empty = await page.locator('.stage').evaluate((stage) => {
        const boxes = [...stage.children].map((child) => child.getBoundingClientRect())
        const free = stage.getBoundingClientRect().height - boxes.reduce((sum, { height }) => sum + height, 0)
        const blank = [...stage.children].filter(
          (child) => !child.textContent?.trim() && !child.querySelector('img'),
        )
        return { freePx: Math.round(free), blank: blank.map(({ className }) => className) }
      })
      expect([query, width, empty]).toEqual([query, width, { freePx: 0, blank: [] }])
    }
})

it('an upright card on a low canvas has no frame around what is empty beside it', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 900 })
  await page.goto(`${house.server.url}/?kind=og&title=Hello&size=pin`)
  const drawn = await picture(page).evaluate((image) => {
    const { boxShadow, outlineStyle, borderStyle, backgroundColor } = getComputedStyle(image)
    return { boxShadow, outlineStyle, borderStyle, backgroundColor }
  })
  expect(drawn).toEqual({
    boxShadow: 'none',
    outlineStyle: 'none',
    borderStyle: 'none',
    backgroundColor: 'rgba(0, 0, 0, 0)',
  })
})

it('the texts of a card are edited on it, a link holds it, and the last cards are there after a reload', async ({
  page,
}) => {
  await page.goto(`${house.server.url}/?kind=og&title=First&theme=paper#play`)
  await page.locator('[data-last][class~=row], [data-last].onward').waitFor({ state: 'attached' })
  await picture(page).click({ position: { x: 80, y: 60 } })
  const onCard = page.getByLabel('title on the card', { exact: true })
  expect(await onCard.inputValue()).toBe('First')
  await onCard.fill('Edited on the card')
  await page.waitForURL(/title=Edited/)
  expect(await page.locator('.fields input[name=title]').inputValue()).toBe('Edited on the card')
  expect(await picture(page).getAttribute('alt')).toBe('Edited on the card')
  await page.keyboard.press('Escape')
  expect(await onCard.count()).toBe(0)
  await page.getByRole('link', { name: 'Link to this' }).click()
  await page.getByRole('link', { name: 'Copied' }).waitFor()
  const link = await page.evaluate(() => navigator.clipboard.readText())
  expect(link).toBe(`${house.server.url}/?kind=og&title=Edited+on+the+card&theme=paper#play`)
  await page.goto(`${house.server.url}/?kind=badge#play`)
  const last = page.getByRole('navigation', { name: 'Your last cards' }).getByRole('link')
  await last.getByAltText('Edited on the card').click()
  await page.waitForURL(link)
})

it('the fields of a template are there while it is chosen, and the choice keeps the focus', async ({
  page,
}) => {
  await page.goto(`${house.server.url}/?kind=og&title=Hello#play`)
  expect(await page.locator('#field-minutes').count()).toBe(0)
  await page.locator('[name=template][value=standard]').focus()
  await page.keyboard.press('ArrowRight')
  await page.locator('#field-minutes').waitFor()
  expect(await page.evaluate(() => (document.activeElement as HTMLInputElement).name)).toBe('template')
  await page.locator('[name=minutes]').fill('7')
  await page.waitForURL(/minutes=7/)
})
