import { afterEach, describe, expect, test } from 'bun:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { MeterUnavailable, type QuotaReservation } from '../../../src/store/meter.ts'
import type { PostgresStore } from '../../../src/store/postgres/open-postgres.ts'
import { hasPostgres, startPostgres } from '../../support/postgres.ts'
import { started } from '../../support/started.ts'
import { startTcpProxy } from '../../support/tcp-proxy.ts'
import { closeAll, openServer, openSession, throughPort } from './databases.ts'

describe.skipIf(!hasPostgres)('a batch of calls', () => {
  let databases = 0
  const ends: (() => Promise<unknown>)[] = []
  const postgres = started(startPostgres)
  afterEach(async () => {
    for (const end of ends.splice(0)) await end()
  })

  /** A server that reaches a database of its own through a proxy. */
  async function setUp(delayMs = 0) {
    databases += 1
    const name = `batches_${databases}`
    const url = postgres.makeDatabase(name)
    const proxy = await startTcpProxy(postgres.port, delayMs)
    const server = await openServer(throughPort(url, proxy.port))
    ends.push(
      () => server.close(),
      () => proxy.close(),
    )
    return { name, url, proxy, server }
  }

  function used(name: string, bucket: string): number {
    return Number(
      postgres.run(`select coalesce(sum(used), 0) from usage_days where bucket = '${bucket}'`, name),
    )
  }

  test('is counted once, even where its first copy waits for locks while the second is refused', async () => {
    const { name, url, proxy, server } = await setUp()
    await server.meter.reserve({ bucket: 'a', limit: null })
    await server.meter.reserve({ bucket: 'b', limit: null })
    const [first, second] = await Promise.all([openSession(url), openSession(url)])
    for (const [session, bucket] of [
      [first, 'a'],
      [second, 'b'],
    ] as const) {
      await session.query('begin')
      await session.query('select * from usage_days where bucket = $1 for update', [bucket])
    }
    const calls = ['a', 'b'].map((bucket) => settled(server.meter.reserve({ bucket, limit: null })))
    await sleep(100)
    proxy.cut()
    await sleep(600)
    first.destroy('the lock is free')
    await sleep(600)
    second.destroy('the lock is free')
    const granted = (await Promise.all(calls)).filter((call) => call?.granted).length
    await recovered(server)
    await server.close()
    expect(used(name, 'a') + used(name, 'b')).toBe(2 + granted)
  })

  test('that got no answer is refused, and counts nothing once the database can be asked', async () => {
    const { name, proxy, server } = await setUp(20)
    const calls = Array.from({ length: 30 }, () =>
      settled(server.meter.reserve({ bucket: 'key', limit: null })),
    )
    // The batch has left, and its answer will not come.
    await sleep(30)
    proxy.freeze()
    expect((await Promise.all(calls)).every((call) => call === undefined)).toBe(true)
    proxy.thaw()
    await recovered(server)
    await server.close()
    expect(used(name, 'key')).toBe(0)
  })

  test('is not waited for once the database is away, and is counted again when it is back', async () => {
    const { proxy, server } = await setUp()
    proxy.freeze()
    expect(await settled(server.meter.reserve({ bucket: 'key', limit: 5 }))).toBeUndefined()
    while (!server.isAway()) await sleep(10)
    // Nothing is sent any more: these would otherwise still wait when the next line is reached.
    const atOnce = Array.from({ length: 50 }, () =>
      settled(server.meter.reserve({ bucket: 'key', limit: 5 })),
    )
    expect(await Promise.race([Promise.all(atOnce), nextTurns().then(() => 'still waiting')])).not.toBe(
      'still waiting',
    )
    proxy.thaw()
    await recovered(server)
    expect(await settled(server.meter.reserve({ bucket: 'key', limit: 5 }))).toMatchObject({
      granted: true,
      used: 1,
    })
  })

  test('may be on its way while others are, over a slow link, and the limit holds', async () => {
    const { name, server } = await setUp(15)
    const calls: Promise<QuotaReservation | undefined>[] = []
    for (let turn = 0; turn < 60; turn += 1) {
      for (let each = 0; each < 5; each += 1)
        calls.push(settled(server.meter.reserve({ bucket: 'key', limit: 200 })))
      await sleep(3)
    }
    const granted = (await Promise.all(calls)).filter((call) => call?.granted)
    expect(granted.length).toBe(200)
    expect(new Set(granted.map((call) => call?.used)).size).toBe(200)
    expect(used(name, 'key')).toBe(200)
    const slots = postgres.run('select count(*) from quota_slots where sequence > 0', name)
    expect(Number(slots)).toBe(4)
  })

  test('of a few calls waits for the answer of a large one, and nobody else is kept waiting', async () => {
    const { name, server } = await setUp(15)
    const many = Array.from({ length: 100 }, () =>
      settled(server.meter.reserve({ bucket: 'key', limit: null })),
    )
    await nextTurns()
    const one = settled(server.meter.reserve({ bucket: 'key', limit: null }))
    expect((await Promise.all([...many, one])).every((call) => call?.granted)).toBe(true)
    expect(postgres.run('select slot, sequence from quota_slots where sequence > 0', name)).toBe('0|2')
  })

  test('that fails for a mistake in it refuses its calls, and keeps what was to be given back', async () => {
    const { name, server } = await setUp()
    const granted = await server.meter.reserve({ bucket: 'key', limit: 5 })
    const impossible = settled(server.meter.reserve({ bucket: 'a', limit: 5.5 }))
    await server.meter.release(granted)
    expect(await impossible).toBeUndefined()
    await server.close()
    expect(used(name, 'key')).toBe(0)
  })

  test('goes on when its slots were removed because nothing was counted for a day', async () => {
    const { name, server } = await setUp()
    postgres.run('delete from quota_slots', name)
    expect(await settled(server.meter.reserve({ bucket: 'key', limit: 5 }))).toMatchObject({ used: 1 })
  })

  test('of several servers keeps a limit that all of them share', async () => {
    const { name, url } = await setUp()
    const servers = await Promise.all([1, 2, 3, 4].map(() => openServer(url)))
    const limit = 250
    const calls = Array.from({ length: 4 * limit }, (_, index) =>
      servers[index % 4]?.meter.reserve({ bucket: 'key', limit }),
    )
    const granted = (await Promise.all(calls)).filter((call) => call?.granted)
    await closeAll(servers)
    expect(granted.length).toBe(limit)
    expect(used(name, 'key')).toBe(limit)
  })
})

async function settled(call: Promise<QuotaReservation>): Promise<QuotaReservation | undefined> {
  try {
    return await call
  } catch (error) {
    expect(error).toBeInstanceOf(MeterUnavailable)
    return undefined
  }
}

async function recovered(server: PostgresStore): Promise<void> {
  while ((await settled(server.meter.reserve({ bucket: 'probe', limit: null }))) === undefined)
    await sleep(20)
}

async function nextTurns(): Promise<void> {
  for (let turns = 0; turns < 20; turns += 1) await new Promise((resolve) => setImmediate(resolve))
}
