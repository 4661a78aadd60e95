import { describe, expect, test } from 'bun:test'
import { pageFaults } from '../support/page-faults.ts'
import { started } from '../support/started.ts'
import { openAdminServer, operatorPassword } from './support/admin-server.ts'
import { enter, hasBrowser, openBrowser, openPage } from './support/browser.ts'

describe.skipIf(!hasBrowser)('the operator, in a browser', () => {
  const server = started(() => openAdminServer({ seed: { keys: 10, payments: 2, days: 60 } }))
  const browser = started(openBrowser)

  test('reads a chart by arrow keys and under the pointer, and its sum when neither is there', async () => {
    const { page, complaints, close } = await openPage(browser)
    await enter(page, server)
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
    expect(complaints).toEqual([])
    await close()
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

  test('opens a request of the traffic by its keyboard', async () => {
    const { page, close } = await openPage(browser)
    await enter(page, server)
    await (await fetch(`${server.url}/api/badge?label=a&message=b`)).arrayBuffer()
    await page.goto(`${server.url}/admin/traffic?asset=badge`)
    const row = page.locator('details.row').first()
    await row.locator('summary').press('Enter')
    await row.getByText('Request id').waitFor()
    expect(await pageFaults(page)).toEqual([])
    await close()
  })
})
