import { beforeAll, describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { decodeHTML } from 'entities'
import type { Page } from 'playwright-core'
import { themeFileText } from '../../src/assets/og/engine/read-theme.ts'
import { themeNames } from '../../src/assets/og/themes.ts'
import { projectFile } from '../../src/lib/package-files.ts'
import { hostileTexts } from '../support/hostile-texts.ts'
import { started } from '../support/started.ts'
import { openAdminServer } from './support/admin-server.ts'
import { sendBrand } from './support/brand-forms.ts'
import { enter, hasBrowser, openPage, startedBrowser } from './support/browser.ts'
import { loggedIn, sameOrigin } from './support/operator.ts'

const server = started(openAdminServer)
const operator = loggedIn(server)
const path = '/admin/brands/harbour/theme'

beforeAll(async () => {
  await sendBrand(server, operator, { name: 'Harbour Works', slug: 'harbour', theme: 'paper' })
})

/** Sends the form of the page as a browser does, with line ends of two characters. */
function send(
  text: string,
  fields: Readonly<Record<string, string>> = {},
  {
    to = path,
    headers = { ...sameOrigin, cookie: operator.cookie },
  }: { to?: string; headers?: HeadersInit } = {},
): Promise<Response> {
  const body = new FormData()
  body.set('text', text.replaceAll('\n', '\r\n'))
  for (const [name, value] of Object.entries(fields)) body.set(name, value)
  return fetch(server.url + to, { method: 'POST', body, headers, redirect: 'manual' })
}

async function shown(answer: Response) {
  const html = await answer.text()
  const [, source = ''] = /<textarea[^>]*>\n([^<]*)<\/textarea>/.exec(html) ?? []
  const lines = [...html.matchAll(/data-line="(\d+)"/g)].map(([, line]) => Number(line))
  return { html, text: decodeHTML(source), lines }
}

test('the bundle of the editor is that of its sources', async () => {
  const { outputs } = await Bun.build({
    entrypoints: [projectFile('admin/assets/theme-editor.client.js')],
    minify: true,
    banner: readFileSync(projectFile('admin/assets/theme-editor.LICENSES.txt'), 'utf8').trim(),
  })
  const bundle = readFileSync(projectFile('admin/assets/theme-editor.generated.client.js'), 'utf8')
  expect(bundle === (await outputs[0]?.text())).toBe(true)
})

describe('the theme of a brand, without a script', () => {
  test('begins with its own, or with any other', async () => {
    for (const [from, name] of [
      ['', 'paper'] as const,
      ...themeNames.map((each) => [`?from=${each}`, each] as const),
    ])
      expect((await shown(await operator.get(path + from))).text).toBe(await themeFileText(name, server.url))
  })

  test('is refused with the lines of its mistakes, and nothing that was typed is lost', async () => {
    const text = `\n\n${(await themeFileText('paper')).replace('scheme: ', 'scheem: <b>&amp; ')}`
    const answer = await send(text)
    expect(answer.status).toBe(422)
    const page = await shown(answer)
    expect(page.text).toBe(text)
    expect(page.lines.length).toBeGreaterThan(0)
    expect((await operator.page('/admin/brands/harbour')).includes('harbour@2')).toBe(false)
  })

  test('is checked without being saved', async () => {
    const answer = await send(await themeFileText('grid'), { preview: '1' })
    expect(answer.status).toBe(200)
    expect((await shown(answer)).lines).toEqual([])
    expect((await operator.page('/admin/brands/harbour')).includes('harbour@2')).toBe(false)
  })

  test('is saved as a new revision, with its comments and an audit entry, and shown again', async () => {
    const text = `# Ours.\n${await themeFileText('poster')}\n`
    const answer = await send(text, { revision: '1' })
    expect([answer.status, answer.headers.get('location')]).toEqual([303, path])
    expect((await shown(await operator.get(path))).text).toBe(text)
    expect(await operator.page('/admin/audit')).toContain('revision 2')
    const before = await send(text, { revision: '1' })
    expect([before.status, (await shown(before)).html.includes('Someone else saved')]).toEqual([422, true])
  })
})

describe('a draft', () => {
  test('is drawn in every size, scheme and script, and no cache keeps it', async () => {
    const text = (await themeFileText('plain')).replace('mintmark', '# Ours.\nmintmark')
    const to = `${path}/card`
    const cards = new Set<string>()
    for (const query of [
      '',
      '?size=pin',
      '?scheme=dark',
      '?script=Arabic',
      '?script=Hindi',
      '?script=Japanese',
    ]) {
      const answer = await send(text, {}, { to: to + query })
      expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'no-store'])
      expect(answer.headers.get('content-security-policy')).toContain('sandbox')
      cards.add(await answer.text())
    }
    expect(cards.size).toBe(6)
    expect((await send('mintmark: none', {}, { to })).status).toBe(400)
    expect((await operator.get(to)).status).toBe(404)
  })

  test.each(['', '/card'])('is taken from the pages of an operator alone: %p', async (end) => {
    const to = path + end
    const text = await themeFileText('plain')
    const stranger = await send(text, {}, { to, headers: sameOrigin })
    expect([stranger.status, stranger.headers.get('location')]).toEqual([303, '/admin/login'])
    for (const headers of [{ 'sec-fetch-site': 'cross-site' }, { origin: 'https://evil.example' }, {}])
      expect((await send(text, {}, { to, headers: { ...headers, cookie: operator.cookie } })).status).toBe(
        403,
      )
    expect((await send(text, {}, { to: `/admin/brands/none/theme${end}` })).status).toBe(404)
  })

  test('that is huge, nested or hostile is refused', async () => {
    const texts = [
      ...hostileTexts.map(({ text }) => text()),
      '',
      '\0',
      '['.repeat(60_000),
      `a: ${'{a: '.repeat(15_000)}`,
      `a: &a [x]\nb: ${'[*a, '.repeat(9)}`,
      'mintmark: 2',
      'x'.repeat(65_537),
    ]
    for (const text of texts) {
      const { status } = await send(text.slice(0, 2 ** 17))
      expect([413, 422]).toContain(status)
      expect([400, 413]).toContain((await send(text.slice(0, 2 ** 17), {}, { to: `${path}/card` })).status)
    }
    expect((await send('x'.repeat(2 ** 20))).status).toBe(413)
    const empty = { method: 'POST', headers: { ...sameOrigin, cookie: operator.cookie } }
    expect((await fetch(server.url + path, empty)).status).toBe(400)
  })
})

