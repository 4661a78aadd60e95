import { beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { shopkeeper, startAnvil } from '../payments/support/anvil.ts'
import { walletEnv } from '../payments/support/wallet-env.ts'
import { layoutFaults } from '../support/layout-faults.ts'
import { faultsInLooks, widths } from '../support/looks.ts'
import { pageFaults } from '../support/page-faults.ts'
import { started } from '../support/started.ts'
import { type AdminServer, openAdminServer } from './support/admin-server.ts'
import { logoFile, sendBrand, valleyFile } from './support/brand-forms.ts'
import { enter, hasBrowser, openPage, startedBrowser } from './support/browser.ts'
import { keyboardOf } from './support/keyboard.ts'
import { logIn } from './support/operator.ts'
import { emptyPages, seededPages } from './support/pages.ts'

const browser = startedBrowser()
const busy = started(() => openAdminServer({ seed: {} }))
const fresh = started(openAdminServer)

beforeAll(async () => {
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
const sets = [
  { name: 'of a busy service', server: busy, paths: seededPages },
  { name: 'of a new service', server: fresh, paths: emptyPages },
]

function addressesOf({ url }: AdminServer, paths: Readonly<Record<string, string>>) {
  return Object.fromEntries(Object.entries(paths).map(([name, path]) => [name, url + path]))
}

describe.skipIf(!hasBrowser).each(sets)('every page $name', ({ server, paths }) => {
  test('is accessible, fits the screen, cuts and breaks nothing and keeps to its policy, on phones, tablets and desks, light and dark', async () => {
    const { page, complaints, close } = await openPage(browser)
    await enter(page, server)
    expect(await faultsInLooks(page, addressesOf(server, paths), pageFaults)).toEqual({})
    // The browser reports every 404 page as an error of its own.
    expect(complaints.filter((complaint) => !complaint.includes('404'))).toEqual([])
    await close()
  })

  test('has the same layout where no script runs', async () => {
    const { page, close } = await openPage(browser, { javaScriptEnabled: false })
    await enter(page, server)
    expect(await faultsInLooks(page, addressesOf(server, paths), layoutFaults)).toEqual({})
    await close()
  })
})

test.skipIf(!hasBrowser)(
  'every page has a good layout at every width between those of phones, tablets and desks',
  async () => {
    const { page, close } = await openPage(browser)
    await enter(page, busy)
    expect(await faultsInLooks(page, addressesOf(busy, seededPages), layoutFaults, widths)).toEqual({})
    await close()
  },
)

test.skipIf(!hasBrowser)('a key with a long name keeps its buttons and the list its columns', async () => {
  const { page, close } = await openPage(browser)
  await enter(page, busy)
  const { createKey } = await logIn(busy)
  for (const name of ['n'.repeat(80), 'long words and more words '.repeat(3)]) {
    const { path } = await createKey({ name })
    const pages = { 'the key': busy.url + path, 'the keys': `${busy.url}/admin/keys` }
    expect(await faultsInLooks(page, pages, pageFaults)).toEqual({})
    await page.goto(busy.url + path)
    const [title, buttons] = [page.locator('.head h1'), page.locator('.head .end')]
    const [one, other] = [await title.boundingBox(), await buttons.boundingBox()]
    expect(other?.y).toBeLessThan((one?.y ?? 0) + 10)
    expect(other?.x).toBeGreaterThan((one?.x ?? 0) + (one?.width ?? 0))
  }
  await close()
})

test.skipIf(!hasBrowser)('the pages before the login are accessible too', async () => {
  const { page, complaints, close } = await openPage(browser)
  const { url } = busy
  const pages = { login: `${url}/admin/login`, 'set-up': `${url}/admin/setup?token=none` }
  expect(await faultsInLooks(page, pages, pageFaults)).toEqual({})
  expect(complaints).toEqual([])
  await close()
})

const chain = started(startAnvil)
const server = started(() =>
  openAdminServer({ env: { ...walletEnv(chain.url), X402_POLL_MS: '50', ADMIN_PASSWORD: '' } }),
)

type Keyboard = ReturnType<typeof keyboardOf>

describe.skipIf(!hasBrowser)('an operator without a pointer', () => {
  test('sets the password, makes a key and a brand, looks a payment up, and logs out', async () => {
    const { page, complaints, close } = await openPage(browser, {
      permissions: ['clipboard-read', 'clipboard-write'],
    })
    const keyboard = keyboardOf(page)
    await setUp(page, keyboard)
    await makeKey(page, keyboard)
    await makeBrand(page, keyboard)
    await lookPaymentUp(page, keyboard)
    await keyboard.follow('button:has-text("Log out")', `${server.url}/admin/login`)
    // The browser moves the focus after the page is there.
    await page.waitForFunction(() => document.activeElement?.getAttribute('name') === 'password')
    // A form that is not complete yet is previewed as one with mistakes, which the browser reports as an error.
    expect(complaints.filter((complaint) => !complaint.includes('422'))).toEqual([])
    await close()
  })
})

/** The field has the focus from the start, and Enter sends the form. */
async function setUp(page: Page, keyboard: Keyboard): Promise<void> {
  await page.goto(`${server.url}/admin/setup?token=${await server.service.startSetup()}`)
  expect(await keyboard.walk()).toEqual([])
  await page.reload()
  await keyboard.type('correct horse battery')
  await Promise.all([page.waitForURL(`${server.url}/admin`), keyboard.press('Enter')])
  expect(await keyboard.walk()).toEqual([])
}

async function makeKey(page: Page, keyboard: Keyboard): Promise<void> {
  await keyboard.follow('nav a:has-text("Keys")', `${server.url}/admin/keys`)
  await keyboard.follow('a:has-text("New key")', `${server.url}/admin/keys/new`)
  expect(await keyboard.walk()).toEqual([])
  await keyboard.goTo('input[name="name"]')
  await keyboard.type('docs.harbour.dev')
  await keyboard.follow('button:has-text("Create key")', /\/admin\/keys\/mk_/)
  await keyboard.goTo('[data-copy="secret-value"]')
  await keyboard.press('Enter')
  await page.getByText('Copied').waitFor()
  const secret = await page.locator('#secret-value').textContent()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(secret ?? '')
  expect(await page.evaluate(() => document.activeElement?.matches('[data-copy="secret-value"]'))).toBe(true)
  expect(await keyboard.walk()).toEqual([])
}

async function makeBrand(page: Page, keyboard: Keyboard): Promise<void> {
  // Choosers are caught from now on: asked for together with the key press, the browser may open its own first.
  page.on('filechooser', () => {})
  await keyboard.follow('nav a:has-text("Brands")', `${server.url}/admin/brands`)
  await keyboard.follow('a:has-text("New brand")', `${server.url}/admin/brands/new`)
  await keyboard.goTo('#name')
  await keyboard.type('Harbour')
  await keyboard.goTo('#theme')
  await keyboard.press('ArrowDown')
  await keyboard.press('ArrowDown')
  expect(await page.locator('#theme').inputValue()).toBe('paper')
  await keyboard.goTo('#picture')
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), keyboard.press('Enter')])
  await chooser.setFiles(valleyFile)
  await page.locator('[data-focal] img').waitFor()
  await page.waitForFunction(() => document.querySelector<HTMLInputElement>('#focus')?.value === '66,60')
  await moveFocalPoint(page, keyboard)
  await keyboard.goTo('#access input:checked')
  await whilePreviewIsDrawn(page, () => keyboard.press('ArrowDown'))
  expect(await page.locator('[name="access"]:checked').inputValue()).toBe('keys')
  expect(await keyboard.walk()).toEqual([])
  await keyboard.follow('button:has-text("Create brand")', `${server.url}/admin/brands/harbour`)
  expect(await page.locator('#focus').inputValue()).toBe('69,70')
  for (const width of [360, 1280]) {
    await page.setViewportSize({ width, height: 720 })
    expect([width, await keyboard.walk()]).toEqual([width, []])
  }
}

