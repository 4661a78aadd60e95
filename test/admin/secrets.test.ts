import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { csvFile, csvResponse } from '../../admin/lists/csv.ts'
import { signUrl } from '../../src/client/sign-url.ts'
import { everythingIn } from '../support/test-store.ts'
import { type AdminServer, openAdminServer, operatorPassword } from './support/admin-server.ts'
import { logIn, type Operator, secretIn } from './support/operator.ts'

const rpcUrl = 'https://rpc.example/v2/hidden-token'
let server: AdminServer
let operator: Operator

beforeAll(async () => {
  server = await openAdminServer({
    env: {
      METRICS_TOKEN: 'hidden-metrics',
      X402_FACILITATOR_HEADERS: '{"x-key":"hidden-header"}',
      X402_RPC_URLS: rpcUrl,
    },
  })
  operator = await logIn(server)
})
afterAll(() => server.close())

describe('a secret', () => {
  test('is shown once, to the session that made it, and appears nowhere else', async () => {
    const created = await operator.post('/admin/keys', { name: 'shown once' })
    const path = created.headers.get('location') ?? ''
    const other = await logIn(server)
    await fetch(server.url + path, { method: 'HEAD', headers: { cookie: operator.cookie } })
    expect(secretIn(await other.page(path))).toBeUndefined()
    const secret = secretIn(await operator.page(path)) ?? 'none'
    expect(secret).toMatch(/^[0-9a-f]{64}$/)
    expect(secretIn(await operator.page(path))).toBeUndefined()

    const key = path.split('/').at(-1) ?? ''
    const t = Math.floor(server.clock.now() / 1000)
    const call = await fetch(await signUrl(`${server.url}/api/og?title=x`, { key, secret }, { t }))
    expect(call.status).toBe(200)
    const [sig = ''] = /(?<=sig=)[0-9a-f]{64}/.exec(call.url) ?? []
    const everything = [
      server.log(),
      await operator.page('/admin/audit'),
      await operator.page('/admin/traffic'),
      await operator.page('/admin/settings'),
      await (await operator.get('/admin/keys.csv')).text(),
      await (await operator.get('/admin/usage.csv')).text(),
      await (await operator.get('/admin/payments.csv')).text(),
      (await everythingIn(join(server.dataDir, 'mintmark.sqlite'))).toString('latin1'),
    ]
    const hidden = [secret, sig, operatorPassword, operator.cookie.split('=')[1] ?? '', 'hidden-']
    for (const text of everything) for (const word of hidden) expect(text.includes(word)).toBe(false)
  })

  test('that was not looked at within ten minutes is not shown any more', async () => {
    const created = await operator.post('/admin/keys', { name: 'late' })
    server.clock.aheadMs += 11 * 60_000
    expect(secretIn(await operator.page(created.headers.get('location') ?? ''))).toBeUndefined()
  })
})

describe('an export', () => {
  test('runs nothing in a spreadsheet, and keeps every character', async () => {
    const names = [
      '=1+1',
      '+1',
      '-1',
      '@SUM(A1)',
      '\t=1',
      '\r=1',
      ' =1',
      '＝1',
      '"quoted", comma',
      'two\nlines',
      'plain',
    ]
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
    for (const formula of [
      "'=1+1,7",
      "'+1,7",
      "'-1,7",
      "'@SUM(A1),7",
      "'\t=1,7",
      "' =1,7",
      "'＝1,7",
      `"'\r=1",7`,
      `"""quoted"", comma",7`,
      '"two\nlines",7',
      '\nplain,7',
    ])
      expect(text).toContain(formula)
    expect(file.headers.get('content-disposition')).toBe('attachment; filename="x.csv"')
  })

  test('is streamed page by page, whatever its size', async () => {
    const answer = await fetch(`${server.url}/admin/keys.csv`, {
      headers: { cookie: (await logIn(server)).cookie, 'accept-encoding': 'gzip' },
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
