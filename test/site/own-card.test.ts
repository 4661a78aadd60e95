import { describe, expect, test } from 'bun:test'
import { guidePath, guides } from '../../src/site/guides/guides.ts'
import { hasBrowser, openBrowser, openPage } from '../admin/support/browser.ts'
import { startPageSite } from '../routes/support/page-site.ts'
import { startService } from '../support/service.ts'
import { started } from '../support/started.ts'
import { isQuick } from '../support/test-size.ts'
import cases from './own-card.json' with { type: 'json' }

const site = started(startPageSite)
const server = started(() => startService({ env: site.env }))

const feeds = ['x', 'slack', 'linkedin', 'discord', 'whatsapp'] as const

async function homeWith(show: string, init: RequestInit = {}): Promise<string> {
  const answer = await fetch(`${server.url}/?${new URLSearchParams({ show })}`, init)
  expect(answer.status).toBe(200)
  return await answer.text()
}

function framedPictures(html: string): readonly string[] {
  const [, frames = ''] = /class="feed-views">(.*?)<p class="small muted">/s.exec(html) ?? []
  return Array.from(frames.matchAll(/<img src="([^"]+)"/g), ([, source = '']) =>
    source.replaceAll('&amp;', '&'),
  )
}

async function titleOf(path: string): Promise<string | undefined> {
  const answer = await fetch(server.url + path)
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/svg+xml'])
  return /<title[^>]*>([^<]*)</.exec(await answer.text())?.[1]
}

const problem = /<p class="problem" id="own-problem">([^<]*)</

test('the first screen has a sample card in the frame of each network', async () => {
  const html = await (await fetch(server.url)).text()
  const pictures = framedPictures(html)
  expect(pictures).toHaveLength(feeds.length)
  expect(new Set(pictures).size).toBe(1)
  expect(await titleOf(pictures[0] ?? '')).toBe('Small pages, fast builds, happy readers')
  expect(html).not.toMatch(problem)
})

test.each([
  ['a headline', 'Tides & <b>tables</b>', 'Tides &amp; &lt;b&gt;tables&lt;/b&gt;'],
  ['a headline that looks like a file', 'Vue.js', 'Vue.js'],
  ['a headline in another script', '潮の満ち引き', '潮の満ち引き'],
  ['a long headline', 'tide '.repeat(50).trim(), 'tide '.repeat(50).trim()],
])('%s is on the card in every frame, and in the field', async (_, typed, title) => {
  const html = await homeWith(typed)
  const pictures = framedPictures(html)
  expect(pictures).toHaveLength(feeds.length)
  for (const picture of new Set(pictures)) expect(await titleOf(picture)).toBe(title)
  expect(html).toContain(`name="show" value="${title}"`)
  expect(html).not.toContain('<b>tables')
})

test('the address of a page shows the card of that page', async () => {
  site.setPage(
    '/tides',
    '<!doctype html><title>Tides of March &amp; April</title><p>The sea came and went.</p>',
  )
  const html = await homeWith(site.url('/tides'))
  for (const picture of new Set(framedPictures(html)))
    expect(await titleOf(picture)).toBe('Tides of March &amp; April')
  expect(html).toContain('Tides of March &amp; April')
  expect(html).toContain(`/?kind=card&amp;page=${encodeURIComponent(site.url('/tides'))}#play`)
})

test.each([
  ['a page that cannot be read', () => site.url('/missing'), /\w/],
  ['an address of this machine', () => 'http://127.0.0.1:1/', /\w/],
  ['a headline that is too long', () => 'x'.repeat(301), /^The headline must be/],
])('%s is told at the field, beside the sample', async (_, typed, message) => {
  const html = await homeWith(typed())
  expect(problem.exec(html)?.[1]).toMatch(message)
  expect(html).toContain('aria-invalid="true" aria-describedby="own-problem"')
  const [picture = ''] = framedPictures(html)
  expect(picture).toBe('/pictures/card-hero.svg')
})