/** The point keeps the focus while the cards are drawn again. */
async function moveFocalPoint(page: Page, keyboard: Keyboard): Promise<void> {
  const point = '[data-focal] [role="slider"]'
  await keyboard.goTo(point)
  await whilePreviewIsDrawn(page, async () => {
    for (const key of ['ArrowRight', 'ArrowRight', 'ArrowRight', 'Shift+ArrowDown']) await keyboard.press(key)
    expect(await page.locator('#focus').inputValue()).toBe('69,70')
  })
  expect(await page.locator(point).evaluate((each) => each === document.activeElement)).toBe(true)
  const expected = '69 % from the left, 70 % from the top'
  expect(await page.locator(point).getAttribute('aria-valuetext')).toBe(expected)
}

/** Acts, then waits for a preview that was drawn since. */
async function whilePreviewIsDrawn(page: Page, act: () => Promise<unknown>): Promise<void> {
  await page.evaluate(() => {
    const state = document.getElementById('preview-state')
    if (state !== null) state.textContent = ''
  })
  await act()
  await page.waitForFunction(() => document.getElementById('preview-state')?.textContent !== '')
}

async function lookPaymentUp(page: Page, keyboard: Keyboard): Promise<void> {
  const hash = await chain.transfer(shopkeeper.address, 10_000n)
  const paid = await fetch(`${server.url}/api/og?title=Paid`, { headers: { 'x-payment': hash } })
  expect([paid.status, (await paid.arrayBuffer()).byteLength > 0]).toEqual([200, true])
  await keyboard.follow('nav a:has-text("Payments")', `${server.url}/admin/payments`)
  expect(await keyboard.walk()).toEqual([])
  await keyboard.goTo('[placeholder="Transaction hash or wallet"]')
  await keyboard.type(hash)
  await Promise.all([page.waitForURL(`${server.url}/admin/payments/${hash}`), keyboard.press('Enter')])
  await keyboard.goTo('button:has-text("Check again")')
  await Promise.all([page.waitForEvent('load'), keyboard.press('Enter')])
  await page.getByText('Settled').first().waitFor()
  expect(await keyboard.walk()).toEqual([])
}
