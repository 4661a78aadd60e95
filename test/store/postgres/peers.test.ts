import { afterAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { dayMs, utcDay } from '../../../src/lib/clock.ts'
import { patienceMs } from '../../../src/store/postgres/connection-pool.ts'
import { parseConnectionUrl } from '../../../src/store/postgres/connection-target.ts'
import { createPostgresDatabase, postgresTexts } from '../../../src/store/postgres/postgres-database.ts'
import { createPostgresPeers } from '../../../src/store/postgres/postgres-peers.ts'
import { retryWhileLocked } from '../../../src/store/store-error.ts'
import { startChild } from '../../payments/support/child.ts'
import { hasPgbouncer, startPgbouncer } from '../../support/pgbouncer.ts'
import { hasPostgres, startPostgres, type TestPostgres } from '../../support/postgres.ts'
import { started } from '../../support/started.ts'
import { startTcpProxy } from '../../support/tcp-proxy.ts'
import { closeAll, openServer, openSession, throughPort } from './databases.ts'

/** A busy machine may be three seconds late with a sign of life. */
const leaseMs = 4_500
const script = join(import.meta.dirname, 'children/hold-lease.ts')

describe.skipIf(!hasPostgres)('servers of one database', () => {
  const postgres = started(startPostgres)
  const here = started(() => openServer(postgres.makeDatabase('peers'), { leaseMs }))
  const url = () => postgres.url('peers')
  const there = started(() => openServer(url(), { leaseMs }))

  test('do common work one at a time, and each can do it when the other has ended', async () => {
    const end = Promise.withResolvers<void>()
    const began = Promise.withResolvers<void>()
    const first = here.peers.alone('work', () => {
      began.resolve()
      return end.promise
    })
    await began.promise
    expect(await there.peers.alone('work', () => Promise.reject(new Error('not alone')))).toBe(false)
    expect(await here.peers.alone('work', () => Promise.reject(new Error('not alone')))).toBe(false)
    expect(await there.peers.alone('other work', async () => {})).toBe(true)
    end.resolve()
    expect(await first).toBe(true)
    expect(await there.peers.alone('work', async () => {})).toBe(true)
  })

  test('give the work up when it fails, and say so to whoever asked for it', async () => {
    await expect(here.peers.alone('work', () => Promise.reject(new Error('it failed')))).rejects.toThrow(
      'it failed',
    )
    expect(await there.peers.alone('work', async () => {})).toBe(true)
  })

  test('take over from one that was killed, and not from one that lives, however long its work takes', async () => {
    const holder = await startChild(script, [url(), String(leaseMs)])
    const name = holder.line
    await sleep(leaseMs + 1_500)
    expect(await here.peers.isGone(name)).toBe(false)
    expect(await here.peers.alone('common', async () => {})).toBe(false)
    await holder.stop('SIGKILL')
    while (!(await here.peers.alone('common', async () => {}))) await sleep(50)
    while (!(await here.peers.isGone(name))) await sleep(50)
  })

  test('are several, whatever their host names and process numbers', async () => {
    expect(here.peers.ownName).not.toBe(there.peers.ownName)
    expect(await here.peers.isGone(there.peers.ownName)).toBe(false)
    expect(await here.peers.isGone('a process that never was')).toBe(true)
    const third = await openServer(url(), { leaseMs })
    expect(await here.peers.isGone(third.peers.ownName)).toBe(false)
    await third.close()
    expect(await here.peers.isGone(third.peers.ownName)).toBe(true)
  })

  test('know of a server of an older version for as long as it lives', async () => {
    const session = await openSession(url())
    expect(await here.peers.hasOlder()).toBe(false)
    await session.query(`insert into leases (name, owner, until_ms) values ('process older', 'older', $1)`, [
      Date.now() + dayMs,
    ])
    expect(await here.peers.hasOlder()).toBe(true)
    await session.query(`update leases set until_ms = 1 where owner = 'older'`)
    expect(await here.peers.hasOlder()).toBe(false)
    session.destroy('the test is over')
  })

  test('hold nobody for dead while they themselves have no connection: then nobody could renew a lease', async () => {
    const session = await openSession(url())
    const target = parseConnectionUrl(url(), () => '')
    const database = createPostgresDatabase(target, { use: (work) => work(session) }, Date, postgresTexts(''))
    let isCut = true
    const connection = () => (isCut ? undefined : session)
    const peers = createPostgresPeers(database, connection, 300)
    await peers.join()
    await session.query(`insert into leases values ('process killed', 'killed', 1)`)
    // Longer than its own lease: without a connection it would look dead itself.
    await sleep(600)
    expect(await peers.isGone('killed')).toBe(false)
    isCut = false
    while (!(await peers.isGone('killed'))) await sleep(20)
    await session.query(`delete from leases where owner = 'killed'`)
    await peers.leave()
    session.destroy('the test is over')
  })

  test('tidy up what they leave behind, at the same time as well, and lose no count', async () => {
    const today = utcDay(Date.now())
    const kind = { endpoint: 'og', auth: 'demo', status: '2xx' }
    for (const store of [here, there])
      for (const day of [today - 500, today - 1, today]) await store.traffic.add(day, kind, 3)
    const session = await openSession(url())
    await session.query(
      `insert into commits (id, at_ms) select 'old ' || n, $1 from generate_series(1, 1500) as n`,
      [Date.now() - 2 * dayMs],
    )
    await session.query(`insert into leases values ('process old', 'old', $1)`, [Date.now() - 2 * dayMs])
    const folds = [here, there].map((store) => store.transaction(() => store.traffic.fold(today - 400)))
    await Promise.all([here.tidy(), there.tidy(), ...folds])
    const counts = await here.traffic.between(0, today)
    expect(counts.map(({ day, count }) => [day === 0 ? 0 : day - today, count]).toSorted()).toEqual(
      [
        [-1, 6],
        [0, 6],
        [0, 6],
      ].toSorted(),
    )
    const [left] = await session.query<{ commits: number; leases: number; shards: number }>(
      `select (select count(*) from commits where id like 'old %') as commits,
         (select count(*) from leases where owner = 'old') as leases,
         (select count(*) from traffic_days where shard <> '' and day < $1) as shards`,
      [today],
    )
    expect(left).toEqual({ commits: 0, leases: 0, shards: 0 })
    session.destroy('the test is over')
  })
})

describe.skipIf(!hasPostgres)('a primary with a synchronous standby', () => {
  let standby: TestPostgres | undefined
  const primary = started(() => startPostgres(['synchronous_commit=remote_apply']))
  afterAll(async () => {
    await standby?.close()
  })

  test('may be killed under load: the promoted standby is found, and no counted call is lost', async () => {
    const url = primary.makeDatabase('failover')
    standby = await primary.startStandby()
    // The standby comes first: it is passed over for as long as it is read-only.
    const server = await openServer(
      url.replace(/@[^/]+/, `@127.0.0.1:${standby.port},127.0.0.1:${primary.port}`),
    )
    let granted = 0
    let refused = 0
    let isOver = false
    async function call(): Promise<void> {
      for (let after = 0; after < 20; after += isOver ? 1 : 0) {
        try {
          await server.meter.reserve({ bucket: 'key', limit: null, endpoint: 'og', auth: 'key' })
          granted += 1
        } catch {
          refused += 1
          await sleep(20)
        }
      }
    }
    await server.keyValues.set('stored', 'before')
    const callers = Array.from({ length: 32 }, call)
    while (granted < 500) await sleep(5)
    await primary.crash()
    standby.run('select pg_promote()')
    while (server.isAway()) await sleep(20)
    isOver = true
    await Promise.all(callers)
    await server.transaction(function* () {
      yield* server.keyValues.set('stored', `${yield* server.keyValues.get('stored')} and after`)
    })
    await server.close()
    console.log(`${granted} granted, ${refused} refused`)
    expect(Number(standby.run(`select used from usage_days where bucket = 'key'`, 'failover'))).toBe(granted)
    expect(standby.run(`select value from facts where name = 'stored'`, 'failover')).toBe('before and after')
  })
})

/** Blocks the process, as loading code or a busy machine can. */
function standStill(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, patienceMs + 500)
}

