import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { embedUrl } from '../../src/client/index.ts'
import { operatorPassword } from '../admin/support/admin-server.ts'
import { logIn } from '../admin/support/operator.ts'
import { eventually } from '../support/eventually.ts'
import { hasPostgres, startPostgres, type TestPostgres } from '../support/postgres.ts'
import { startServerOn } from '../support/served-database.ts'
import { startServer, type TestServer } from '../support/server.ts'

const views = 30

/** Two servers of one database: their operators change keys, and readers see embedded images. */
describe.each(['SQLite', 'PostgreSQL'] as const)('two servers over %s', (database) => {
  const isLeftOut = database === 'PostgreSQL' && !hasPostgres
  let postgres: TestPostgres | undefined
  let directory: string
  let servers: readonly [TestServer, TestServer]
  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'mintmark-views-'))
    if (isLeftOut) return
    if (database === 'PostgreSQL') {
      postgres = await startPostgres()
      const url = postgres.makeDatabase('views')
      servers = [await startServerOn(url), await startServerOn(url)]
    } else {
      const options = { dataDir: directory, env: { ADMIN_PASSWORD: operatorPassword } }
      servers = [await startServer(options), await startServer(options)]
    }
  })
  afterAll(async () => {
    for (const server of servers ?? []) await server.stop()
    await postgres?.close()
    rmSync(directory, { recursive: true, force: true })
  })

  test.skipIf(isLeftOut)(
    'count an embedded image once, and refuse it when either has changed its key',
    async () => {
      const [here, there] = servers
      const operator = await logIn(here)
      const key = await operator.createKey()
      const pair = { key: key.id, secret: key.secret }
      const { pathname, search } = new URL(await embedUrl(`${here.url}/api/og`, { title: 'Seen' }, pair))
      const path = pathname + search
      for (let view = 0; view < views; view += 1) {
        for (const { url } of servers) expect(await statusOf(url + path)).toBe(200)
      }
      const usage = await fetch(`${there.url}/api/usage?key=${key.id}`)
      expect(await usage.json()).toMatchObject({ used: 1 })

      await expectDone(operator.post(`${key.path}/revoke`))
      expect(await statusOf(here.url + path)).toBe(402)
      await eventually(async () => (await statusOf(there.url + path)) === 402)
      await expectDone(operator.post(`${key.path}/restore`))
      for (const { url } of servers) await eventually(async () => (await statusOf(url + path)) === 200)
      for (let view = 0; view < views; view += 1) await statusOf(there.url + path)
      await expectDone((await logIn(there)).post(`${key.path}/revoke`))
      expect(await statusOf(there.url + path)).toBe(402)
      await eventually(async () => (await statusOf(here.url + path)) === 402)
    },
  )
})

async function statusOf(url: string): Promise<number> {
  const response = await fetch(url)
  await response.arrayBuffer()
  return response.status
}

async function expectDone(pending: Promise<Response>): Promise<void> {
  expect((await pending).status).toBe(303)
}
