import { sql } from 'drizzle-orm'
import type { Database } from '../database.ts'
import { queriesOf } from '../query.ts'
import { failedCheck, type StoreCheck, sharedProbe, versionCheck } from '../store-health.ts'
import type { DatabaseLink } from './database-link.ts'
import { postgresSchemaVersion, versionTable } from './migrations.ts'

/** A restart or a change of the primary is shorter, and meanwhile much is answered without the database. */
const absenceMsMax = 5_000

/** Whether the database would take a call now. */
export function createPostgresHealth(database: Database, link: DatabaseLink) {
  const findVersion = queriesOf(database).number({}, (_, { raw }) =>
    raw(sql`select version as number from ${sql.raw(versionTable)}`),
  )
  // Null for users who may not see other sessions, and missing in other products that speak the protocol.
  const findStandbyLag = queriesOf(database).number({}, (_, { raw }) =>
    raw(
      sql`select cast(max(extract(epoch from replay_lag)) * 1000 as bigint) as number from pg_stat_replication`,
    ),
  )
  let failingSinceMs: number | undefined
  let isWrongVersion = false

  /** The connection that calls are counted over is watched all the time: a server that went away or read-only is known. */
  function check(): StoreCheck {
    return link.connection() === undefined ? failedCheck(link.problem()) : { ok: true }
  }

  /** Ready as long as the database has not been away for some seconds. */
  async function probe(): Promise<StoreCheck> {
    const checked = await look()
    if (checked.ok) failingSinceMs = undefined
    else failingSinceMs ??= performance.now() - link.absentMs()
    const isAbsent = failingSinceMs !== undefined && performance.now() - failingSinceMs >= absenceMsMax
    return isAbsent || isWrongVersion ? checked : { ok: true }
  }

  async function look(): Promise<StoreCheck> {
    const checked = check()
    if (!checked.ok) return checked
    try {
      const version = versionCheck(await findVersion({}), postgresSchemaVersion)
      isWrongVersion = !version.ok
      return version
    } catch (error) {
      return failedCheck(error)
    }
  }

  async function standbyLagMs(): Promise<number> {
    try {
      return await findStandbyLag({})
    } catch {
      return 0
    }
  }

  return {
    check,
    probe: sharedProbe(probe),
    standbyLagMs,
  }
}
