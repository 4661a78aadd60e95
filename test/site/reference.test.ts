import { describe, expect, test } from 'bun:test'
import { assets } from '../../src/catalog.ts'
import { parametersOf } from '../../src/site/reference/parameters.ts'
import { hasBrowser, openBrowser, openPage } from '../admin/support/browser.ts'
import { startService } from '../support/service.ts'
import { started } from '../support/started.ts'
import { isQuick } from '../support/test-size.ts'

const server = started(startService)

test('what a parameter is when it is missing stands in the column of defaults, and nowhere else', async () => {
  for (const asset of assets)
    for (const { name, description } of parametersOf(asset.query))
      expect([asset.id, name, description]).toEqual([
        asset.id,
        name,
        expect.not.stringMatching(/when missing|\bdefaults?\b/),
      ])
  const html = await (await fetch(`${server.url}/docs`)).text()
  const cells = [...html.matchAll(/<td [^>]*data-label="Default">(.*?)<\/td>/g)].map(([, cell = '']) => cell)
  expect(cells.length).toBeGreaterThan(50)
  for (const cell of cells) expect(cell.replaceAll(/<[^>]*>/g, '')).toMatch(/\w/)
})

test('OpenAPI says in words what holds where a parameter is missing', async () => {
  const text = await (await fetch(`${server.url}/openapi.json`)).text()
  expect(text).toContain('How many seconds the answer may be cached. When missing: 86400.')
  expect(text).not.toContain('whenMissing')
})

test('the reference names the origin at which it was asked for, however many came in between', async () => {
  const hosts = Array.from({ length: 12 }, (_, n) => `site${n}.example.com`)
  for (const host of [...hosts, ...hosts.toReversed()]) {
    const html = await (await fetch(`${server.url}/docs`, { headers: { host } })).text()
    expect(html).toContain(`http://${host}/docs`)
    expect(new Set(html.match(/site\d+\.example\.com/g))).toEqual(new Set([host]))
  }
})

test.each([
  ['og', 'theme'],
  ['og', 'size'],
  ['badge', 'style'],
  ['avatar', 'shape'],
  ['avatar', 'style'],
])('every value of %s’s %s has a picture with its size and a text', async (id, parameter) => {
  const html = await (await fetch(`${server.url}/docs`)).text()
  const [section = ''] = html.split(`class="looks of-${id} is-${parameter}"`)[1]?.split('class="looks') ?? []
  const { query } = assets.find((asset) => asset.id === id) ?? {}
  for (const value of query?.properties[parameter as never]?.['enum'] ?? []) {
    const figures = section.split('<figure>').filter((figure) => figure.includes(`>${parameter}=${value}<`))
    expect([value, figures.length]).toEqual([value, parameter === 'theme' ? 2 : 1])
    for (const figure of figures) {
      expect(figure).toMatch(/<img src="[^"]+" width="\d+" height="\d+" alt="[^"]*\w[^"]*" loading="lazy"/)
      const answer = await fetch(server.url + (/src="([^"]+)"/.exec(figure)?.[1] ?? ''))
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/svg+xml'])
    }
  }
})

describe.skipIf(isQuick || !hasBrowser)('the contents of the reference', () => {
  const browser = started(openBrowser)

  test('mark the section that is read, wherever the reader came from', async () => {
    const { page, complaints, close } = await openPage(browser)
    await page.setViewportSize({ width: 1360, height: 900 })
    const marked = page.locator('.contents [aria-current=true]')
    await page.goto(`${server.url}/docs`)
    expect(await marked.textContent()).toBe('Quick start')
    const links = await page.locator('.contents a[href^="#"]').all()
    expect(links.length).toBeGreaterThan(10)
    for (const link of links) {
      const name = (await link.textContent()) ?? ''
      await link.click()
      await page.locator('.contents [aria-current=true]', { hasText: name }).waitFor()
      expect(await marked.count()).toBe(1)
    }
    await page.evaluate(() => document.getElementById('badge')?.scrollIntoView())
    await page.locator('.contents [aria-current=true]', { hasText: 'Badge' }).waitFor()
    await page.goto(`${server.url}/docs/errors`)
    expect(await marked.textContent()).toBe('Problems')
    expect(complaints).toEqual([])
    await close()
  })
})
