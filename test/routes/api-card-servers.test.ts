import { afterEach, beforeEach, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startServer } from '../support/server.ts'
import { startService, type TestService } from '../support/service.ts'
import { slowTest } from '../support/test-size.ts'
import { dropDatabaseOf } from '../support/test-store.ts'
import { type PageSite, startPageSite } from './support/page-site.ts'

let site: PageSite
let dataDir: string
const started: { stop(): Promise<unknown> }[] = []

beforeEach(async () => {
  site = await startPageSite()
  site.setPage('/', '<title>Tides of March</title>')
  dataDir = mkdtempSync(join(tmpdir(), 'mintmark-cards-'))
})
afterEach(async () => {
  for (const server of started.splice(0)) await server.stop()
  await site.stop()
  await dropDatabaseOf(dataDir)
  rmSync(dataDir, { recursive: true, force: true })
})

async function serve(): Promise<TestService> {
  const server = await startService({ env: site.env, dataDir })
  started.push(server)
  return server
}

async function card({ url }: { readonly url: string }) {
  const response = await fetch(`${url}/api/card?${new URLSearchParams({ page: site.url('/'), demo: '1' })}`)
  const title = /<title[^>]*>([^<]*)</.exec(await response.text())?.[1]
  return [response.status, response.headers.get('x-card-source'), title]
}

function hasApril(answer: Awaited<ReturnType<typeof card>>): boolean {
  return answer.includes('Tides of April')
}

async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await Bun.sleep(20)
}

test('what one server has read of a page, all have, also after a restart', async () => {
  const [one, other] = [await serve(), await serve()]
  for (const each of [one, other]) expect(await card(each)).toEqual([200, 'page', 'Tides of March'])
  expect([await card(await serve()), site.fetchesOf('/')]).toEqual([[200, 'page', 'Tides of March'], 1])
})

test('two servers read a page again once between them, and both have what it says then', async () => {
  const servers = [await serve(), await serve()]
  await Promise.all(servers.map(card))
  const before = site.fetchesOf('/')
  site.setPage('/', '<title>Tides of April</title>')
  for (const { clock } of servers) clock.aheadMs += 3_700_000
  await Promise.all([...servers, ...servers].map(card))
  // The server that has read the page has it first, and the other one when it looks.
  await until(async () => (await Promise.all(servers.map(card))).some(hasApril))
  for (const { clock } of servers) clock.aheadMs += 61_000
  for (const server of servers) await until(async () => hasApril(await card(server)))
  expect(site.fetchesOf('/')).toBe(before + 1)
})

slowTest('a server that is killed while it reads a page again leaves the facts that were there', async () => {
  const env = { ...site.env, DEMO_DAILY_QUOTA: '100' }
  const first = await serve()
  expect(await card(first)).toEqual([200, 'page', 'Tides of March'])
  // The page is old for a server whose clock is ahead, and does not answer any more.
  let isAsked = false
  site.set('/', () => {
    isAsked = true
    return new Promise(() => {})
  })
  const doomed = await startServer({ env, dataDir, command: [process.execPath, aheadOfTime] })
  doomed.process.kill('SIGUSR2')
  await until(async () => {
    expect(await card(doomed)).toEqual([200, 'page', 'Tides of March'])
    return isAsked
  })
  await doomed.stop('SIGKILL')
  expect(await card(await serve())).toEqual([200, 'page', 'Tides of March'])
})

/** The program, with a clock that is two hours ahead from a signal on. */
const aheadOfTime = new URL('./children/two-hours-ahead.ts', import.meta.url).pathname
