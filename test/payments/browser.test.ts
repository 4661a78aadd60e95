import { expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import { keyOf, payer, settlerEnv, startAnvil } from './support/anvil.ts'
import { freshUrl } from './support/pay.ts'
import { openShop } from './support/shop.ts'

const executablePath = '/usr/bin/chromium'

test.skipIf(!existsSync(executablePath))('a browser pays from a page of another site', async () => {
  const chain = await startAnvil()
  const shop = await openShop(chain.url, { env: settlerEnv })
  const built = await Bun.build({
    entrypoints: [join(import.meta.dirname, 'support/browser-page.ts')],
    target: 'browser',
  })
  const script = (await built.outputs[0]?.text()) ?? ''
  const site = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: () =>
      new Response('<!doctype html><title>Elsewhere</title>', { headers: { 'content-type': 'text/html' } }),
  })
  const args = [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
  ]
  const browser = await chromium.launch({ executablePath, args })
  const page = await browser.newPage()
  await page.goto(`http://127.0.0.1:${site.port}/`)
  await page.addScriptTag({ content: script })
  const result = await page.evaluate(
    ([url, key]) =>
      (globalThis as never as { payFromPage(url: string, key: string): Promise<object> }).payFromPage(
        url,
        key,
      ),
    [freshUrl(shop), keyOf(payer)] as const,
  )
  expect(result).toMatchObject({ status: 200, isSvg: true, receipt: expect.any(String) })
  await browser.close()
  await site.stop(true)
  await shop.close()
  await chain.stop()
})
