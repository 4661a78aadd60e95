import { randomBytes } from 'node:crypto'
import { sql } from 'drizzle-orm'
import type { Database } from '../database.ts'
import { anyNumber, anyText, type Build, compileQuery, queriesOf } from '../query.ts'
import type { Connection } from './connection.ts'
import { postgresSchemaVersion } from './migrations.ts'
import { postgresBuilders } from './postgres-database.ts'

/** A process that is killed is known to be dead within this time and that of one look of the others. */
const peerLeaseMs = 3_000
const renewalsPerLease = 3

/** Time of the database's clock, because the machines' clocks may differ. */
const nowMs = sql`(extract(epoch from clock_timestamp()) * 1000)::bigint`
const lease = { name: anyText, owner: anyText, leaseMs: anyNumber }
const take: Build<typeof lease> = ({ name, owner, leaseMs }, { raw }) =>
  raw(sql`insert into leases (name, owner, until_ms, version)
    values (${name}, ${owner}, ${nowMs} + ${leaseMs}, ${sql.raw(String(postgresSchemaVersion))})
    on conflict (name) do update set owner = excluded.owner, until_ms = excluded.until_ms
    where leases.owner = excluded.owner or leases.until_ms <= ${nowMs}`)
const renewal = compileQuery(lease, take, postgresBuilders)

/**
 * Processes on any number of machines: each has a random name, and lives while it renews a lease. A process that is
 * only slow loses what its lease held, and whatever it stores about that is refused: each step names the charge or the
 * transaction that it is about.
 * @param connection open all the time, so that a sign of life waits for no other statement of this process
 */
export function createPostgresPeers(
  database: Database,
  connection: () => Connection | undefined,
  leaseMs = peerLeaseMs,
) {
  const { one, change, write } = queriesOf(database)
  const takeLease = change(lease, take)
  const drop = write([anyText, anyText], ([name, owner], { raw }) =>
    raw(sql`delete from leases where name = ${name} and owner = ${owner}`),
  )
  const find = one([anyText], ([name], { raw }) =>
    raw(sql<{ isHeld: boolean }>`select until_ms > ${nowMs} as "isHeld" from leases where name = ${name}`),
  )
  const findOlder = one({}, (_, { raw }) =>
    raw(sql`select name from leases where name like 'process %' and until_ms > ${nowMs}
      and version < ${sql.raw(String(postgresSchemaVersion))} limit 1`),
  )
  const ownName = randomBytes(12).toString('base64url')
  const running = new Set<string>()
  const everyMs = leaseMs / renewalsPerLease
  let heartbeat: ReturnType<typeof setInterval> | undefined
  let renewedAtMs = 0
  let presentSinceMs = 0

  /** A renewal that fails is made up for by the next; without any the lease ends, which is what it is for. */
  function renewAgainAndAgain(name: string, onRenewed = () => {}): ReturnType<typeof setInterval> {
    const values = renewal.bind({ name, owner: ownName, leaseMs })
    const renew = () =>
      void connection()
        ?.query(renewal.sql, values)
        .then(onRenewed, () => {})
    return setInterval(renew, everyMs).unref()
  }

  /** This process showed no sign of life for so long that others may have lost their leases at the same time. */
  function isAfterGap(): boolean {
    return performance.now() - renewedAtMs > 2 * everyMs
  }

  function noteRenewal(): void {
    if (isAfterGap()) presentSinceMs = performance.now()
    renewedAtMs = performance.now()
  }

  /** While the database was away, nobody could renew a lease: until all had time to, nobody is held to be dead. */
  function canJudge(): boolean {
    return !isAfterGap() && performance.now() - presentSinceMs >= leaseMs
  }

  async function dropLease(name: string): Promise<void> {
    await drop(name, ownName).then(undefined, () => {})
  }

  return {
    ownName,
    async isGone(name: string): Promise<boolean> {
      if (name === ownName) return false
      const lease = await find(lifeOf(name))
      return lease === undefined || (!lease.isHeld && canJudge())
    },
    hasOlder: async () => (await findOlder({})) !== undefined,
    async alone(work: string, run: () => Promise<void>): Promise<boolean> {
      const name = `work ${work}`
      if (running.has(work)) return false
      running.add(work)
      let timer: ReturnType<typeof setInterval> | undefined
      try {
        if (!(await takeLease({ name, owner: ownName, leaseMs }))) return false
        timer = renewAgainAndAgain(name)
        await run()
        return true
      } finally {
        clearInterval(timer)
        if (timer !== undefined) await dropLease(name)
        running.delete(work)
      }
    },
    async join(): Promise<void> {
      await takeLease({ name: lifeOf(ownName), owner: ownName, leaseMs })
      noteRenewal()
      heartbeat = renewAgainAndAgain(lifeOf(ownName), noteRenewal)
    },
    async leave(): Promise<void> {
      clearInterval(heartbeat)
      await dropLease(lifeOf(ownName))
    },
  }
}

function lifeOf(name: string): string {
  return `process ${name}`
}
