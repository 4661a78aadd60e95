import { describe, expect, test } from 'bun:test'
import { retryWhileLocked } from '../../../src/store/store-error.ts'
import { hasPgbouncer, startPgbouncer } from '../../support/pgbouncer.ts'
import { hasPostgres, startPostgres } from '../../support/postgres.ts'
import { started } from '../../support/started.ts'
import { closeAll, openServer, throughPort } from './databases.ts'

describe.skipIf(!hasPostgres || !hasPgbouncer)('behind PgBouncer in transaction mode', () => {
  const postgres = started(startPostgres)
  const pgbouncer = started(() => startPgbouncer(postgres.port))

  test.each([2, 3, 4])('%d servers grant just what a key has left', async (count) => {
    const name = `bouncer_${count}`
    const url = throughPort(postgres.makeDatabase(name), pgbouncer.port)
    const servers = await Promise.all(Array.from({ length: count }, () => openServer(url)))
    const limit = 200
    let granted = 0
    for (let turn = 0; turn < 10; turn += 1) {
      const calls = Array.from({ length: (4 * limit) / 10 }, (_, index) =>
        servers[index % count]?.meter.reserve({ bucket: 'key', limit, endpoint: 'og', auth: 'key' }),
      )
      granted += (await Promise.all(calls)).filter((call) => call?.granted).length
    }
    await closeAll(servers)
    expect(granted).toBe(limit)
    expect(Number(postgres.run(`select used from usage_days where bucket = 'key'`, name))).toBe(limit)
  })

  test('transactions of several servers that share a lock run one after the other', async () => {
    const url = throughPort(postgres.makeDatabase('bouncer_locks'), pgbouncer.port)
    const servers = await Promise.all([openServer(url), openServer(url), openServer(url)])
    const [first] = servers
    await first?.keyValues.set('count', '0')
    const increments = Array.from({ length: 60 }, (_, index) => {
      const store = servers[index % 3] ?? first
      function* increment() {
        if (store === undefined) return
        yield* store.keyValues.set('count', String(Number(yield* store.keyValues.get('count')) + 1))
      }
      return retryWhileLocked(() => store?.transaction(increment, { locks: ['count'] }), 20_000)
    })
    await Promise.all(increments)
    expect(await first?.keyValues.get('count')).toBe('60')
    expect(await first?.peers.isGone(servers[1]?.peers.ownName ?? '')).toBe(false)
    await closeAll(servers)
  })
})
