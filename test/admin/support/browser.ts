import { expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { hangMsMax } from '../../support/hang-limit.ts'
import { started } from '../../support/started.ts'
import { type AdminServer, operatorPassword } from './admin-server.ts'

const executablePath = '/usr/bin/chromium'

/** Tests that need a browser are left out where Debian's Chromium is not installed. */
export const hasBrowser = existsSync(executablePath)
if (!hasBrowser)
  console.warn(`No ${executablePath}: the tests of the operator's pages in a browser are left out.`)

export async function openBrowser() {
  return await chromium.launch({
    executablePath,
    timeout: hangMsMax,
    args: [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  })
}

export type Browser = Awaited<ReturnType<typeof openBrowser>>

/** The browser of the tests of a file, which leave out those that need one where there is none. */
export function startedBrowser(): Browser {
  return started(async () => (hasBrowser ? await openBrowser() : ({ close() {} } as unknown as Browser)))
}

/** A page whose complaints are kept: errors, warnings, and what the content policy refused. */
export async function openPage(browser: Browser, options: BrowserContextOptions = {}) {
  const context = await browser.newContext({ acceptDownloads: true, ...options })
  const page = await context.newPage()
  page.setDefaultTimeout(hangMsMax)
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(String(error)))
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text())
  })
  return { page, complaints, close: () => context.close() }
}

/** Declares tests that have a page of their own, which must not complain. They may use the clipboard. */
export function pageTests(browser: Browser, enterFirst?: Pick<AdminServer, 'url'>) {
  return (name: string, work: (opened: { readonly page: Page }) => Promise<void>) =>
    test.skipIf(!hasBrowser)(name, async () => {
      const permissions = ['clipboard-read', 'clipboard-write']
      const { page, complaints, close } = await openPage(browser, { permissions })
      if (enterFirst !== undefined) await enter(page, enterFirst)
      await work({ page })
      expect(complaints).toEqual([])
      await close()
    })
}

export async function enter(page: Page, { url }: Pick<AdminServer, 'url'>): Promise<void> {
  await page.goto(`${url}/admin`)
  await page.getByLabel('Password').fill(operatorPassword)
  await page.getByRole('button', { name: 'Log in' }).click()
  await page.waitForURL(`${url}/admin`)
}
