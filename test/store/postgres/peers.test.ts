import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { dayMs, utcDay } from '../../../src/lib/clock.ts'
import { parseConnectionUrl } from '../../../src/store/postgres/connection-target.ts'
import type { PostgresStore } from '../../../src/store/postgres/open-postgres.ts'
import { createPostgresDatabase, postgresTexts } from '../../../src/store/postgres/postgres-database.ts'
import { createPostgresPeers } from '../../../src/store/postgres/postgres-peers.ts'
import { startChild } from '../../payments/support/child.ts'
import { hasPostgres, startPostgres } from '../../support/postgres.ts'
import { started } from '../../support/started.ts'
import { closeAll, openServer, openSession } from './databases.ts'

/** A busy machine may be three seconds late with a sign of life. */
const leaseMs = 4_500
const script = join(import.meta.dirname, 'children/hold-lease.ts')

describe.skipIf(!hasPostgres)('servers of one database', () => {
  let url: string
  let here: PostgresStore
  let there: PostgresStore
  const postgres = started(startPostgres)
  beforeAll(async () => {
    url = postgres.makeDatabase('peers')
    here = await openServer(url, { leaseMs })
    there = await openServer(url, { leaseMs })
  })
  afterAll(async () => {
    await closeAll([here, there].filter((store) => store !== undefined))
  })

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
    const holder = await startChild(script, [url, String(leaseMs)])
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
    const third = await openServer(url, { leaseMs })
    expect(await here.peers.isGone(third.peers.ownName)).toBe(false)
    await third.close()
    expect(await here.peers.isGone(third.peers.ownName)).toBe(true)
  })

  test('hold nobody for dead while they themselves have no connection: then nobody could renew a lease', async () => {
    const session = await openSession(url)
    const database = createPostgresDatabase({
      target: parseConnectionUrl(url, () => ''),
      pool: { use: (work) => work(session) },
      clock: Date,
      texts: postgresTexts(''),
    })
    let isCut = true
    const connection = () => (isCut ? undefined : session)
    const peers = createPostgresPeers({ database, connection, leaseMs: 300 })
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
    const session = await openSession(url)
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
