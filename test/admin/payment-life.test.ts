import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Chain, shopkeeper, startAnvil } from '../payments/support/anvil.ts'
import { walletEnv } from '../payments/support/wallet-env.ts'
import { type AdminServer, openAdminServer } from './support/admin-server.ts'
import { type Browser, enter, hasBrowser, openBrowser, openPage } from './support/browser.ts'

let chain: Chain
let server: AdminServer
let browser: Browser

beforeAll(async () => {
  if (!hasBrowser) return
  chain = await startAnvil()
  server = await openAdminServer({
    env: {
      ...walletEnv(chain.url),
      X402_POLL_MS: '50',
    },
  })
  browser = await openBrowser()
})
afterAll(async () => {
  await browser?.close()
  await server?.close()
  await chain?.stop()
})

describe.skipIf(!hasBrowser).each([true, false])(
  'the life of a payment, with JavaScript: %p',
  (javaScriptEnabled) => {
    test('from a hash that nobody offered, to its charges, to the CSV export', async () => {
      const { page, complaints, close } = await openPage(browser, { javaScriptEnabled })
      await enter(page, server)
      const body = page.locator('main')
      async function explain(hash: string) {
        await page.goto(`${server.url}/admin/payments`)
        await page.getByPlaceholder('Transaction hash or wallet').fill(hash)
        await page.getByRole('button', { name: 'Apply' }).click()
        await page.waitForURL(`**/admin/payments/${hash}`)
        return (await body.textContent()) ?? ''
      }

      const unknown = `0x${'12'.repeat(32)}`
      expect(await explain(unknown)).toContain('payment_not_found')

      const hash = await chain.transfer(shopkeeper.address, 10_000n)
      expect(await explain(hash)).toContain('never offered')

      const card = `${server.url}/api/og?title=Paid&subtitle=${javaScriptEnabled}`
      const paid = await fetch(card, { headers: { 'x-payment': hash } })
      expect(paid.status).toBe(200)
      await paid.arrayBuffer()

      await page.goto(`${server.url}/admin/payments`)
      // Payments of one millisecond are listed in any order.
      const row = page.locator('tbody tr', { hasText: hash.slice(0, 6) })
      expect(await row.textContent()).toMatch(/Settled.*og.*transfer/s)
      await row.getByRole('link').click()
      expect(await body.textContent()).toMatch(/0\.01 of 0\.01 spent.*What it bought.*og/s)
      await page.getByRole('button', { name: 'Check again' }).click()
      await page.getByText('Settled').first().waitFor()

      await page.goto(`${server.url}/admin/audit`)
      expect(await body.textContent()).toContain(hash)
      await page.goto(`${server.url}/admin/payments`)
      const download = page.waitForEvent('download')
      await page.getByRole('link', { name: 'Export CSV' }).click()
      expect(await Bun.file(await (await download).path()).text()).toContain(hash)
      expect(complaints).toEqual([])
      await close()
    })
  },
)
