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
import { closeAll, openServer, throughPort } from './databases.ts'

const manyCalls = 1_000_000_000

describe.skipIf(!hasPostgres)('calls that are counted ahead in a busy bucket', () => {
  let databases = 0
  const ends: (() => Promise<unknown>)[] = []
  const postgres = started(startPostgres)
  afterEach(async () => {
    for (const end of ends.splice(0)) await end()
  })

  /** Servers that reach one database, each through a slow proxy of its own. */
  async function setUp(count: number) {
    databases += 1
    const name = `prefetch_${databases}`
    const url = postgres.makeDatabase(name)
    const proxies = await Promise.all(Array.from({ length: count }, () => startTcpProxy(postgres.port, 2)))
    const servers = await Promise.all(proxies.map(({ port }) => openServer(throughPort(url, port))))
    ends.push(
      () => closeAll(servers),
      () => Promise.all(proxies.map((proxy) => proxy.close())),
    )
    return { name, proxies, servers }
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
