import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { startPageSite } from '../routes/support/page-site.ts'
import { eventually } from '../support/eventually.ts'
import { started } from '../support/started.ts'
import { queryTestStore } from '../support/test-store.ts'
import { openAdminServer } from './support/admin-server.ts'
import { loggedIn } from './support/operator.ts'

const site = started(startPageSite)
const server = started(() => openAdminServer({ env: site.env }))
const operator = loggedIn(server)

function card(path: string): Promise<Response> {
  return fetch(`${server.url}/api/card?${new URLSearchParams({ page: site.url(path), demo: '1' })}`)
}

/** The list, once it has a text: what was read is stored a moment later. */
function listWith(text: string, path = '/admin/links'): Promise<string> {
  return eventually(async () => {
    const page = await operator.page(path)
    return page.includes(text) ? page : ''
  })
}

async function digestOf(path: string): Promise<string> {
  const rows = await queryTestStore<{ digest: string }>(
    join(server.dataDir, 'mintmark.sqlite'),
    `select digest from web_sources where url = '${site.url(path)}'`,
  )
  return rows[0]?.digest ?? ''
}

test('pages are listed with how reading them went, and the failing ones apart', async () => {
  site.setPage('/good', '<title>Good</title><p>Text</p>')
  expect((await card('/good')).status).toBe(200)
  await card('/gone')
  expect(await listWith(site.url('/good'))).toContain(site.url('/good'))
  const failing = await listWith(site.url('/gone'), '/admin/links?show=failing')
  expect(failing).toContain('target http status 404')
  expect(failing).not.toContain(site.url('/good'))
})

test('a page is read again when the operator says so', async () => {
  site.setPage('/news', '<title>Old</title><p>Text</p>')
  expect(await (await card('/news')).text()).toContain('>Old</title>')
  await listWith(site.url('/news'))
  site.setPage('/news', '<title>New</title><p>Text</p>')
  expect((await operator.post(`/admin/links/${await digestOf('/news')}/refresh`)).status).toBe(303)
  expect(await (await card('/news')).text()).toContain('>New</title>')
  site.remove('/news')
  expect((await operator.post(`/admin/links/${await digestOf('/news')}/refresh`)).status).toBe(303)
  expect((await card('/news')).headers.get('x-card-source')).toBe('kept')
})

test('a blocked page has no card and is not read, until it is allowed again', async () => {
  site.setPage('/bad', '<title>Bad</title><p>Text</p>')
  expect((await card('/bad')).status).toBe(200)
  await listWith(site.url('/bad'))
  const path = `/admin/links/${await digestOf('/bad')}`
  const before = site.fetchesOf('/bad')
  expect((await operator.post(`${path}/block`)).status).toBe(303)
  expect((await card('/bad')).status).toBe(403)
  expect(await operator.page('/admin/links?show=blocked')).toContain(site.url('/bad'))
  expect(site.fetchesOf('/bad')).toBe(before)
  expect((await operator.post(`${path}/allow`)).status).toBe(303)
  expect((await card('/bad')).status).toBe(200)
  const audit = await operator.page('/admin/audit')
  for (const action of ['link.block', 'link.allow']) expect(audit).toContain(action)
})

async function badge(path: string, others: Readonly<Record<string, string>> = {}) {
  const query = { endpoint: site.url(path), format: 'json', demo: '1', ...others }
  const response = await fetch(`${server.url}/api/badge?${new URLSearchParams(query)}`)
  return { status: response.status, ...(await response.json()) }
}

let probes = 0

async function quotaRemaining(): Promise<number> {
  probes += 1
  const response = await fetch(`${server.url}/api/badge?value=probe-${probes}&demo=1`)
  return Number(response.headers.get('x-quota-remaining'))
}

function setVersion(path: string, message: string): void {
  site.set(path, Response.json({ schemaVersion: 1, label: 'version', message }))
}

test('a blocked document shows nothing, costs nothing and is not read, until it is allowed again', async () => {
  setVersion('/blocked.json', '1.0')
  expect(await badge('/blocked.json')).toMatchObject({ status: 200, message: '1.0' })
  await listWith(site.url('/blocked.json'))
  const path = `/admin/links/${await digestOf('/blocked.json')}`
  expect((await operator.post(`${path}/block`)).status).toBe(303)
  const before = await quotaRemaining()
  expect(await badge('/blocked.json')).toMatchObject({ status: 403, code: 'blocked_host' })
  expect(await badge('/blocked.json', { fallback: 'badge' })).toMatchObject({ message: 'inaccessible' })
  expect(before).toBeGreaterThan(0)
  expect(await quotaRemaining()).toBe(before - 1)
  expect(site.fetchesOf('/blocked.json')).toBe(1)
  expect((await operator.post(`${path}/allow`)).status).toBe(303)
  expect(await badge('/blocked.json')).toMatchObject({ status: 200, message: '1.0' })
  expect(site.fetchesOf('/blocked.json')).toBe(1)
})

test('a document is read again when the operator says so, also after it failed', async () => {
  setVersion('/version.json', '1.0')
  expect(await badge('/version.json')).toMatchObject({ message: '1.0' })
  setVersion('/version.json', '2.0')
  expect(await badge('/version.json')).toMatchObject({ message: '1.0' })
  expect((await badge('/late.json')).status).toBe(502)
  setVersion('/late.json', '3.0')
  expect((await badge('/late.json')).status).toBe(502)
  for (const path of ['/version.json', '/late.json']) {
    await listWith(site.url(path))
    expect((await operator.post(`/admin/links/${await digestOf(path)}/refresh`)).status).toBe(303)
  }
  expect(await badge('/version.json')).toMatchObject({ message: '2.0' })
  expect(await badge('/late.json')).toMatchObject({ message: '3.0' })
})

test('a page that is not known cannot be changed', async () => {
  for (const action of ['refresh', 'block', 'allow'])
    expect((await operator.post(`/admin/links/${'0'.repeat(32)}/${action}`)).status).toBe(404)
})