describe.skipIf(!hasPostgres)('a server that stood still for longer than it waits for the database', () => {
  const postgres = started(startPostgres)

  const moments = {
    'before it had sent the calls': () => undefined,
    'while the database answered them': () => new Promise((resolve) => setImmediate(resolve)),
  }
  for (const [index, [moment, comes]] of Object.entries(moments).entries()) {
    test(`refuses no call: ${moment}`, async () => {
      const name = `still_${index}`
      const server = await openServer(postgres.makeDatabase(name))
      for (let round = 0; round < 3; round += 1) {
        const calls = Array.from({ length: 20 }, () => server.meter.reserve({ bucket: 'a', limit: null }))
        await comes()
        standStill()
        expect(await Promise.allSettled(calls)).toEqual(
          calls.map(() => ({ status: 'fulfilled', value: expect.objectContaining({ granted: true }) })),
        )
      }
      await closeAll([server])
      expect(postgres.run(`select sum(used) from usage_days where bucket = 'a'`, name).trim()).toBe('60')
    })
  }

  test('refuses no transaction, whether it waits for an answer or for a connection', async () => {
    const server = await openServer(postgres.makeDatabase('still_pool'))
    /** More than there are connections. */
    const names = Array.from({ length: 30 }, (_, index) => `name ${index}`)
    const stored = () => Promise.all(names.map((name) => server.keyValues.set(name, 'x')))
    await stored()
    for (let round = 0; round < 3; round += 1) {
      const storing = stored()
      await new Promise((resolve) => setImmediate(resolve))
      standStill()
      await storing
    }
    await closeAll([server])
  })
})

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
