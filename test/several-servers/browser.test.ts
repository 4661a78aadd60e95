import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { operatorPassword } from '../admin/support/admin-server.ts'
import { type Browser, enter, hasBrowser, openBrowser, openPage } from '../admin/support/browser.ts'
import { hangMsMax } from '../support/hang-limit.ts'
import { hasPostgres, startPostgres } from '../support/postgres.ts'
import { started } from '../support/started.ts'
import { type Servers, startServers } from './support/servers.ts'
import { callSigned } from './support/signed-calls.ts'

describe.skipIf(!hasPostgres || !hasBrowser)('the operator of two servers, in a browser', () => {
  let servers: Servers
  let browser: Browser
  const postgres = started(startPostgres)
  beforeAll(async () => {
    const url = postgres.makeDatabase('operator')
    servers = await startServers({
      databaseUrls: [url, url],
      env: { ADMIN_PASSWORD: operatorPassword },
    })
    browser = await openBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    await servers?.close()
  })

  test('logs in on one and works on the other; a key is shown once, used on the other, revoked on the first and refused', async () => {
    // One name with two ports, as a browser sees two servers behind one proxy: the cookie goes to both.
    const [first = '', second = ''] = servers.urls().map((url) => url.replace('127.0.0.1', 'localhost'))
    const { page, complaints, close } = await openPage(browser)
    page.on('dialog', (dialog) => dialog.accept())
    page.setDefaultTimeout(hangMsMax)
    await enter(page, { url: first })

    await page.goto(`${second}/admin/keys`)
    await page.getByRole('link', { name: 'New key' }).first().click()
    await page.getByLabel('Name').fill('docs.harbour.dev')
    await page.getByRole('button', { name: 'Create key' }).click()
    await page.waitForURL(/\/admin\/keys\/mk_/)
    const key = await shownKey(page)
    const path = new URL(page.url()).pathname
    // The secret is shown that one time, on whichever server.
    for (const server of [first, second]) {
      await page.goto(server + path)
      expect(await page.locator('#secret-value').count()).toBe(0)
      expect(await page.content()).not.toContain(key.secret)
    }

    expect([await callSigned(first, key), await callSigned(second, key)]).toEqual([200, 200])
    await page.goto(first + path)
    expect(await page.locator('.kpis div', { hasText: 'Used today' }).locator('dd').textContent()).toContain(
      '2',
    )
    await page.locator('.head').getByRole('button', { name: 'Revoke' }).click()
    await page.locator('main', { hasText: 'Restore' }).waitFor()
    expect(await callSigned(second, key)).toBe(402)
    await page.goto(second + path)
    await page.locator('.head').getByRole('button', { name: 'Restore' }).click()
    await page.locator('main', { hasText: 'Active' }).waitFor()
    expect(await callSigned(first, key)).toBe(200)

    await page.getByRole('button', { name: 'Log out' }).click()
    await page.waitForURL(/login/)
    await page.goto(`${first}/admin/keys`)
    expect(page.url()).toContain('/admin/login')
    expect(complaints).toEqual([])
    await close()
  })

  test('has one page of keys that either server shows the secret of, and only one', async () => {
    const { page, close } = await openPage(browser)
    page.setDefaultTimeout(hangMsMax)
    const [first = '', second = ''] = servers.urls().map((url) => url.replace('127.0.0.1', 'localhost'))
    await enter(page, { url: second })
    const cookie = (await page.context().cookies()).map(({ name, value }) => `${name}=${value}`).join('; ')
    const headers = { cookie, 'sec-fetch-site': 'same-origin' }
    const created = await fetch(`${first}/admin/keys`, {
      method: 'POST',
      body: new URLSearchParams({ name: 'once' }),
      headers,
      redirect: 'manual',
    })
    const path = created.headers.get('location') ?? ''
    const pages = await Promise.all(
      Array.from({ length: 8 }, async (_, index) =>
        (await fetch([first, second][index % 2] + path, { headers })).text(),
      ),
    )
    expect(pages.filter((html) => html.includes('id="secret-value"'))).toHaveLength(1)
    await close()
  })
})

async function shownKey(page: Page) {
  return {
    key: (await page.locator('#secret-id').textContent()) ?? '',
    secret: (await page.locator('#secret-value').textContent()) ?? '',
  }
}
