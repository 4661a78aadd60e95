import { beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { csvFile, csvResponse } from '../../admin/lists/csv.ts'
import { signUrl } from '../../src/client/sign-url.ts'
import { isoDay, utcDay } from '../../src/lib/clock.ts'
import { started } from '../support/started.ts'
import { everythingIn } from '../support/test-store.ts'
import cases from './audit.json' with { type: 'json' }
import { openAdminServer, operatorPassword } from './support/admin-server.ts'
import { loggedIn, logIn, secretIn } from './support/operator.ts'

let harbour: string
let orbit: string
const server = started(openAdminServer)
const operator = loggedIn(server)
beforeAll(async () => {
  harbour = (await operator.createKey({ name: 'harbour docs' })).id
  orbit = (await operator.createKey({ name: 'orbit, "blog"' })).id
  for (const id of [harbour, orbit]) await operator.post(`/admin/keys/${id}/quota`, { quota: '7' })
  await operator.post(`/admin/keys/${orbit}/revoke`)
})

async function entriesOf(query: string): Promise<readonly string[]> {
  const html = await operator.page(`/admin/audit?${query}`)
  const rows = html.match(/<tr>.*?<\/tr>/gs) ?? []
  return rows.slice(1).map((row) => {
    const [, action = ''] = /class="main"><span title="([^"]*)">/.exec(row) ?? []
    const [, subject = ''] = /href="\/admin\/keys\/([^"]*)"/.exec(row) ?? []
    return `${action} ${subject === harbour ? 'harbour' : subject === orbit ? 'orbit' : subject}`.trim()
  })
}

test('the audit log is filtered by action, and by what was changed, under its id or a part of its name', async () => {
  expect(await entriesOf('action=key.quota')).toEqual(['key.quota orbit', 'key.quota harbour'])
  expect(await entriesOf('q=harbour')).toEqual(['key.quota harbour', 'key.create harbour'])
  expect(await entriesOf(`q=${orbit}`)).toEqual(['key.revoke orbit', 'key.quota orbit', 'key.create orbit'])
  expect(await entriesOf('q=orbit&action=key.create')).toEqual(['key.create orbit'])
  expect(await entriesOf('action=key.nothing')).toEqual([])
})

test('an action is told in words, in the list and in its filter, while exports have the action itself', async () => {
  const html = await operator.page('/admin/audit?action=key.create')
  expect(html).toContain('<span title="key.create">Created key</span>')
  expect(html).toContain('<option value="key.create" selected>Created key</option>')
  expect(html).not.toMatch(/<option value="[^"]+"[^>]*>[a-z]+\./)
})

test('the audit log is filtered by UTC days, the last one included', async () => {
  const today = utcDay(Date.now())
  const all = await entriesOf('')
  expect(all.length).toBeGreaterThan(5)
  expect(await entriesOf(`from=${isoDay(today - 1)}&to=${isoDay(today + 1)}`)).toEqual(all)
  expect(await entriesOf(`to=${isoDay(today - 2)}`)).toEqual([])
  expect(await entriesOf(`from=${isoDay(today + 2)}`)).toEqual([])
  expect(await entriesOf('from=soon&to=never')).toEqual(all)
})

test('names stand beside ids, on the page and in the file, which has what the filters leave', async () => {
  const html = await operator.page('/admin/audit?action=key.quota')
  expect(html).toContain(`>harbour docs</a><small class="mono">${harbour}</small>`)
  expect(html).toContain('/admin/audit.csv?action=key.quota')
  const file = await operator.get('/admin/audit.csv?action=key.quota')
  expect(file.headers.get('content-disposition')).toContain('audit.csv')
  const lines = (await file.text()).trim().split('\r\n')
  expect(lines[0]).toBe('time,action,subject,name,detail,session,address')
  const expected = [
    ['key.quota', orbit],
    ['key.quota', harbour],
  ]
  expect(lines.slice(1).map((line) => line.split(',').slice(1, 3))).toEqual(expected)
  expect(lines[1]).toContain('"orbit, ""blog"""')
})

const rpcUrl = 'https://rpc.example/v2/hidden-token'
const hidden = { METRICS_TOKEN: 'hidden-metrics', X402_FACILITATOR_HEADERS: '{"x-key":"hidden-header"}' }
const secretsServer = started(() => openAdminServer({ env: { ...hidden, X402_RPC_URLS: rpcUrl } }))
const secretsOperator = loggedIn(secretsServer)

