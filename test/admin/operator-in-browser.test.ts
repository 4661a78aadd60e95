import { describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { signUrl } from '../../src/client/sign-url.ts'
import { shopkeeper, startAnvil } from '../payments/support/anvil.ts'
import { walletEnv } from '../payments/support/wallet-env.ts'
import { pageFaults } from '../support/page-faults.ts'
import { started } from '../support/started.ts'
import { openAdminServer, operatorPassword } from './support/admin-server.ts'
import { enter, hasBrowser, openBrowser, openPage, pageTests, startedBrowser } from './support/browser.ts'

describe.skipIf(!hasBrowser)('the operator, in a browser', () => {
  const server = started(() => openAdminServer({ seed: { keys: 10, payments: 2, days: 60 } }))
  const browser = started(openBrowser)
  const it = pageTests(browser, server)

  it('reads a chart by arrow keys and under the pointer, and its sum when neither is there', async ({
    page,
  }) => {
    await page.goto(`${server.url}/admin/usage?by=hour`)
    const readout = page.locator('.readout')
    const summary = (await readout.textContent()) ?? ''
    expect(summary).toMatch(/^[\d,]+ requests in 24 hours\. /)
    const chart = page.getByRole('slider', { name: 'Requests per hour' })
    await chart.focus()
    expect(await readout.textContent()).toContain('so far')
    await page.keyboard.press('ArrowLeft')
    const before = (await readout.textContent()) ?? ''
    expect(before).toMatch(
      /^\d+ \w+, \d\d:00 to \d\d:00\. [\d,]+ requests: .* served, .* failed\. Previous period/,
    )
    expect(await chart.getAttribute('aria-valuetext')).toBe(before)
    await page.keyboard.press('Home')
    expect(await chart.getAttribute('aria-valuenow')).toBe('0')
    await page.locator('.bar').nth(3).hover()
    expect(await readout.textContent()).not.toBe(summary)
    await page.locator('h1').hover()
    await chart.blur()
    expect(await readout.textContent()).toBe(summary)
    expect(await pageFaults(page)).toEqual([])
  })

  test('has the numbers of a chart as tooltips and as a table where no script runs', async () => {
    const { page, close } = await openPage(browser, { javaScriptEnabled: false })
    await enter(page, server)
    await page.goto(`${server.url}/admin/usage?by=day`)
    expect(await page.locator('.bar title').count()).toBe(30)
    await page.getByText('Show as table').click()
    expect(await page.locator('.data tbody tr').count()).toBe(30)
    expect(await page.locator('.data th').allTextContents()).toContain('Previous period')
    await close()
  })

  test('is told a wrong password at its field, and may read what is typed', async () => {
    const { page, close } = await openPage(browser)
    await page.goto(`${server.url}/admin`)
    const field = page.getByLabel('Password', { exact: true })
    await field.fill('correct horse batterie')
    const button = page.getByRole('button', { name: 'Show what is typed' })
    await button.click()
    expect([await field.getAttribute('type'), await button.textContent()]).toEqual(['text', 'Hide'])
    await field.press('Enter')
    await page.getByRole('alert').waitFor()
    expect(await field.getAttribute('aria-invalid')).toBe('true')
    expect(await field.getAttribute('type')).toBe('password')
    expect(await pageFaults(page)).toEqual([])
    await field.fill(operatorPassword)
    await field.press('Enter')
    await page.waitForURL(`${server.url}/admin`)
    await close()
  })

  it('opens a request of the traffic by its keyboard', async ({ page }) => {
    await (await fetch(`${server.url}/api/badge?label=a&message=b`)).arrayBuffer()
    await page.goto(`${server.url}/admin/traffic?asset=badge`)
    const row = page.locator('details.row').first()
    await row.locator('summary').press('Enter')
    await row.getByText('Request id').waitFor()
    expect(await pageFaults(page)).toEqual([])
  })
})

const server = started(openAdminServer)
const browser = startedBrowser()
let serial = 0

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
      await page.getByRole('button', { name: 'Save key' }).click()
      expect(await call(first)).toBe(402)
      await expectText(page, 'Exhausted')
      await page.locator('input[name=quota]').fill('50')
      const saved = page.waitForEvent('load')
      await page.getByRole('button', { name: 'Save key' }).click()
      await saved
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

const chain = started(startAnvil)
const paymentLifeServer = started(() =>
  openAdminServer({ env: { ...walletEnv(chain.url), X402_POLL_MS: '50' } }),
)

describe.skipIf(!hasBrowser).each([true, false])(
  'the life of a payment, with JavaScript: %p',
  (javaScriptEnabled) => {
    test('from a hash that nobody offered, to its charges, to the CSV export', async () => {
      const { page, complaints, close } = await openPage(browser, { javaScriptEnabled })
      await enter(page, paymentLifeServer)
      const body = page.locator('main')
      async function explain(hash: string) {
        await page.goto(`${paymentLifeServer.url}/admin/payments`)
        await page.getByPlaceholder('Transaction hash or wallet').fill(hash)
        await page.getByRole('button', { name: 'Apply' }).click()
        await page.waitForURL(`**/admin/payments/${hash}`)
        return (await body.textContent()) ?? ''
      }

      const unknown = `0x${'12'.repeat(32)}`
      expect(await explain(unknown)).toContain('payment_not_found')

      const hash = await chain.transfer(shopkeeper.address, 10_000n)
      expect(await explain(hash)).toContain('never offered')

      const card = `${paymentLifeServer.url}/api/og?title=Paid&subtitle=${javaScriptEnabled}`
      const paid = await fetch(card, { headers: { 'x-payment': hash } })
      expect(paid.status).toBe(200)
      await paid.arrayBuffer()

      await page.goto(`${paymentLifeServer.url}/admin/payments`)
      // Payments of one millisecond are listed in any order.
      const row = page.locator('tbody tr', { hasText: hash.slice(0, 6) })
      expect(await row.textContent()).toMatch(/Settled.*og.*transfer/s)
      await row.getByRole('link').click()
      expect(await body.textContent()).toMatch(/0\.01 of 0\.01 spent.*What it bought.*og/s)
      await page.getByRole('button', { name: 'Check again' }).click()
      await page.getByText('Settled').first().waitFor()

      await page.goto(`${paymentLifeServer.url}/admin/audit`)
      expect(await body.textContent()).toContain(hash)
      await page.goto(`${paymentLifeServer.url}/admin/payments`)
      const download = page.waitForEvent('download')
      await page.getByRole('link', { name: 'Export CSV' }).click()
      expect(await Bun.file(await (await download).path()).text()).toContain(hash)
      expect(complaints).toEqual([])
      await close()
    })
  },
)
