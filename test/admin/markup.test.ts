import { beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { openSqlite } from '../../src/store/sqlite.ts'
import { started } from '../support/started.ts'
import { isQuick, sampleOf } from '../support/test-size.ts'
import cases from './markup.json' with { type: 'json' }
import { openAdminServer } from './support/admin-server.ts'
import { sendBrand } from './support/brand-forms.ts'
import { hasBrowser, openBrowser, openPage } from './support/browser.ts'
import { loggedIn, sameOrigin, secretIn } from './support/operator.ts'
import { seededPages } from './support/pages.ts'
import { adminKeyId, adminTxHash } from './support/seed-admin.ts'

const hostile = `"'><img src=x onerror="globalThis.stolen=1"><script>globalThis.stolen=1</script><!--`

const server = started(() => openAdminServer({ seed: { keys: 60, payments: 40, days: 10 } }))
const operator = loggedIn(server)
beforeAll(async () => {
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
  for (const path of [...cases.paths, `/admin/keys/${adminKeyId(0)}`, `/admin/payments/${adminTxHash(0)}`]) {
    await page.goto(server.url + path)
    expect(await page.evaluate(() => 'stolen' in globalThis)).toBe(false)
    expect(await page.locator('img[src=x]').count()).toBe(0)
  }
  expect(complaints).toEqual([])
  await close()
  await browser.close()
})

/**
 * Encoded as in a form or a URL: NUL, half a surrogate pair, broken UTF-8 and percents, quotes, malformed numbers,
 * and values that are too long.
 */
const oddities = [...cases.oddities, 'a'.repeat(5_000), '9'.repeat(40)]
const fields = cases.fields

const oddCharactersServer = started(() => openAdminServer({ seed: {} }))
const oddCharactersOperator = loggedIn(oddCharactersServer)

async function pathsWith(odd: string) {
  const routes = await oddCharactersServer.service.routes()
  return routes
    .filter(({ path }) => path.startsWith('/admin'))
    .filter(({ path }) => !/logout|end-others|backup|test-fetch/.test(path))
    .flatMap(({ method, path }) =>
      path.includes(':id')
        ? [
            { method, path: path.replace(':id', odd) },
            { method, path: path.replace(':id', adminKeyId(1)) },
          ]
        : [{ method, path }],
    )
}

test.each(sampleOf(oddities, 10).map((odd) => [odd.slice(0, 20), odd] as const))(
  'no form, query or path with %s is a 500',
  async (_, odd) => {
    const sent = `sure=1&sort=used&${fields.map((name) => `${name}=${odd}`).join('&')}`
    const headers = { cookie: oddCharactersOperator.cookie, ...sameOrigin }
    const form = { 'content-type': 'application/x-www-form-urlencoded' }
    for (const { method, path } of await pathsWith(odd)) {
      const isRead = method === 'GET'
      const response = await fetch(`${oddCharactersServer.url}${path}${isRead ? `?${sent}` : ''}`, {
        method,
        redirect: 'manual',
        headers: { ...headers, ...(!isRead && form) },
        ...(!isRead && { body: sent }),
      })
      await response.arrayBuffer()
      expect([method, path, response.status >= 500]).toEqual([method, path, false])
    }
  },
)

test.each(sampleOf(oddities, 10).map((odd) => [odd.slice(0, 20), odd] as const))(
  'no public route with %s is a 500',
  async (_, odd) => {
    for (const path of [
      `/api/usage?key=${odd}`,
      `/api/upgrade?key=${odd}`,
      `/api/og?title=a&key=${odd}&t=1&sig=${odd}`,
      `/api/og?title=${odd}&demo=1`,
      `/api/transform?kind=stats&metric=${odd}`,
      `/playground/og?${odd}`,
      `/playground/${odd}`,
    ]) {
      const method = path.startsWith('/api/upgrade') ? 'POST' : 'GET'
      const { status } = await fetch(oddCharactersServer.url + path, { method })
      expect([path, status >= 500]).toEqual([path, false])
    }
  },
)

test('a search with a NUL revokes nothing, as it finds nothing', async () => {
  const before = await (await oddCharactersOperator.get('/admin/keys?status=revoked')).text()
  const answer = await oddCharactersOperator.post('/admin/keys/revoke', { search: 'docs\0', sure: '1' })
  expect([answer.status, answer.headers.get('location')]).toEqual([303, '/admin/keys'])
  expect(await (await oddCharactersOperator.get('/admin/keys?status=revoked')).text()).toBe(before)
})