describe('a secret', () => {
  test('is shown once, to the session that made it, and appears nowhere else', async () => {
    const created = await secretsOperator.post('/admin/keys', { name: 'shown once' })
    const path = created.headers.get('location') ?? ''
    const other = await logIn(secretsServer)
    await fetch(secretsServer.url + path, { method: 'HEAD', headers: { cookie: secretsOperator.cookie } })
    expect(secretIn(await other.page(path))).toBeUndefined()
    const secret = secretIn(await secretsOperator.page(path)) ?? 'none'
    expect(secret).toMatch(/^[0-9a-f]{64}$/)
    expect(secretIn(await secretsOperator.page(path))).toBeUndefined()

    const key = path.split('/').at(-1) ?? ''
    const t = Math.floor(secretsServer.clock.now() / 1000)
    const call = await fetch(await signUrl(`${secretsServer.url}/api/og?title=x`, { key, secret }, { t }))
    expect(call.status).toBe(200)
    const [sig = ''] = /(?<=sig=)[0-9a-f]{64}/.exec(call.url) ?? []
    const everything = [
      secretsServer.log(),
      await secretsOperator.page('/admin/audit'),
      await secretsOperator.page('/admin/traffic'),
      await secretsOperator.page('/admin/settings'),
      await (await secretsOperator.get('/admin/keys.csv')).text(),
      await (await secretsOperator.get('/admin/usage.csv')).text(),
      await (await secretsOperator.get('/admin/payments.csv')).text(),
      (await everythingIn(join(secretsServer.dataDir, 'mintmark.sqlite'))).toString('latin1'),
    ]
    const hidden = [secret, sig, operatorPassword, secretsOperator.cookie.split('=')[1] ?? '', 'hidden-']
    for (const text of everything) for (const word of hidden) expect(text.includes(word)).toBe(false)
  })

  test('that was not looked at within ten minutes is not shown any more', async () => {
    const created = await secretsOperator.post('/admin/keys', { name: 'late' })
    secretsServer.clock.aheadMs += 11 * 60_000
    expect(secretIn(await secretsOperator.page(created.headers.get('location') ?? ''))).toBeUndefined()
  })
})

describe('an export', () => {
  test('runs nothing in a spreadsheet, and keeps every character', async () => {
    const names = cases.names
    const rows = [...names]
    const lines = csvFile<string>(
      [
        ['name', (name) => name],
        ['count', () => 7],
      ],
      async () => rows.splice(0),
    )
    const file = csvResponse('x.csv', lines)
    const text = await file.text()
    expect(text.split('\r\n')[0]).toBe('name,count')
    for (const formula of cases.formulas) expect(text).toContain(formula)
    expect(file.headers.get('content-disposition')).toBe('attachment; filename="x.csv"')
  })

  test('is streamed page by page, whatever its size', async () => {
    const answer = await fetch(`${secretsServer.url}/admin/keys.csv`, {
      headers: { cookie: (await logIn(secretsServer)).cookie, 'accept-encoding': 'gzip' },
    })
    expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(answer.headers.get('content-encoding')).toBeNull()
    await answer.body?.cancel()
  })

  test('streams every row once, however many there are', async () => {
    const total = 1234
    const all = csvFile<number>([['n', (n) => n]], async (limit, last = 0) =>
      Array.from({ length: Math.min(limit, total - last) }, (_, index) => last + index + 1),
    )
    const lines = (await csvResponse('x.csv', all).text()).trim().split('\r\n').slice(1).map(Number)
    expect(lines).toEqual(Array.from({ length: total }, (_, index) => index + 1))
  })
})

const wrongQueries = cases.wrongQueries

test.each(Object.entries(wrongQueries))(
  'a wrong value in the address of a list counts as missing: %s?%s',
  async (path, query) => {
    const [usual, wrong] = [await operator.get(path), await operator.get(`${path}?${query}`)]
    expect([usual.status, wrong.status]).toEqual([200, 200])
  },
)

test.each(Object.entries(wrongQueries))(
  'strangers learn nothing of it, and are sent to the login: %s?%s',
  async (path, query) => {
    const answer = await fetch(`${server.url}${path}?${query}`, { redirect: 'manual' })
    expect(answer.status).toBe(303)
    expect(answer.headers.get('location')).toStartWith('/admin/login?next=')
  },
)

test('a list reads its values also of HEAD', async () => {
  const head = await fetch(`${server.url}/admin/usage?days=7`, {
    method: 'HEAD',
    headers: { cookie: operator.cookie },
  })
  expect(head.status).toBe(200)
})
