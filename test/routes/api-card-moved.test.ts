import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { eventually } from '../support/eventually.ts'
import { startService, type TestService } from '../support/service.ts'
import { started } from '../support/started.ts'
import { queryTestStore } from '../support/test-store.ts'
import { startPageSite } from './support/page-site.ts'

let server: TestService
let id: string

const site = started(startPageSite)
beforeAll(async () => {
  server = await startService({ env: { ...site.env, KEY_DAILY_QUOTA: '1000' } })
  const issued = await (await fetch(`${server.url}/api/key?hosts=harbour.example.com`)).json()
  id = issued.site
})
afterAll(async () => {
  await server.stop()
})

async function card(path: string, siteId = id) {
  const query = new URLSearchParams({ site: siteId, page: site.url(path) })
  const response = await fetch(`${server.url}/api/card?${query}`)
  return { status: response.status, title: /<title[^>]*>([^<]*)</.exec(await response.text())?.[1] }
}

/** Asks until the answer is this one. */
async function cardOnce(path: string, wanted: { readonly status: number; readonly title?: string }) {
  await eventually(async () => {
    const { status, title } = await card(path)
    return status === wanted.status && title === wanted.title
  })
}

function leads(path: string, to: string) {
  site.set(path, new Response('', { status: 302, headers: { location: to } }))
}

function titled(title: string) {
  return `<!doctype html><html lang="en"><title>${title}</title><h1>${title}</h1><p>Text.</p>`
}

const hourMs = 3_600_000
const elsewhere = () => site.url('/there', 'other.example.com')

test('an address of a site that leads to another page after a while has the card of that page', async () => {
  site.setPage('/one', titled('One'))
  site.setPage('/two', titled('Two'))
  leads('/latest', site.url('/one'))
  expect(await card('/latest')).toEqual({ status: 200, title: 'One' })
  leads('/latest', site.url('/two'))
  expect((await card('/latest')).title).toBe('One')
  server.clock.aheadMs += 1.1 * hourMs
  await cardOnce('/latest', { status: 200, title: 'Two' })
})

test('an address that led off its site for a while is drawn again once it no longer does', async () => {
  site.setPage('/there', titled('Elsewhere'))
  leads('/members', elsewhere())
  expect((await card('/members')).status).toBe(403)
  site.setPage('/members', titled('Members'))
  server.clock.aheadMs += 1.1 * hourMs
  await cardOnce('/members', { status: 200, title: 'Members' })
})

test('a known page that led off its site when it was refreshed is drawn again once it no longer does', async () => {
  site.setPage('/known', titled('Known'))
  expect(await card('/known')).toEqual({ status: 200, title: 'Known' })
  site.setPage('/there', titled('Elsewhere'))
  leads('/known', elsewhere())
  server.clock.aheadMs += 1.1 * hourMs
  await cardOnce('/known', { status: 403 })
  site.setPage('/known', titled('Known again'))
  server.clock.aheadMs += 1.1 * hourMs
  await cardOnce('/known', { status: 200, title: 'Known again' })
})

test('a page that was counted is drawn after the quota is used up, also where its picture is read again', async () => {
  const pair = await (await fetch(`${server.url}/api/key?hosts=harbour.example.com`)).json()
  await queryTestStore(
    join(server.dataDir, 'mintmark.sqlite'),
    `update keys set daily_quota = 1, look = '{"picture":"page"}', revision = revision + 1 where id = '${pair.id}'`,
  )
  const picture = `<meta property="og:image" content="${site.url('/no-picture.png')}">`
  site.setPage('/counted', titled('Counted') + picture)
  site.setPage('/other', titled('Other'))
  expect((await card('/counted', pair.site)).status).toBe(200)
  expect((await card('/other', pair.site)).status).toBe(402)
  const reads = site.fetchesOf('/no-picture.png')
  server.clock.aheadMs += 11 * 60_000
  expect(await card('/counted', pair.site)).toEqual({ status: 200, title: 'Counted' })
  expect(site.fetchesOf('/no-picture.png')).toBe(reads + 1)
})
