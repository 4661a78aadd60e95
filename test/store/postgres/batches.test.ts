import { afterEach, describe, expect, test } from 'bun:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { dayMs, utcDay } from '../../../src/lib/clock.ts'
import type { QuotaReservation, ReservationRequest } from '../../../src/store/meter.ts'
import type { PostgresStore } from '../../../src/store/postgres/open-postgres.ts'
import { createPrefetchedCalls, roomMin } from '../../../src/store/postgres/quota-prefetch.ts'
import { eventually } from '../../support/eventually.ts'
import { hasPostgres, startPostgres } from '../../support/postgres.ts'
import { started } from '../../support/started.ts'
import { startTcpProxy } from '../../support/tcp-proxy.ts'
import { closeAll, openServer, openSession, recovered, settled, throughPort } from './databases.ts'

/** Makes servers that reach a database of their own, each through a proxy, and closes them after each test. */
function databasesThroughProxies() {
  let databases = 0
  const ends: (() => Promise<unknown>)[] = []
  const postgres = started(startPostgres)
  afterEach(async () => {
    for (const end of ends.splice(0)) await end()
  })
  async function open(delayMs: number, count: number) {
    databases += 1
    const name = `batches_${databases}`
    const url = postgres.makeDatabase(name)
    const proxies = await Promise.all(
      Array.from({ length: count }, () => startTcpProxy(postgres.port, delayMs)),
    )
    const servers = await Promise.all(proxies.map(({ port }) => openServer(throughPort(url, port))))
    ends.push(
      () => closeAll(servers),
      () => Promise.all(proxies.map((proxy) => proxy.close())),
    )
    return { name, url, proxies, servers }
  }
  return { postgres, open }
}

describe.skipIf(!hasPostgres)('a batch of calls', () => {
  const { postgres, open } = databasesThroughProxies()

  async function setUp(delayMs = 0) {
    const { proxies, servers, ...database } = await open(delayMs, 1)
    const [proxy, server] = [proxies[0], servers[0]]
    if (proxy === undefined || server === undefined) throw new Error('There is no server.')
    return { ...database, proxy, server }
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

async function nextTurns(): Promise<void> {
  for (let turns = 0; turns < 20; turns += 1) await new Promise((resolve) => setImmediate(resolve))
}

const manyCalls = 1_000_000_000

describe.skipIf(!hasPostgres)('calls that are counted ahead in a busy bucket', () => {
  const { postgres, open } = databasesThroughProxies()

  /** Servers that reach one database, each through a slow proxy of its own. */
  function setUp(count: number) {
    return open(2, count)
  }

  function stored(name: string) {
    const [used, traffic] = postgres
      .run('select (select sum(used) from usage_days), (select sum(count) from traffic_days)', name)
      .split('|')
      .map(Number)
    return { used, traffic }
  }

  async function settlesAt(name: string, granted: number) {
    await eventually(() => Bun.deepEquals(stored(name), { used: granted, traffic: granted }))
  }

  test('and never came are given back', async () => {
    const { name, servers } = await setUp(2)
    const granted = await callInTurns(servers, manyCalls, { untilMs: performance.now() + 500 })
    expect(granted).toBeGreaterThan(0)
    await settlesAt(name, granted)
  })

  test('are given back before a server ends', async () => {
    const { name, servers } = await setUp(1)
    const granted = await callInTurns(servers, manyCalls, { untilMs: performance.now() + 200 })
    await closeAll(servers)
    expect(stored(name)).toEqual({ used: granted, traffic: granted })
  })

  test('are given back where connections are cut meanwhile', async () => {
    const { name, servers, proxies } = await setUp(2)
    const untilMs = performance.now() + 1_500
    const calls = callInTurns(servers, manyCalls, { untilMs })
    while (performance.now() < untilMs) {
      await sleep(120)
      for (const proxy of proxies) proxy.cut()
    }
    await settlesAt(name, await calls)
  })

  test('leave none of the quota, and never pass it, over two servers', async () => {
    const { name, servers } = await setUp(2)
    const limit = roomMin + 2_000
    const granted = await callInTurns(servers, limit, {})
    await settlesAt(name, granted)
    expect(granted).toBe(limit)
  })
})

/** Many callers, each calling again when it is answered, until they are refused or the time is over. */
async function callInTurns(
  servers: readonly PostgresStore[],
  limit: number,
  { untilMs = Number.POSITIVE_INFINITY },
): Promise<number> {
  const request: ReservationRequest = { bucket: 'demo', limit, endpoint: 'og', auth: 'demo' }
  let granted = 0
  async function call({ meter }: PostgresStore) {
    while (granted === 0 || performance.now() < untilMs) {
      const reservation = await meter.reserve(request).catch(() => undefined)
      if (reservation?.granted === false) return
      if (reservation === undefined) await sleep(5)
      else granted += 1
      // Held calls are granted without a turn of the event loop.
      if (granted % 16 === 0) await sleep(0)
    }
  }
  await Promise.all(servers.flatMap((server) => Array.from({ length: 64 }, () => call(server))))
  return granted
}

describe('a bucket', () => {
  /** A meter that answers after a while, and remembers. */
  function setUp(limit: number) {
    let nowMs = dayMs * 20_000
    const log = { reserved: 0, released: [] as QuotaReservation[] }
    const request: ReservationRequest = { bucket: 'demo', limit }
    const calls = createPrefetchedCalls(
      {
        async reserve() {
          log.reserved += 1
          const used = log.reserved
          const day = utcDay(nowMs)
          await sleep(5)
          const rest = { limit, remaining: limit - used, resetsAtMs: (day + 1) * dayMs }
          return { request, day, granted: true, stale: false, counted: 1, used, ...rest }
        },
        async release(reservation) {
          log.released.push(reservation)
        },
      },
      { now: () => nowMs },
      request,
    )
    function burst() {
      return Promise.all(Array.from({ length: 40 }, () => calls.reserve()))
    }
    return {
      calls,
      log,
      burst,
      passDay() {
        nowMs += dayMs
      },
    }
  }

  test('that is busy has calls counted ahead, each of which goes to one caller', async () => {
    const { log, burst } = setUp(manyCalls)
    const reservations = [...(await burst()), ...(await burst())]
    await sleep(10)
    const [before, held] = [log.reserved, await burst()]
    expect(before).toBeGreaterThan(80)
    expect(held.every(({ used }) => used <= before)).toBe(true)
    expect(new Set([...reservations, ...held]).size).toBe(120)
  })

  test('that rests gives back what nobody called for', async () => {
    const { calls, log, burst } = setUp(manyCalls)
    await burst()
    await burst()
    while (!calls.isIdle()) await sleep(5)
    expect(log.released.length).toBeGreaterThan(0)
    expect(log.reserved - log.released.length).toBe(80)
  })

  test('that is nearly used up, or small, is counted call by call', async () => {
    const { log, burst } = setUp(roomMin)
    await burst()
    await burst()
    await sleep(10)
    expect(log.reserved).toBe(80)
  })

  test('has nothing left of yesterday', async () => {
    const { log, burst, passDay } = setUp(manyCalls)
    await burst()
    await burst()
    await sleep(10)
    passDay()
    const days = new Set((await burst()).map(({ day }) => day))
    expect(days).toEqual(new Set([20_001]))
    expect(log.released.every(({ day }) => day === 20_000)).toBe(true)
  })
})