const browser = startedBrowser()

/** Opens the editor as the operator. The browser reports each check that finds mistakes as an error of its own. */
async function openEditor(from = '') {
  const opened = await openPage(browser)
  const { page, complaints } = opened
  await enter(page, server)
  await page.goto(`${server.url}${path}${from}`)
  const editor = page.getByRole('textbox', { name: 'Theme file' })
  return { ...opened, editor, faults: () => complaints.filter((complaint) => !complaint.includes('422')) }
}

function seenCards(page: Page): Promise<readonly string[]> {
  return page
    .locator('#sheet img')
    .evaluateAll((images: HTMLImageElement[]) =>
      images.filter((image) => image.getBoundingClientRect().top < innerHeight).map(({ src }) => src),
    )
}

describe.skipIf(!hasBrowser)('the editor of a theme', () => {
  test('marks mistakes at their line, keeps the last good cards, and draws the last text', async () => {
    const { page, editor, faults, close } = await openEditor('?from=plain')
    await page.getByText('Up to date').waitFor()
    const first = await seenCards(page)
    expect(first.every((source) => source.startsWith('data:image/svg+xml'))).toBe(true)
    await editor.press('Control+End')
    await page.keyboard.type('\nunknown: 1')
    await page.getByText('these are the last good cards').waitFor()
    await page.locator('.cm-lint-marker-error').waitFor()
    expect(await seenCards(page)).toEqual(first)
    await page.getByRole('link', { name: /^Line \d/ }).click()
    await page.keyboard.press('Shift+End')
    await page.keyboard.press('Delete')
    await page.getByText('Up to date').waitFor()
    await page.locator('.cm-lint-marker-error').waitFor({ state: 'detached' })

    const text = await themeFileText('plain')
    for (const color of ['#112233', '#445566', '#ffeedd']) {
      await editor.press('Control+a')
      await page.keyboard.insertText(text.replace('#ffffff', color))
    }
    // An earlier text may be drawn for a moment, but the last one stays.
    await page.waitForFunction(() => {
      const seen = [...document.querySelectorAll<HTMLImageElement>('#sheet img')].slice(0, 6)
      const isDrawn = seen.every(({ src }) => atob(src.split(',')[1] ?? '').includes('#ffeedd'))
      return isDrawn && document.getElementById('sheet-state')?.textContent === 'Up to date'
    })
    expect(faults()).toEqual([])
    await close()
  })

  test('completes names and values by the schema, and lets the keyboard out', async () => {
    const { page, editor, faults, close } = await openEditor('?from=plain')
    await editor.press('Control+a')
    await page.keyboard.type('sch')
    await page.getByRole('option', { name: 'scheme' }).click()
    await page.keyboard.press('Control+Space')
    await page.getByRole('option', { name: 'dark' }).click()
    expect(await editor.textContent()).toBe('scheme: dark')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Tab')
    expect(await editor.evaluate((content) => content.matches(':focus'))).toBe(true)
    await page.keyboard.press('Escape')
    await page.keyboard.press('Tab')
    expect(await editor.evaluate((content) => content.matches(':focus'))).toBe(false)
    expect(faults()).toEqual([])
    await close()
  })

  test('saves what is typed, and asks before it is left behind', async () => {
    const { page, editor, faults, close } = await openEditor('?from=plain')
    const asked: string[] = []
    page.on('dialog', (dialog) => {
      asked.push(dialog.type())
      return dialog.dismiss()
    })
    await editor.press('Control+Home')
    await page.keyboard.type('# Typed.\n')
    const dialog = page.waitForEvent('dialog')
    await page.getByRole('link', { name: 'Overview' }).click({ noWaitAfter: true })
    await dialog
    await Promise.all([page.waitForURL(server.url + path), editor.press('Control+s')])
    expect(await editor.textContent()).toStartWith('# Typed.')
    expect(asked).toEqual(['beforeunload'])
    expect(faults()).toEqual([])
    await close()
  })
})