test('no page is read for HEAD, a picture tag or a prefetch', async () => {
  site.setPage('/quiet', '<!doctype html><title>Quiet</title>')
  const before = site.requests.length
  const path = `${server.url}/?${new URLSearchParams({ show: site.url('/quiet') })}`
  for (const init of [
    { method: 'HEAD' },
    { headers: { 'sec-fetch-dest': 'image' } },
    { headers: { 'sec-purpose': 'prefetch' } },
  ])
    expect((await fetch(path, init)).status).toBe(200)
  expect(site.requests.length).toBe(before)
})

test('looking at the sample uses nothing up, and a headline counts as a preview', async () => {
  const small = await startService({ env: { PLAYGROUND_PER_IP_PER_DAY: '1' } })
  const shown = (title: string) => fetch(`${small.url}/?show=${title}`).then((answer) => answer.text())
  for (let n = 0; n < 3; n += 1) await (await fetch(small.url)).text()
  expect(await shown('One')).not.toMatch(problem)
  expect(problem.exec(await shown('Two'))?.[1]).toContain('previews for today')
  await small.stop()
})

describe.skipIf(isQuick || !hasBrowser)('in a browser', () => {
  const browser = started(openBrowser)

  test.each([true, false])(
    'the form and the tabs work by keyboard alone, with scripts: %p',
    async (scripts) => {
      const { page, complaints, close } = await openPage(browser, { javaScriptEnabled: scripts })
      await page.goto(server.url)
      await page.getByLabel('Try it').focus()
      await page.keyboard.type('Tides of March')
      await page.keyboard.press('Enter')
      await page.waitForURL(/show=Tides/)
      const visible = page.locator('.shown .feed-views > .feed:visible')
      await page.locator('.shown input:checked').focus()
      for (const feed of feeds) {
        expect(await visible.count()).toBe(1)
        expect(await visible.getAttribute('class')).toMatch(new RegExp(`\\bis-${feed}\\b`))
        expect(await visible.textContent()).toContain('Tides of March')
        await page.keyboard.press('ArrowRight')
      }
      expect(complaints).toEqual([])
      await close()
    },
  )
})

const shareCardsServer = started(startService)

const paths = [...cases.paths, ...guides.map(guidePath)]

function tagOf(html: string, name: string): string | undefined {
  return new RegExp(`<meta (?:property|name)="${name}" content="([^"]*)"`).exec(html)?.[1]
}

test('each page names a card of its own, a PNG of the size that its tags say', async () => {
  const cards = new Map<string, string>()
  for (const path of paths) {
    const html = await (await fetch(shareCardsServer.url + path)).text()
    const address = tagOf(html, 'og:image') ?? ''
    expect([path, address]).toEqual([path, expect.stringMatching(/\/pictures\/share-[a-z-]+\.png$/)])
    cards.set(address, path)
    expect(tagOf(html, 'og:image:alt')?.length).toBeGreaterThan(0)
    expect(tagOf(html, 'twitter:card')).toBe('summary_large_image')
    const answer = await fetch(new URL(new URL(address).pathname, shareCardsServer.url))
    expect([address, answer.status, answer.headers.get('content-type')]).toEqual([address, 200, 'image/png'])
    const png = Buffer.from(await answer.arrayBuffer())
    const size = [png.readUInt32BE(16), png.readUInt32BE(20)].map(String)
    expect(size).toEqual([tagOf(html, 'og:image:width') ?? '', tagOf(html, 'og:image:height') ?? ''])
    expect(png.length).toBeLessThan(60_000)
  }
  expect(cards.size).toBe(paths.length)
})

test('drawing them takes nothing of a quota, and no other file is one', async () => {
  await (await fetch(`${shareCardsServer.url}/pictures/share-home.png`)).arrayBuffer()
  const stats = await (await fetch(`${shareCardsServer.url}/api/stats`)).json()
  expect(stats).toMatchObject({ demo: { used: 0 }, day: { by_endpoint: { og: 0 } } })
  for (const file of ['share-none.png', 'share-.png', 'share-home.svg', 'share-__proto__.png'])
    expect((await fetch(`${shareCardsServer.url}/pictures/${file}`)).status).toBe(404)
})
