import { statSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { type Clock, utcDay } from '../lib/clock.ts'
import { migrations, schemaVersion } from './migrations.ts'
import { retryWhileLocked } from './retry-while-locked.ts'
import { readAnew, type Sqlite } from './sqlite.ts'
import { type DatabaseFile, findStoreError, type StoreError, storeError } from './store-error.ts'
import type { UsageTable } from './usage.ts'

export type StoreCheck =
  | { readonly ok: true }
  | {
      readonly ok: false
      /** For the operator: it names files. */
      readonly problem: string
      /** For everybody. */
      readonly summary: string
    }

/** Whether the database would take a call now. */
export interface StoreHealth {
  /**
   * Writes as a call does, and looks whether the file at the path is the one that is open. Probes that come close
   * together share one answer, so that they cannot load the database. Never holds the event loop up.
   */
  probe(): Promise<StoreCheck>
  /** Whether the file answers and its tables are those of this version; writes nothing. */
  checkVersion(): StoreCheck
  /** Looks at the file every second, and refuses every write while it is not the one that is open: it would be lost. */
  watch(): void
  stop(): void
}

interface Deps {
  readonly sqlite: Sqlite
  readonly usage: Pick<UsageTable, 'set'>
  readonly clock: Clock
  readonly file: DatabaseFile
}

const probeEveryMs = 1_000
const watchEveryMs = 1_000
/** A database that failed a call this recently is not ready, whatever the probe itself says. */
const faultMs = 5_000
/** Other processes of ours write for a few milliseconds; who holds the lock for longer holds up every call. */
const lockPatienceMs = 250

export function createStoreHealth({ sqlite, usage, clock, file }: Deps): StoreHealth {
  const isFile = file.path !== ':memory:'
  const opened = isFile ? statSync(file.path) : undefined
  let probing: Promise<StoreCheck> | undefined
  let probedAtMs = Number.NEGATIVE_INFINITY
  let watcher: ReturnType<typeof setInterval> | undefined

  async function findReplacement(): Promise<StoreError | undefined> {
    const now = opened && (await stat(file.path).catch(() => undefined))
    const isSame = now?.ino === opened?.ino && now?.dev === opened?.dev
    return isSame ? undefined : storeError('replaced', file)
  }

  async function probe(): Promise<StoreCheck> {
    const replaced = await findReplacement()
    if (replaced !== undefined) return bad(replaced)
    const version = checkVersion()
    if (!version.ok) return version
    try {
      if (opened !== undefined)
        await retryWhileLocked(() => readAnew(file, everyTableOfACall), lockPatienceMs)
      await retryWhileLocked(write, lockPatienceMs)
    } catch (error) {
      return bad(error)
    }
    const fault = sqlite.lastFault()
    return fault !== undefined && performance.now() - fault.atMs < faultMs ? bad(fault.error) : { ok: true }
  }

  /** Through the table that every call is counted in. */
  function write(): void {
    sqlite.transaction(() => usage.set(utcDay(clock.now()), 'probe', 1))
  }

  function checkVersion(): StoreCheck {
    try {
      const version = schemaVersion(sqlite)
      if (version === migrations.length) return { ok: true }
      const problem = `the database is at migration ${version}, this version needs ${migrations.length}`
      return { ok: false, problem, summary: problem }
    } catch (error) {
      return bad(error)
    }
  }

  return {
    probe() {
      if (probing === undefined || performance.now() - probedAtMs > probeEveryMs) {
        probedAtMs = performance.now()
        probing = probe()
      }
      return probing
    },
    checkVersion,
    watch() {
      if (!isFile) return
      watcher = setInterval(async () => sqlite.refuse(await findReplacement()), watchEveryMs)
      watcher.unref()
    },
    stop: () => clearInterval(watcher),
  }
}

function bad(error: unknown): StoreCheck {
  const fault = findStoreError(error)
  const problem = fault?.message ?? String(error)
  return { ok: false, problem, summary: fault?.summary ?? 'the database does not answer' }
}

/** The tables that calls are counted in and keys looked up in. */
const everyTableOfACall = [
  'select 1 from facts limit 1',
  'select 1 from usage_days limit 1',
  'select 1 from traffic_days limit 1',
  'select 1 from keys limit 1',
  'select 1 from payments limit 1',
]
