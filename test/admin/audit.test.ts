import { beforeAll, expect, test } from 'bun:test'
import { isoDay, utcDay } from '../../src/lib/clock.ts'
import { started } from '../support/started.ts'
import { openAdminServer } from './support/admin-server.ts'
import { logIn, type Operator } from './support/operator.ts'

let operator: Operator
let harbour: string
let orbit: string
const server = started(openAdminServer)
beforeAll(async () => {
  operator = await logIn(server)
  harbour = (await operator.createKey({ name: 'harbour docs' })).id
  orbit = (await operator.createKey({ name: 'orbit, "blog"' })).id
  for (const id of [harbour, orbit]) await operator.post(`/admin/keys/${id}/quota`, { quota: '7' })
  await operator.post(`/admin/keys/${orbit}/revoke`)
})

/** The entries of a page as action and subject, newest first. */
async function entriesOf(query: string): Promise<readonly string[]> {
  const html = await operator.page(`/admin/audit?${query}`)
  const rows = html.match(/<tr>.*?<\/tr>/gs) ?? []
  return rows.slice(1).map((row) => {
    const [, action = ''] = /class="main mono">([^<]*)/.exec(row) ?? []
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
  expect(lines.slice(1).map((line) => line.split(',').slice(1, 3))).toEqual([
    ['key.quota', orbit],
    ['key.quota', harbour],
  ])
  expect(lines[1]).toContain('"orbit, ""blog"""')
})
