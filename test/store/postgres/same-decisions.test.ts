import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createQuotaBatch } from '../../../src/access/quota-batch.ts'
import { dayMs, utcDay } from '../../../src/lib/clock.ts'
import { openStore, type Store } from '../../../src/store/open.ts'
import type { Connection } from '../../../src/store/postgres/connection.ts'
import type { QuotaReservation, ReservationRequest } from '../../../src/store/postgres/quota-requests.ts'
import { hasPostgres, startPostgres, type TestPostgres } from '../../support/postgres.ts'
import { randomFrom } from '../../support/random.ts'
import { openServer, openSession } from './databases.ts'

const actionsMin = 100_000
const keyIds = Array.from({ length: 12 }, (_, index) => `mk_${index}`)

describe.skipIf(!hasPostgres)('PostgreSQL and SQLite', () => {
  let postgres: TestPostgres
  beforeAll(async () => {
    postgres = await startPostgres()
  })
  afterAll(() => postgres?.close())

  test('give one answer to 100,000 random reservations and releases, and store the same rows', async () => {
    const seed = Date.now() % 1_000_000
    console.log(`seed ${seed}`)
    const random = randomFrom(seed)
    const url = postgres.makeDatabase('same')
    let offsetMs = 0
    const clock = { now: () => Date.now() + offsetMs }
    const server = await openServer(url, { clock })
    const session = await openSession(url)
    const store = openStore({ path: ':memory:', clock })
    const revisions = new Map<string, number>()
    for (const id of keyIds) {
      store.keys.insert({ id, name: '', createdAtMs: 0 })
      await session.query('insert into keys (id, created_at_ms) values ($1, 0)', [id])
      revisions.set(id, 1)
    }
    const releasable: Pair[] = []

    for (let actions = 0; actions < actionsMin; ) {
      const chance = random.below(1000)
      if (chance < 10) offsetMs += dayMs
      else if (chance < 30) await revoke(random.pick(keyIds), store, session, revisions)
      // Both stores have to see the same day, whatever the time of this machine is.
      const dayBefore = utcDay(clock.now())
      const released = Array.from({ length: random.below(20) }, () => releasable.pop()).filter(
        (pair) => pair !== undefined,
      )
      const requests = Array.from({ length: 1 + random.below(80) }, () => randomRequest(random, revisions))
      const answers = await decideRemotely(server, released, requests)
      const expected = decideLocally(store, dayBefore, released, requests)
      if (utcDay(clock.now()) !== dayBefore)
        throw new Error('The day ended while the test ran; run it again.')
      expect(answers).toEqual([...expected])
      for (const [index, remote] of answers.entries()) {
        const local = expected[index]
        if (remote.granted && local !== undefined && random.below(4) === 0) releasable.push({ remote, local })
      }
      actions += released.length + requests.length
    }
    await server.close()
    expect(await remoteRows(session)).toEqual(await localRows(store))
    session.destroy('the test is over')
    store.close()
  })
})

interface Pair {
  readonly remote: QuotaReservation
  readonly local: QuotaReservation
}

function randomRequest(
  random: ReturnType<typeof randomFrom>,
  revisions: ReadonlyMap<string, number>,
): ReservationRequest {
  const n = random.pick([1, 1, 1, 1, 0, 2, 20])
  const endpoint = random.pick(['og', 'badge', 'avatar'])
  if (random.below(4) === 0) return { bucket: 'demo', limit: 300, n, endpoint, auth: 'demo' }
  if (random.below(10) === 0) return { bucket: `ip:${random.below(5)}`, limit: 5 }
  const keyId = random.pick(keyIds)
  const revision = (revisions.get(keyId) ?? 0) - (random.below(20) === 0 ? 1 : 0)
  const isEmbed = random.below(2) === 0
  return {
    bucket: `key:${keyId}`,
    limit: random.pick([100, 100, 100, 3, null]),
    n,
    endpoint,
    auth: 'key',
    expectedRevision: { keyId, revision },
    dedupKey: isEmbed ? `url${random.below(150)}` : undefined,
  }
}

async function revoke(id: string, store: Store, session: Connection, revisions: Map<string, number>) {
  store.keys.update(id, { revokedAtMs: 1 })
  await session.query('update keys set revision = revision + 1 where id = $1', [id])
  revisions.set(id, (revisions.get(id) ?? 0) + 1)
}

async function decideRemotely(
  server: Awaited<ReturnType<typeof openServer>>,
  released: readonly Pair[],
  requests: readonly ReservationRequest[],
): Promise<readonly QuotaReservation[]> {
  for (const { remote } of released) void server.release(remote)
  return await Promise.all(requests.map((request) => server.reserve(request)))
}

function decideLocally(
  store: Store,
  day: number,
  released: readonly Pair[],
  requests: readonly ReservationRequest[],
): readonly QuotaReservation[] {
  for (const { local } of released) {
    const quotas = createQuotaBatch(store, local.day)
    quotas.release(local)
    quotas.write()
  }
  const quotas = createQuotaBatch(store, day)
  const reservations = requests.map((request) => quotas.reserve(request))
  quotas.write()
  return reservations
}

type Rows = Readonly<Record<string, readonly string[]>>

/** The rows of the counting tables as text. A row of zero says the same as none. */
async function remoteRows(session: Connection): Promise<Rows> {
  const usage = await session.query<{ row: string }>(
    `select concat_ws(' ', day, bucket, used) as row from usage_days where used > 0`,
  )
  const seen = await session.query<{ row: string }>(
    `select concat_ws(' ', day, bucket, thing) as row from seen_days`,
  )
  const traffic = await session.query<{ row: string }>(
    `select concat_ws(' ', day, endpoint, auth, status, sum(count)) as row from traffic_days
     group by day, endpoint, auth, status having sum(count) <> 0`,
  )
  return sorted({ usage, seen, traffic })
}

async function localRows(store: Store): Promise<Rows> {
  const today = utcDay(Date.now())
  const days = Array.from({ length: 3000 }, (_, index) => today + index)
  const traffic = store.traffic
    .between(0, today + 3000)
    .filter(({ count }) => count !== 0)
    .map(({ day, endpoint, auth, status, count }) => ({
      row: `${day} ${endpoint} ${auth} ${status} ${count}`,
    }))
  const buckets = ['demo', ...keyIds.map((id) => `key:${id}`), ...[0, 1, 2, 3, 4].map((n) => `ip:${n}`)]
  const usage = buckets.flatMap((bucket) =>
    store.usage
      .history(bucket, today, today + 3000)
      .filter(({ used }) => used > 0)
      .map(({ day, used }) => ({ row: `${day} ${bucket} ${used}` })),
  )
  const things = Array.from({ length: 150 }, (_, index) => `url${index}`)
  const seen = days.flatMap((day) =>
    keyIds.flatMap((id) => {
      const bucket = `key:${id}`
      if (store.deduplication.count(day, bucket) === 0) return []
      return things
        .filter((thing) => store.deduplication.has(day, bucket, thing))
        .map((thing) => ({ row: `${day} ${bucket} ${thing}` }))
    }),
  )
  return sorted({ usage, seen, traffic })
}

function sorted(tables: Readonly<Record<string, readonly { readonly row: string }[]>>): Rows {
  return Object.fromEntries(
    Object.entries(tables).map(([name, rows]) => [name, rows.map(({ row }) => row).sort()]),
  )
}
