import { describe, expect, test } from 'bun:test'
import { dayMs, utcDay } from '../../../src/lib/clock.ts'
import type { Meter, QuotaReservation, ReservationRequest } from '../../../src/store/meter.ts'
import { createSqliteMeter } from '../../../src/store/sqlite/sqlite-meter.ts'
import { migrate, openSqlite } from '../../../src/store/sqlite.ts'
import { hasPostgres, startPostgres } from '../../support/postgres.ts'
import { randomFrom } from '../../support/random.ts'
import { started } from '../../support/started.ts'
import { openServer, openSession } from './databases.ts'
import cases from './same-decisions.json' with { type: 'json' }

const actionsMin = 100_000
const keyIds = Array.from({ length: 12 }, (_, index) => `mk_${index}`)

describe.skipIf(!hasPostgres)('PostgreSQL and SQLite', () => {
  const postgres = started(startPostgres)

  // With the first seed an address comes with its name of before and without it in one batch, and is released.
  const seeds = [959_554, Date.now() % 1_000_000]
  test.each(seeds)(
    `give one answer to ${actionsMin} random reservations and releases, and store the same rows (seed %d)`,
    async (seed) => {
      const random = randomFrom(seed)
      const url = postgres.makeDatabase(`same_${seed}`)
      let offsetMs = 0
      const clock = { now: () => Date.now() + offsetMs }
      const server = await openServer(url, { clock })
      const session = await openSession(url)
      const sqlite = openSqlite(':memory:')
      migrate(sqlite)
      const local = createSqliteMeter(sqlite, clock)
      const revisions = new Map<string, number>()
      const versions = new Map<string, number>()
      async function change(sql: string) {
        sqlite.exec(sql)
        await session.query(sql)
      }
      for (const id of keyIds) {
        for (const sql of newKey(id, utcDay(clock.now()))) await change(sql)
        revisions.set(id, 1)
        versions.set(id, 1)
      }
      const releasable: Pair[] = []

      for (let actions = 0; actions < actionsMin; ) {
        const chance = random.below(1000)
        if (chance < 10) offsetMs += dayMs
        else if (chance < 30) {
          const id = random.pick(keyIds)
          await change(`update keys set revoked_at_ms = 1, revision = revision + 1 where id = '${id}'`)
          revisions.set(id, (revisions.get(id) ?? 0) + 1)
        } else if (chance < 50) {
          const id = random.pick(keyIds)
          const version = versions.get(id) ?? 0
          versions.set(id, version + 1)
          if (random.below(2) === 0)
            await change(
              `insert into leaked_secrets (key_id, version, since_day) values ('${id}', ${version}, 0)`,
            )
        }
        // Both stores have to see the same day, whatever the time of this machine is.
        const dayBefore = utcDay(clock.now())
        // PostgreSQL counts the requests of one busy bucket with a function of its own.
        const isOneRun = random.below(3) === 0
        const released = isOneRun ? [] : releasable.splice(0, random.below(20))
        const request = randomRequest(random, revisions, versions)
        const requests = Array.from({ length: 1 + random.below(80) }, () =>
          isOneRun ? request : randomRequest(random, revisions, versions),
        )
        const answers = await decide(
          server.meter,
          released.map(({ remote }) => remote),
          requests,
        )
        const expected = await decide(
          local,
          released.map(({ local }) => local),
          requests,
        )
        if (utcDay(clock.now()) !== dayBefore)
          throw new Error('The day ended while the test ran; run it again.')
        expect(answers).toEqual(expected)
        for (const [index, remote] of answers.entries()) {
          const same = expected[index]
          if (remote.granted && same !== undefined && random.below(4) === 0)
            releasable.push({ remote, local: same })
        }
        actions += released.length + requests.length
      }
      await server.close()
      const expectedRows = await storedRows((sql) => sqlite.prepare<{ row: string }>(sql).all())
      expect(await storedRows((sql) => session.query<{ row: string }>(sql))).toEqual(expectedRows)
      sqlite.close()
      session.destroy('the test is over')
    },
  )
})

/** Statements that add a key, with addresses that were last viewed on days until today. */
function newKey(id: string, today: number): readonly string[] {
  const addresses = Array.from({ length: 15 }, (_, index) => 10 * index).map(
    (daysAgo) => `insert into signed_addresses (key_id, digest, version, first_day, last_view_day)
      values ('${id}', 'url${daysAgo}', 1, 0, ${today - daysAgo})`,
  )
  return [`insert into keys (id, created_at_ms) values ('${id}', 0)`, ...addresses]
}

interface Pair {
  readonly remote: QuotaReservation
  readonly local: QuotaReservation
}

function randomRequest(
  random: ReturnType<typeof randomFrom>,
  revisions: ReadonlyMap<string, number>,
  versions: ReadonlyMap<string, number>,
): ReservationRequest {
  const n = random.pick([1, 1, 1, 1, 0, 2, 20])
  const endpoint = random.pick(['og', 'badge', 'avatar'])
  if (random.below(4) === 0) return { bucket: 'demo', limit: 300, n, endpoint, auth: 'demo' }
  if (random.below(10) === 0) return { bucket: `ip:${random.below(5)}`, limit: 5 }
  const keyId = random.pick(keyIds)
  const revision = (revisions.get(keyId) ?? 0) - (random.below(20) === 0 ? 1 : 0)
  const embed = random.below(150)
  const version = versions.get(keyId) ?? 0
  const hasDedupKey = random.below(2) === 0
  const isAddress = random.below(2) === 0
  return {
    bucket: `key:${keyId}`,
    limit: random.pick([100, 100, 100, 3, null]),
    n,
    endpoint,
    auth: 'key',
    expectedRevision: { keyId, revision },
    dedupKey: hasDedupKey ? `url${embed}` : undefined,
    address: isAddress ? { keyId, digest: `digest${embed}`, version } : undefined,
  }
}

/** Releases first, because that makes room for the requests. */
async function decide(
  meter: Pick<Meter, 'reserve' | 'release'>,
  released: readonly QuotaReservation[],
  requests: readonly ReservationRequest[],
): Promise<readonly QuotaReservation[]> {
  for (const reservation of released) void meter.release(reservation)
  return await Promise.all(requests.map((request) => meter.reserve(request)))
}

/** The rows of the counting tables as text. A row of zero says the same as none. */
const rowsOfTables = cases.rowsOfTables

type Rows = readonly { readonly row: string }[]

async function storedRows(ask: (sql: string) => Rows | Promise<Rows>) {
  const found: Record<string, readonly string[]> = {}
  for (const [name, sql] of Object.entries(rowsOfTables))
    found[name] = (await ask(sql)).map(({ row }) => row).sort()
  return found
}
