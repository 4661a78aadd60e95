import { describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { started } from '../support/started.ts'
import { openAdminServer } from './support/admin-server.ts'
import { logoFile, valleyFile } from './support/brand-forms.ts'
import { enter, hasBrowser, openPage, pageTests, startedBrowser } from './support/browser.ts'

const server = started(openAdminServer)
const browser = startedBrowser()
const it = pageTests(browser, server)

const mark = { name: 'mark.svg', mimeType: 'image/svg+xml', buffer: Buffer.from(await logoFile.bytes()) }

/** Drops a file at the middle of a field, as somebody does who takes it from another program. */
async function drop(page: Page, field: string, path: string): Promise<void> {
  const place = page.locator(field)
  await place.scrollIntoViewIfNeeded()
  const { x = 0, y = 0, width = 0, height = 0 } = (await place.boundingBox()) ?? {}
  const devTools = await page.context().newCDPSession(page)
  const data = { items: [], files: [path], dragOperationsMask: 1 }
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
    await devTools.send('Input.dispatchDragEvent', { type, x: x + width / 2, y: y + height / 2, data })
}

async function cornerOf(place: Locator): Promise<readonly [left: number, top: number]> {
  const { x = 0, y = 0 } = (await place.boundingBox()) ?? {}
  return [x, y]
}

function firstCard(page: Page): Promise<string | null> {
  return page.locator('#preview img').first().getAttribute('src')
}

describe.skipIf(!hasBrowser)('a brand is made in the admin', () => {
  test('with a preview that follows what is typed', async () => {
    const { page, complaints, close } = await openPage(browser)
    await enter(page, server)
    await page.getByRole('link', { name: 'Brands' }).click()
    await page.getByRole('link', { name: 'New brand' }).first().click()
    const before = await firstCard(page)
    await page.getByLabel('Name', { exact: true }).fill('Acme Harbour & Sons')
    expect(await page.getByLabel('Slug').inputValue()).toBe('acme-harbour-sons')
    await page.getByLabel('Theme', { exact: true }).selectOption('poster')
    await page.waitForFunction(
      (source) => document.querySelector('#preview img')?.getAttribute('src') !== source,
      before,
    )

    await page.getByLabel('Accent', { exact: true }).fill('tealish')
    await page.getByText('Accent must be a colour').waitFor()
    expect(await page.getByLabel('Accent', { exact: true }).getAttribute('aria-invalid')).toBe('true')
    await page.getByLabel('Accent', { exact: true }).fill('0891b2')
    await page.getByText('Accent must be a colour').waitFor({ state: 'detached' })
    expect(await page.getByLabel('Accent: choose a colour').inputValue()).toBe('#0891b2')
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Acme Harbour & Sons')

    await page.getByLabel('Logo', { exact: true }).setInputFiles(mark)
    await page.getByText('not saved yet').waitFor()
    await page.getByLabel('Logo', { exact: true }).setInputFiles({ ...mark, buffer: Buffer.from('no logo') })
    await page.locator('#logo-problem').waitFor()
    await page.getByLabel('Logo', { exact: true }).setInputFiles(mark)
    await page.locator('#logo-problem').waitFor({ state: 'detached' })

    await page.getByRole('button', { name: 'Create brand' }).click()
    await page.waitForURL(`${server.url}/admin/brands/acme-harbour-sons`)
    expect(await page.getByText('mark.svg').count()).toBe(1)
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Acme Harbour & Sons')
    expect(await page.locator('#use-revision').textContent()).toBe(
      `${server.url}/api/og?brand=acme-harbour-sons@1&title=Hello&demo=1`,
    )
    // Each 422 of a preview is reported by the browser as an error of its own.
    expect(complaints.filter((complaint) => !complaint.includes('422'))).toEqual([])
    await close()
  })

  it('with files that are dropped, a focal point on the picture and colours of the logo', async ({
    page,
  }) => {
    await page.goto(`${server.url}/admin/brands/new`)
    const directory = mkdtempSync(join(tmpdir(), 'mintmark-drop-'))
    writeFileSync(join(directory, 'mark.svg'), mark.buffer)
    await drop(page, '#logo', join(directory, 'mark.svg'))
    await page.getByText('mark.svg').waitFor()
    rmSync(directory, { recursive: true })
    const swatch = page.getByRole('button', { name: 'Accent #00aa77' })
    await swatch.click()
    expect(await page.getByLabel('Accent', { exact: true }).inputValue()).toBe('00aa77')
    await page.waitForFunction(() => document.getElementById('preview-state')?.textContent !== '')
    expect(await swatch.evaluate((button) => button === document.activeElement)).toBe(true)

    await page.getByLabel('Background picture', { exact: true }).setInputFiles(valleyFile)
    const picture = page.locator('[data-focal] img')
    await picture.evaluate((image: HTMLImageElement) => image.decode())
    // The radio telescopes, where the sky meets the hills.
    expect(await page.locator('#focus').inputValue()).toMatch(/^6\d,6\d$/)
    const { width = 0, height = 0 } = (await picture.boundingBox()) ?? {}
    await picture.click({ position: { x: width / 4, y: height / 2 } })
    expect(await page.locator('#focus').inputValue()).toBe('25,50')
    const [left, top] = await cornerOf(picture)
    await page.mouse.move(left + width / 4, top + height / 2)
    await page.mouse.down()
    await page.mouse.move(left + width / 2, top + height / 4, { steps: 4 })
    await page.mouse.up()
    await page.keyboard.press('ArrowLeft')
    expect(await page.locator('#focus').inputValue()).toBe('49,25')

    await page.locator('[name="remove"][value="logo"]').check()
    expect(await page.locator('#logo').evaluate((input: HTMLInputElement) => input.files?.length)).toBe(0)
    await page.getByLabel('Name', { exact: true }).fill('Valley')
    await page.getByRole('button', { name: 'Create brand' }).click()
    await page.waitForURL(`${server.url}/admin/brands/valley`)
    expect([await page.getByText('mark.svg').count(), await page.getByText('valley.jpg').count()]).toEqual([
      0, 1,
    ])
    expect(await page.locator('#focus').inputValue()).toBe('49,25')
  })

  it('where a file that is too large is told at its field and not sent', async ({ page }) => {
    await page.goto(`${server.url}/admin/brands/new`)
    const large = { ...mark, buffer: Buffer.alloc(64 * 1024 + 1, ' ') }
    await page.getByLabel('Logo', { exact: true }).setInputFiles(large)
    await page.getByText('Logo must have at most 64 KiB.').waitFor()
    await page.getByLabel('Theme', { exact: true }).selectOption('poster')
    await page
      .getByText('The preview is up to date.')
      .or(page.getByText('One field has a mistake.'))
      .waitFor({ state: 'attached' })
    expect(await page.locator('.problem').allTextContents()).toEqual(['Logo must have at most 64 KiB.'])
  })

  it('in a form whose fields of one row stand in one line', async ({ page }) => {
    await page.goto(`${server.url}/admin/brands/new`)
    const tops = await page
      .locator('.three input[type="color"]')
      .evaluateAll((inputs) => inputs.map((input) => Math.round(input.getBoundingClientRect().top)))
    expect(tops).toHaveLength(3)
    expect(new Set(tops).size).toBe(1)
  })

  test('where no script runs, and a mistake leads to its field', async () => {
    const { page, close } = await openPage(browser, { javaScriptEnabled: false })
    await enter(page, server)
    await page.goto(`${server.url}/admin/brands/new`)
    const before = await firstCard(page)
    await page.getByLabel('Name', { exact: true }).fill('Kiln')
    await page.getByLabel('Slug').fill('kiln')
    await page.getByLabel('Theme', { exact: true }).selectOption('terminal')
    await page.getByLabel('Logo', { exact: true }).setInputFiles(mark)
    await page.getByRole('button', { name: 'Preview' }).click()
    expect(await firstCard(page)).not.toBe(before)
    expect(await page.getByText('not saved yet').count()).toBe(1)
    expect(await page.getByLabel('Slug').inputValue()).toBe('kiln')

    await page.getByLabel('Accent', { exact: true }).fill('clay')
    await page.getByRole('button', { name: 'Create brand' }).click()
    const summary = page.getByRole('alert')
    expect(await summary.textContent()).toContain('One field has a mistake: Accent')
    expect(await page.getByText('Accent must be a colour').count()).toBe(1)
    await summary.getByRole('link').click()
    expect(new URL(page.url()).hash).toBe('#accent')
    await page.getByLabel('Accent', { exact: true }).fill('be123c')
    await page.getByRole('button', { name: 'Create brand' }).click()
    await page.waitForURL(`${server.url}/admin/brands/kiln`)
    expect(await page.getByText('mark.svg').count()).toBe(1)
    expect(await page.getByText('not saved yet').count()).toBe(0)

    await page.getByLabel('Theme', { exact: true }).selectOption('paper')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('button', { name: 'Go back to this revision' }).click()
    expect(await page.locator('#use-revision').textContent()).toContain('kiln@3')
    await page.getByRole('link', { name: 'Archive' }).click()
    await page.getByRole('button', { name: 'Archive' }).click()
    await page.getByRole('button', { name: 'Restore' }).click()
    expect(await page.getByText('Active', { exact: true }).isVisible()).toBe(true)
    await close()
  })
})
