import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { signUrl } from '../../src/client/sign-url.ts'
import { type AdminServer, openAdminServer, operatorPassword } from './support/admin-server.ts'
import { type Browser, enter, hasBrowser, openBrowser, openPage } from './support/browser.ts'

let server: AdminServer
let browser: Browser
let serial = 0

beforeAll(async () => {
  if (!hasBrowser) return
  server = await openAdminServer()
  browser = await openBrowser()
})
afterAll(async () => {
  await browser?.close()
  await server?.close()
})

interface Pair {
  readonly key: string
  readonly secret: string
}

/** The status of a signed call for a card that nobody asked for before. */
async function call(pair: Pair): Promise<number> {
  serial += 1
  const t = Math.floor(server.clock.now() / 1000)
  const url = await signUrl(`${server.url}/api/og?title=Card&subtitle=${serial}`, pair, { t })
  const answer = await fetch(url)
  await answer.arrayBuffer()
  return answer.status
}

async function shownPair(page: Page): Promise<Pair> {
  return {
    key: (await page.locator('#secret-id').textContent()) ?? '',
    secret: (await page.locator('#secret-value').textContent()) ?? '',
  }
}

async function usedToday(page: Page) {
  await page.reload()
  return await page.locator('.kpis div', { hasText: 'Used today' }).locator('dd').textContent()
}

describe.skipIf(!hasBrowser).each([true, false])(
  'the life of a key, with JavaScript: %p',
  (javaScriptEnabled) => {
    test('from the log-in to the log-out', async () => {
      const { page, complaints, close } = await openPage(browser, {
        javaScriptEnabled,
        permissions: ['clipboard-read', 'clipboard-write'],
      })
      page.on('dialog', (dialog) => dialog.accept())
      await enter(page, server)

      await page.goto(`${server.url}/admin/keys`)
      await page.getByRole('link', { name: 'New key' }).first().click()
      await page.getByLabel('Name').fill('docs.harbour.dev')
      await page.getByRole('button', { name: 'Create key' }).click()
      await page.waitForURL(/\/admin\/keys\/mk_/)
      const first = await shownPair(page)
      const keyPage = page.url()
      if (javaScriptEnabled) {
        await page.locator('[data-copy=secret-value]').click()
        expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(first.secret)
      } else {
        expect(await page.locator('[data-copy=secret-value]').isVisible()).toBe(false)
      }

      expect(await call(first)).toBe(200)
      expect(await call(first)).toBe(200)
      expect(await usedToday(page)).toContain('2')
      expect(await page.content()).not.toContain(first.secret)

      await page.locator('input[name=quota]').fill('2')
      await page.getByRole('button', { name: 'Save quota' }).click()
      expect(await call(first)).toBe(402)
      await expectText(page, 'Exhausted')
      await page.locator('input[name=quota]').fill('50')
      await page.getByRole('button', { name: 'Save quota' }).click()
      expect(await call(first)).toBe(200)

      await page.getByLabel('still accepted').selectOption({ label: 'for an hour' })
      await page.locator('#rotate button').click()
      await page.waitForSelector('#secret-value')
      const second = await shownPair(page)
      expect(second.secret).not.toBe(first.secret)
      expect([await call(first), await call(second)]).toEqual([200, 200])
      server.clock.aheadMs += 61 * 60_000
      expect([await call(first), await call(second)]).toEqual([402, 200])

      await page.goto(keyPage)
      await page.locator('.head').getByRole('button', { name: 'Revoke' }).click()
      await expectText(page, 'Restore')
      expect(await call(second)).toBe(402)
      await page.locator('.head').getByRole('button', { name: 'Restore' }).click()
      await expectText(page, 'Active')
      expect(await call(second)).toBe(200)

      await page.goto(`${server.url}/admin/keys`)
      await page.getByRole('link', { name: 'Export CSV' }).click()
      await page.getByLabel('Password').fill(operatorPassword)
      const download = page.waitForEvent('download')
      await page.getByRole('button', { name: 'Confirm' }).click()
      const csv = await Bun.file(await (await download).path()).text()
      expect(csv).toContain(first.key)
      for (const { secret } of [first, second]) expect(csv).not.toContain(secret)

      await page.goto(keyPage)
      await page.getByRole('button', { name: 'Log out' }).click()
      await page.waitForURL(/\/admin\/login/)
      await page.goto(keyPage)
      expect(page.url()).toContain('/admin/login?next=')
      expect(complaints).toEqual([])
      await close()
    })

    test('many are revoked at once, by their boxes or by a search', async () => {
      const { page, close } = await openPage(browser, { javaScriptEnabled })
      await enter(page, server)
      const word = javaScriptEnabled ? 'script' : 'plain'
      for (let n = 0; n < 4; n += 1) {
        await page.goto(`${server.url}/admin/keys/new`)
        await page.getByLabel('Name').fill(`Bulk ${word} ${n}`)
        await page.getByRole('button', { name: 'Create key' }).click()
      }
      async function active() {
        await page.goto(`${server.url}/admin/keys?status=active&q=bulk+${word}`)
        return await page.locator('.stack tbody tr').count()
      }
      expect(await active()).toBe(4)
      await page.getByRole('checkbox').first().check()
      await page.getByRole('button', { name: 'Revoke selected' }).click()
      await page.getByRole('button', { name: 'Revoke this key' }).click()
      expect(await active()).toBe(3)
      await page.getByRole('button', { name: 'Revoke all that match' }).click()
      await expectText(page, 'these 3 keys')
      await page.getByRole('button', { name: 'Revoke these 3 keys' }).click()
      expect(await active()).toBe(0)
      await close()
    })
  },
)

async function expectText(page: Page, text: string): Promise<void> {
  await page.getByText(text).first().waitFor()
}
