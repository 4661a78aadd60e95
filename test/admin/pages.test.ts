import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { pageFaults } from '../support/page-faults.ts'
import { type AdminServer, openAdminServer } from './support/admin-server.ts'
import { type Browser, enter, hasBrowser, openBrowser, openPage } from './support/browser.ts'
import { emptyPages, seededPages } from './support/pages.ts'

const widths = [390, 1360]
const schemes = ['light', 'dark'] as const

let browser: Browser
const servers: AdminServer[] = []

beforeAll(async () => {
  if (!hasBrowser) return
  browser = await openBrowser()
  servers.push(await openAdminServer({ seed: {} }), await openAdminServer())
})
afterAll(async () => {
  await browser?.close()
  await Promise.all(servers.map((server) => server.close()))
})

const sets = [
  { name: 'of a busy service', server: () => servers[0] as AdminServer, paths: seededPages },
  { name: 'of a new service', server: () => servers[1] as AdminServer, paths: emptyPages },
]

describe.skipIf(!hasBrowser).each(sets)('every page $name', ({ server, paths }) => {
  test('is accessible, fits the screen and keeps to its policy, on phones and desks, light and dark', async () => {
    const { page, complaints, close } = await openPage(browser)
    await enter(page, server())
    const faults: Record<string, readonly string[]> = {}
    for (const [name, path] of Object.entries(paths)) {
      await page.goto(server().url + path)
      for (const width of widths)
        for (const colorScheme of schemes) {
          await page.setViewportSize({ width, height: 900 })
          await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
          const found = await pageFaults(page)
          if (found.length > 0) faults[`${name}, ${width} px, ${colorScheme}`] = found
        }
    }
    expect(faults).toEqual({})
    // The browser reports every 404 page as an error of its own.
    expect(complaints.filter((complaint) => !complaint.includes('404'))).toEqual([])
    await close()
  }, 60_000)
})

test.skipIf(!hasBrowser)('the pages before the login are accessible too', async () => {
  const { page, complaints, close } = await openPage(browser)
  const { url } = servers[0] as AdminServer
  for (const path of ['/admin/login', '/admin/setup?token=none']) {
    await page.goto(url + path)
    expect(await pageFaults(page)).toEqual([])
  }
  expect(complaints).toEqual([])
  await close()
})
