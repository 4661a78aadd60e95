import { describe, expect, test } from 'bun:test'
import { hasBrowser, openBrowser, openPage, pageTests } from '../admin/support/browser.ts'
import { startService } from '../support/service.ts'
import { started } from '../support/started.ts'
import { isQuick } from '../support/test-size.ts'

const server = started(startService)

async function preloadsOf(path: string): Promise<readonly string[]> {
  const html = await (await fetch(server.url + path)).text()
  return Array.from(
    html.matchAll(/<link rel="preload" href="([^"]+)" as="font" type="font\/woff2" crossorigin/g),
    ([, href = '']) => href,
  )
}

test('pages preload the two fonts that their style sheet names, and the operator’s pages one of them', async () => {
  const html = await (await fetch(server.url)).text()
  const [, sheet = ''] = /<link rel="stylesheet" href="([^"]+)"/.exec(html) ?? []
  const css = await (await fetch(server.url + sheet)).text()
  const named = [...css.matchAll(/url\(([^)]+\.woff2)\)/g)].map(
    ([, href = '']) => new URL(href, server.url + sheet).pathname,
  )
  // A name of several words is quoted: a browser drops a face whose name has a word that is a number.
  expect(css.match(/@font-face *{\s*font-family: *(?:"[^"]+"|[A-Za-z]+);/g)).toHaveLength(5)
  expect(named.map((path) => path.replace(/.*\//, ''))).toEqual(['inter.woff2', 'newsreader.woff2'])
  for (const path of ['/', '/docs', '/docs/signed-urls', '/status'])
    expect(await preloadsOf(path)).toEqual(named)
  expect(await preloadsOf('/admin/login')).toEqual(named.slice(0, 1))
})

test('the fonts are WOFF2 of less than 40 KB together, and may be kept for ever', async () => {
  let bytes = 0
  for (const path of await preloadsOf('/')) {
    const answer = await fetch(server.url + path)
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'font/woff2'])
    expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    const font = Buffer.from(await answer.arrayBuffer())
    expect(font.subarray(0, 4).toString('latin1')).toBe('wOF2')
    bytes += font.length
  }
  expect(bytes).toBeGreaterThan(0)
  expect(bytes).toBeLessThan(40_000)
})

describe.skipIf(isQuick || !hasBrowser)('in a browser', () => {
  const browser = started(openBrowser)
  const it = pageTests(browser)

  it('headings are in Newsreader and text is in Inter', async ({ page }) => {
    await page.goto(server.url)
    await page.reload()
    const drawn = await page.evaluate(async () => {
      await document.fonts.ready
      const loaded = [...document.fonts].filter(({ status }) => status === 'loaded')
      return {
        loaded: loaded.map(({ family }) => family.replaceAll('"', '')),
        families: ['h1', 'p'].map(
          (name) => getComputedStyle(document.querySelector(name) ?? document.body).fontFamily.split(',')[0],
        ),
      }
    })
    expect(drawn.families).toEqual(['Newsreader', 'Inter'])
    expect(drawn.loaded).toContain('Inter')
    expect(drawn.loaded).toContain('Newsreader')
  })

  test.each([
    ['at once', 0],
    ['late', 400],
  ])('nothing moves while a page loads whose fonts and scripts come %s', async (_, delayMs) => {
    for (const width of [360, 820, 1440]) {
      const { page, close } = await openPage(browser, { viewport: { width, height: 900 } })
      await page.addInitScript(() => {
        const seen = { shift: 0 }
        Object.assign(window, { seen })
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) seen.shift += (entry as unknown as { value: number }).value
        }).observe({ type: 'layout-shift', buffered: true })
      })
      await page.route(/\.(?:woff2|js)$/, async (route) => {
        await new Promise((resolve) => setTimeout(resolve, delayMs))
        await route.continue()
      })
      for (const path of ['/', '/docs', '/docs/signed-urls']) {
        await page.goto(server.url + path, { waitUntil: 'load' })
        const shift = await page.evaluate(async () => {
          await document.fonts.ready
          await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
          return (window as unknown as { seen: { shift: number } }).seen.shift
        })
        expect([path, width, shift]).toEqual([path, width, 0])
      }
      await close()
    }
  })
})
