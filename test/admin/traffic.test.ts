import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { started } from '../support/started.ts'
import { isQuick } from '../support/test-size.ts'
import { type AdminServer, openAdminServer } from './support/admin-server.ts'
import { enter, hasBrowser, openBrowser, openPage } from './support/browser.ts'
import { logIn } from './support/operator.ts'

let server: AdminServer
beforeAll(async () => {
  server = await openAdminServer()
})
afterAll(() => server.close())

test('new requests show without their queries on a page that loads itself again', async () => {
  const operator = await logIn(server)
  await (await fetch(`${server.url}/api/usage?key=mk_secret-thing`)).arrayBuffer()
  const page = await operator.page('/admin/traffic')
  expect(page).toContain('data-refresh-seconds="5"')
  expect(page).toContain('<summary class="mono">GET /api/usage</summary>')
  expect(page).not.toContain('mk_secret-thing')
})

describe('the list of the last requests', () => {
  async function ask(path: string, times = 1) {
    for (let n = 0; n < times; n += 1) await (await fetch(server.url + path)).arrayBuffer()
  }
  function pathsIn(html: string) {
    return [...html.matchAll(/GET (\/[^<]*)</g)].map(([, path]) => path)
  }

  test('is not pushed out by the pictures of our own pages, which stand in a view of their own', async () => {
    const { page } = await logIn(server)
    await ask('/api/usage?key=mk_none')
    // Later ones come first in a list.
    server.clock.aheadMs += 1_000
    await ask('/pictures/badge-docs.svg', 120)
    const paths = pathsIn(await page('/admin/traffic'))
    expect(paths).toContain('/api/usage')
    expect(paths.filter((path) => path?.startsWith('/pictures/'))).toEqual([])
    expect(pathsIn(await page('/admin/traffic?show=all'))).toContain('/pictures/badge-docs.svg')
    expect(new Set(pathsIn(await page('/admin/traffic?show=errors')))).toContain('/api/usage')
    expect(pathsIn(await page('/admin/traffic?show=errors'))).not.toContain('/healthz')
  })

  test('comes in pages of 25, and older pages stay where they are while new requests come', async () => {
    const { page } = await logIn(server)
    for (let n = 0; n < 60; n += 1) await ask(`/healthz/${n}`)
    const first = await page('/admin/traffic')
    expect(pathsIn(first)).toHaveLength(25)
    const older =
      /href="(\/admin\/traffic\?[^"]*after=[^"]*)"/.exec(first)?.[1]?.replaceAll('&amp;', '&') ?? ''
    const second = pathsIn(await page(older))
    expect(second).toEqual(Array.from({ length: 25 }, (_, index) => `/healthz/${34 - index}`))
    await ask('/healthz', 10)
    expect(pathsIn(await page(older))).toEqual(second)
    expect(await page(older)).not.toContain('data-feed')
    expect(pathsIn(await page('/admin/traffic?after=gone&show=nothing'))).toHaveLength(25)
  })
})

describe.skipIf(isQuick || !hasBrowser)('the traffic page', () => {
  const browser = started(openBrowser)

  test('shows a new request without a reload where script runs', async () => {
    const { page, complaints, close } = await openPage(browser)
    await enter(page, server)
    await page.goto(`${server.url}/admin/traffic`)
    await page.getByText('Reloads every 5 s', { exact: true }).waitFor()
    await (await fetch(`${server.url}/healthz?new`)).arrayBuffer()
    await page.locator('tbody tr', { hasText: '/healthz' }).first().waitFor()
    await (await fetch(`${server.url}/pictures/badge-docs.svg`)).arrayBuffer()
    for (let n = 0; n < 30; n += 1) await (await fetch(`${server.url}/readyz?${n}`)).arrayBuffer()
    await page.locator('tbody tr', { hasText: '/readyz' }).nth(24).waitFor()
    expect(await page.locator('tbody tr').count()).toBe(25)
    expect(await page.locator('tbody tr', { hasText: '/pictures/' }).count()).toBe(0)
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
