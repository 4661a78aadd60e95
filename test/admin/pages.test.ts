import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { layoutFaults } from '../support/layout-faults.ts'
import { faultsInLooks, widths } from '../support/looks.ts'
import { pageFaults } from '../support/page-faults.ts'
import { type AdminServer, openAdminServer } from './support/admin-server.ts'
import { logoFile, sendBrand, valleyFile } from './support/brand-forms.ts'
import { type Browser, enter, hasBrowser, openBrowser, openPage } from './support/browser.ts'
import { logIn } from './support/operator.ts'
import { emptyPages, seededPages } from './support/pages.ts'

let browser: Browser
const servers: AdminServer[] = []

beforeAll(async () => {
  if (!hasBrowser) return
  browser = await openBrowser()
  const busy = await openAdminServer({ seed: {} })
  servers.push(busy, await openAdminServer())
  // Their audit log tells of changes with their details.
  const operator = await logIn(busy)
  await operator.createKey()
  await sendBrand(busy, operator, {
    name: 'Harbour Works',
    slug: 'harbour',
    access: 'keys',
    accent: '0891b2',
    ground: 'e9f1f5',
    logo: logoFile,
    picture: new File([valleyFile.buffer], valleyFile.name),
  })
  await sendBrand(busy, operator, { footer: 'harbour.example' }, 'harbour')
})
afterAll(async () => {
  await browser?.close()
  await Promise.all(servers.map((server) => server.close()))
})

const sets = [
  { name: 'of a busy service', server: () => servers[0] as AdminServer, paths: seededPages },
  { name: 'of a new service', server: () => servers[1] as AdminServer, paths: emptyPages },
]

function addressesOf({ url }: AdminServer, paths: Readonly<Record<string, string>>) {
  return Object.fromEntries(Object.entries(paths).map(([name, path]) => [name, url + path]))
}

describe.skipIf(!hasBrowser).each(sets)('every page $name', ({ server, paths }) => {
  test('is accessible, fits the screen, cuts and breaks nothing and keeps to its policy, on phones, tablets and desks, light and dark', async () => {
    const { page, complaints, close } = await openPage(browser)
    await enter(page, server())
    expect(await faultsInLooks(page, addressesOf(server(), paths), pageFaults)).toEqual({})
    // The browser reports every 404 page as an error of its own.
    expect(complaints.filter((complaint) => !complaint.includes('404'))).toEqual([])
    await close()
  })

  test('has the same layout where no script runs', async () => {
    const { page, close } = await openPage(browser, { javaScriptEnabled: false })
    await enter(page, server())
    expect(await faultsInLooks(page, addressesOf(server(), paths), layoutFaults)).toEqual({})
    await close()
  })
})

test.skipIf(!hasBrowser)(
  'every page has a good layout at every width between those of phones, tablets and desks',
  async () => {
    const { page, close } = await openPage(browser)
    const server = servers[0] as AdminServer
    await enter(page, server)
    expect(await faultsInLooks(page, addressesOf(server, seededPages), layoutFaults, widths)).toEqual({})
    await close()
  },
)

test.skipIf(!hasBrowser)('a key with a long name keeps its buttons and the list its columns', async () => {
  const { page, close } = await openPage(browser)
  const server = servers[0] as AdminServer
  await enter(page, server)
  const { createKey } = await logIn(server)
  for (const name of ['n'.repeat(80), 'long words and more words '.repeat(3)]) {
    const { path } = await createKey({ name })
    const pages = { 'the key': server.url + path, 'the keys': `${server.url}/admin/keys` }
    expect(await faultsInLooks(page, pages, pageFaults)).toEqual({})
    await page.goto(server.url + path)
    const [title, buttons] = [page.locator('.head h1'), page.locator('.head .end')]
    const [one, other] = [await title.boundingBox(), await buttons.boundingBox()]
    expect(other?.y).toBeLessThan((one?.y ?? 0) + 10)
    expect(other?.x).toBeGreaterThan((one?.x ?? 0) + (one?.width ?? 0))
  }
  await close()
})

test.skipIf(!hasBrowser)('the pages before the login are accessible too', async () => {
  const { page, complaints, close } = await openPage(browser)
  const { url } = servers[0] as AdminServer
  const pages = { login: `${url}/admin/login`, 'set-up': `${url}/admin/setup?token=none` }
  expect(await faultsInLooks(page, pages, pageFaults)).toEqual({})
  expect(complaints).toEqual([])
  await close()
})
