import type { Database } from '../database.ts'
import { statementsOf } from '../statements.ts'
import { failedCheck, type StoreCheck } from '../store-health.ts'
import type { DatabaseLink } from './database-link.ts'
import { schemaVersion, versionTable } from './migrations.ts'

const probeEveryMs = 1_000

/** Whether the database would take a call now. */
export function createPostgresHealth(database: Database, link: DatabaseLink) {
  const findVersion = statementsOf(database).number(`select version as number from ${versionTable}`)
  let probing: Promise<StoreCheck> | undefined
  let probedAtMs = Number.NEGATIVE_INFINITY

  /** The connection that calls are counted over is watched all the time: a server that went away or read-only is known. */
  function check(): StoreCheck {
    return link.connection() === undefined ? failedCheck(link.problem()) : { ok: true }
  }

  async function probe(): Promise<StoreCheck> {
    const checked = check()
    if (!checked.ok) return checked
    try {
      const version = await findVersion()
      if (version === schemaVersion) return { ok: true }
      const problem = `the database is at migration ${version}, this version needs ${schemaVersion}`
      return { ok: false, problem, summary: problem }
    } catch (error) {
      return failedCheck(error)
    }
  }

  return {
    check,
    /** Probes that come close together share one result. */
    probe(): Promise<StoreCheck> {
      if (probing === undefined || performance.now() - probedAtMs > probeEveryMs) {
        probedAtMs = performance.now()
        probing = probe()
      }
      return probing
    },
  }
}
