import { describe, expect, test } from 'bun:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { MeterUnavailable, type QuotaReservation } from '../../../src/store/meter.ts'
import type { PostgresStore } from '../../../src/store/postgres/open-postgres.ts'
import { hasPostgres, startPostgres } from '../../support/postgres.ts'
import { started } from '../../support/started.ts'
import { startTcpProxy, type TcpProxy } from '../../support/tcp-proxy.ts'
import { closeAll, openServer, throughPort } from './databases.ts'

const rounds = 40
const limit = 300

describe.skipIf(!hasPostgres)('a quota that several servers share', () => {
  const postgres = started(startPostgres)

  test('is never exceeded and counts just what was answered, under restarts, killed backends, cuts and freezes', async () => {
    const url = postgres.makeDatabase('faults')
    const proxies = await Promise.all([startTcpProxy(postgres.port), startTcpProxy(postgres.port, 2)])
    const servers = await Promise.all(proxies.map(({ port }) => openServer(throughPort(url, port))))
    const outcomes: Outcome[] = []
    for (let round = 0; round < rounds; round += 1) {
      const outcome = await hammer(servers, `key:${round}`, () => fault(round, proxies))
      outcomes.push(outcome)
      await recovered(servers)
    }
    await closeAll(servers)
    const counted = storedCounts('faults')
    for (const [round, { granted, released }] of outcomes.entries()) {
      expect({ round, counted: counted.get(`key:${round}`) ?? 0 }).toEqual({
        round,
        counted: granted - released,
      })
      expect(granted - released).toBeLessThanOrEqual(limit)
    }
    const total = outcomes.reduce((sum, { granted }) => sum + granted, 0)
    const refused = outcomes.reduce((sum, { unavailable }) => sum + unavailable, 0)
    console.log(`${total} granted, ${refused} refused with 503 in ${rounds} rounds`)
    expect(total).toBeGreaterThan(0)
    await Promise.all(proxies.map((proxy) => proxy.close()))
  })

  async function fault(round: number, proxies: readonly TcpProxy[]): Promise<void> {
    const proxy = proxies[round % proxies.length]
    const kind = Math.floor(round / 2) % 5
    if (kind === 0) proxy?.cut()
    else if (kind === 1) {
      postgres.run(`select pg_terminate_backend(pid) from pg_stat_activity where usename = 'owner'`)
    } else if (kind === 2) {
      proxy?.freeze()
      await sleep(round % 4 < 2 ? 300 : 2_500)
      proxy?.thaw()
    } else if (kind === 3) {
      await postgres.crash()
      await postgres.start()
    } else {
      for (let cuts = 0; cuts < 20; cuts += 1) {
        proxies[cuts % 2]?.cut()
        await sleep(7)
      }
    }
  }

  function storedCounts(database: string): ReadonlyMap<string, number> {
    const rows = postgres.run('select bucket, used from usage_days', database).split('\n')
    return new Map(rows.map((row) => row.split('|')).map(([bucket = '', used]) => [bucket, Number(used)]))
  }
})

interface Outcome {
  readonly granted: number
  readonly released: number
  readonly unavailable: number
}

/** Some callers call until the fault is over and the quota has run out for each of them, or no more can be had. */
async function hammer(
  servers: readonly PostgresStore[],
  bucket: string,
  makeFault: () => Promise<void>,
): Promise<Outcome> {
  let granted = 0
  let released = 0
  let unavailable = 0
  let isOver = false
  async function call(server: PostgresStore, index: number): Promise<void> {
    for (let calls = 0; !isOver || calls < 20; calls += 1) {
      let reservation: QuotaReservation
      try {
        reservation = await server.meter.reserve({ bucket, limit, endpoint: 'og', auth: 'key' })
      } catch (error) {
        expect(error).toBeInstanceOf(MeterUnavailable)
        unavailable += 1
        await sleep(10)
        continue
      }
      if (reservation.granted) granted += 1
      if (reservation.granted && (calls + index) % 3 === 0) {
        released += 1
        await server.meter.release(reservation)
      }
      if (!reservation.granted) await sleep(1)
    }
  }
  const callers = Array.from({ length: 24 }, (_, index) => servers[index % servers.length]).map(
    (server, index) => server && call(server, index),
  )
  await sleep(5)
  await makeFault()
  isOver = true
  await Promise.all(callers)
  return { granted, released, unavailable }
}

async function recovered(servers: readonly PostgresStore[]): Promise<void> {
  for (const server of servers) {
    for (;;) {
      const isBack = await server.meter.reserve({ bucket: 'probe', limit: null }).then(
        () => true,
        () => false,
      )
      if (isBack) break
      await sleep(20)
    }
  }
}
