import { describe, expect, test } from 'bun:test'
import { hasPostgres, startPostgres } from '../../support/postgres.ts'
import { started } from '../../support/started.ts'
import { startTcpProxy } from '../../support/tcp-proxy.ts'
import { openServer, throughPort } from './databases.ts'

/** How long a packet takes, each way: a connection is open after about a second. */
const delayMs = 120

describe.skipIf(!hasPostgres)('a database that is far away, or whose machine is slow', () => {
  const postgres = started(startPostgres)

  test('is reached, and reached again when the connection was lost', async () => {
    const proxy = await startTcpProxy(postgres.port, delayMs)
    const store = await openServer(throughPort(postgres.makeDatabase('far'), proxy.port))
    async function isGranted(): Promise<boolean> {
      const request = { bucket: 'demo', limit: 100, endpoint: 'og', auth: 'demo' }
      return store.meter.reserve(request).then(
        ({ granted }) => granted,
        () => false,
      )
    }
    while (!(await isGranted())) await Bun.sleep(100)
    proxy.cut()
    expect(await isGranted()).toBe(false)
    while (!(await isGranted())) await Bun.sleep(100)
    await store.close()
    await proxy.close()
  })
})
