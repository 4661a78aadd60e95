import { beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { openSqlite } from '../../src/store/sqlite.ts'
import { started } from '../support/started.ts'
import { isQuick } from '../support/test-size.ts'
import { openAdminServer } from './support/admin-server.ts'
import { sendBrand } from './support/brand-forms.ts'
import { hasBrowser, openBrowser, openPage } from './support/browser.ts'
import { logIn, type Operator, secretIn } from './support/operator.ts'
import { seededPages } from './support/pages.ts'
import { adminKeyId, adminTxHash } from './support/seed-admin.ts'

const hostile = `"'><img src=x onerror="globalThis.stolen=1"><script>globalThis.stolen=1</script><!--`

let operator: Operator

const server = started(() => openAdminServer({ seed: { keys: 60, payments: 40, days: 10 } }))
beforeAll(async () => {
  operator = await logIn(server)
  await sendBrand(server, operator, { name: hostile.slice(0, 80), slug: 'harbour', footer: hostile })
  poison()
})

/** Puts markup and script into every text of the database that a page may show and nothing is found by. */
function poison(): void {
  const sqlite = openSqlite(join(server.dataDir, 'mintmark.sqlite'))
  const columns: Record<string, readonly string[]> = {
    keys: ['name'],
    payments: ['via', 'asset', 'pay_to', 'payer', 'reason', 'settler'],
    charges: ['endpoint', 'holder'],
    sessions: ['address', 'user_agent'],
  }
  for (const [table, names] of Object.entries(columns))
    for (const name of names) {
      // A payer and an asset must stay apart from one another in some rows.
      const text = table === 'payments' ? `${hostile}' || id || '` : hostile
      sqlite.exec(
        `update ${table} set ${name} = '${text.replaceAll("'", "''").replaceAll("'' || id || ''", "' || id || '")}'`,
      )
    }
  const traffic = sqlite.prepare(
    'insert into traffic_days (day, endpoint, auth, status, count) values (?, ?, ?, ?, 7)',
  )
  traffic.run(Math.floor(Date.now() / 86_400_000), hostile, hostile, hostile)
  const audit = sqlite.prepare(
    'insert into audit_entries (at_ms, actor, address, action, subject, detail) values (?, ?, ?, ?, ?, ?)',
  )
  audit.run(Date.now(), hostile, hostile, hostile, `mk_${hostile}`, hostile)
  sqlite
    .prepare('insert into facts (name, value) values (?, ?)')
    .run('last_backup', `${Date.now()} ${hostile}`)
  sqlite.close()
}

const pages = {
  ...seededPages,
  'searched for markup': `/admin/keys?q=${encodeURIComponent(hostile)}`,
  'payments of markup': `/admin/payments?q=${encodeURIComponent(hostile)}`,
}

test('no text of the database reaches a page unescaped', async () => {
  let shown = 0
  for (const path of Object.values(pages)) {
    const html = await (await operator.get(path)).text()
    expect(html).not.toContain('<img src=x')
    expect(html).not.toContain('<script>')
    expect(html).not.toContain('<!--')
    shown += html.split('&lt;img src=x').length - 1
  }
  // It was there to be seen.
  expect(shown).toBeGreaterThan(100)
})

test('a name of markup is shown as it is, on the page of its new secret as well', async () => {
  const name = hostile.slice(0, 80)
  const created = await operator.post('/admin/keys', { name })
  const html = await operator.page(created.headers.get('location') ?? '')
  expect(secretIn(html)).toBeDefined()
  expect(html).not.toContain('<img src=x')
})

test.skipIf(isQuick || !hasBrowser)('and none of it runs in a browser', async () => {
  const browser = await openBrowser()
  const { page, complaints, close } = await openPage(browser)
  const [name = '', value = ''] = operator.cookie.split('=')
  await page.context().addCookies([{ name, value, url: server.url }])
  for (const path of [
    '/admin',
    '/admin/keys',
    `/admin/keys/${adminKeyId(0)}`,
    '/admin/usage',
    '/admin/payments',
    `/admin/payments/${adminTxHash(0)}`,
    '/admin/audit',
    '/admin/settings',
  ]) {
    await page.goto(server.url + path)
    expect(await page.evaluate(() => 'stolen' in globalThis)).toBe(false)
    expect(await page.locator('img[src=x]').count()).toBe(0)
  }
  expect(complaints).toEqual([])
  await close()
  await browser.close()
})
