import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { signUrl } from '../../src/client/index.ts'
import { hasPostgres, startPostgres } from '../support/postgres.ts'
import { sharedSettings } from '../support/served-database.ts'
import { started } from '../support/started.ts'
import { type CutMoment, startTcpProxy } from '../support/tcp-proxy.ts'
import { type AdminServer, openAdminServer } from './support/admin-server.ts'
import { logIn, secretIn } from './support/operator.ts'

const moments: readonly CutMoment[] = ['before', 'after', 'underway']

describe.skipIf(!hasPostgres)('where the connection to PostgreSQL ends at a commit', () => {
  let server: AdminServer
  const postgres = started(startPostgres)
  const proxy = started(() => startTcpProxy(postgres.port))
  beforeAll(async () => {
    const url = postgres.makeDatabase('cut').replace(/:\d+\//, `:${proxy.port}/`)
    const env = { ...sharedSettings, DATABASE_URL: url, KEYS_PER_IP_PER_DAY: '50', LOG_LEVEL: 'error' }
    server = await openAdminServer({ env })
  })
  afterAll(async () => {
    await server?.close()
  })

  function countOf(table: string): number {
    return Number(postgres.run(`select count(*) from ${table}`, 'cut'))
  }

  async function statusOf(key: string, secret: string): Promise<number> {
    return (await fetch(await signUrl(`${server.url}/api/og?title=A`, { key, secret }))).status
  }

  test.each(moments)('%s it arrives, one key is issued, and it works', async (when) => {
    const before = countOf('keys')
    const isCut = proxy.cutAt('commit\0', when)
    const answer = await fetch(`${server.url}/api/key`)
    await isCut
    const { id, secret } = (await answer.json()) as { id: string; secret: string }
    expect([answer.status, await statusOf(id, secret)]).toEqual([200, 200])
    expect(countOf('keys') - before).toBe(1)
  })

  test.each(moments)('%s it arrives, one session is started, and no attempt is counted', async (when) => {
    const before = countOf('sessions')
    const isCut = proxy.cutAt('commit\0', when)
    const operator = await logIn(server)
    await isCut
    expect((await operator.get('/admin/audit')).status).toBe(200)
    expect(countOf('sessions') - before).toBe(1)
    expect(countOf('login_attempts')).toBe(0)
  })

  test.each(moments)('%s it arrives, a secret is shown once, and a rotation makes one', async (when) => {
    const operator = await logIn(server)
    const created = await operator.post('/admin/keys', { name: when })
    const path = created.headers.get('location') ?? ''
    const isCut = proxy.cutAt('commit\0', when)
    const shown = secretIn(await operator.page(path)) ?? ''
    await isCut
    expect(secretIn(await operator.page(path))).toBeUndefined()
    const id = path.split('/').at(-1) ?? ''
    expect(await statusOf(id, shown)).toBe(200)
    const isCutAgain = proxy.cutAt('commit\0', when)
    await operator.post(`${path}/rotate`, { overlap: '0' })
    await isCutAgain
    expect(postgres.run(`select version from keys where id = '${id}'`, 'cut')).toBe('2')
    expect(await statusOf(id, secretIn(await operator.page(path)) ?? '')).toBe(200)
  })
})
