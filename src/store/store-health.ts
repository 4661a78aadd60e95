import { rm, writeFile } from 'node:fs/promises'
import { type Clock, utcDay } from '../lib/clock.ts'
import { readFromDisk } from './connect.ts'
import { createFileWatch } from './file-watch.ts'
import { migrations, schemaVersion } from './migrations.ts'
import { retryWhileLocked } from './retry-while-locked.ts'
import type { Sqlite } from './sqlite.ts'
import { asStoreError, type DatabaseFile, findStoreError, StoreError } from './store-error.ts'

export type StoreCheck =
  | { readonly ok: true }
  | {
      readonly ok: false
      /** For the operator, with the names of files. */
      readonly problem: string
      /** For everybody, without them. */
      readonly summary: string
    }

export type StoreHealth = ReturnType<typeof createStoreHealth>

const probeEveryMs = 1_000
/** A database that failed a call this recently is not ready, whatever the probe itself finds. */
const faultMs = 5_000
/** Processes of ours hold the lock for a few milliseconds; one that holds it longer delays every call. */
const lockPatienceMs = 250

/** A check, and how long the database took for it. */
export type StoreProbe = StoreCheck & { readonly tookMs: number }

/** Probes that come close together share one result, so that they cannot load the database. */
export function sharedProbe(probe: () => Promise<StoreCheck>): () => Promise<StoreProbe> {
  let probing: Promise<StoreProbe> | undefined
  let probedAtMs = Number.NEGATIVE_INFINITY

  async function timed(): Promise<StoreProbe> {
    const startMs = performance.now()
    const check = await probe()
    return { ...check, tookMs: performance.now() - startMs }
  }

  return () => {
    if (probing !== undefined && performance.now() - probedAtMs <= probeEveryMs) return probing
    probedAtMs = performance.now()
    probing = timed()
    return probing
  }
}

/** Whether the database would take a call now. */
export function createStoreHealth(sqlite: Sqlite, clock: Clock, file: DatabaseFile) {
  const watch = createFileWatch(sqlite, file)
  const isOnDisk = file.path !== ':memory:'
  const setUsed = sqlite.prepare(
    `insert into usage_days (day, bucket, used) values (?, 'probe', 1) on conflict do update set used = 1`,
  )
  async function probe(): Promise<StoreCheck> {
    const replaced = await watch.findReplacement()
    if (replaced !== undefined) return failedCheck(replaced)
    const version = checkVersion()
    if (!version.ok) return version
    try {
      if (isOnDisk) await retryWhileLocked(() => readFromDisk(file, queriesOfCalls), lockPatienceMs)
      await retryWhileLocked(write, lockPatienceMs)
    } catch (error) {
      const fault = findStoreError(error)
      if (fault !== undefined) sqlite.noteFault(fault)
      return failedCheck(error)
    }
    const full = isOnDisk ? await findFullDisk(file) : undefined
    if (full !== undefined) return failedCheck(full)
    const fault = sqlite.lastFault()
    const isRecent = fault !== undefined && performance.now() - fault.atMs < faultMs
    return isRecent ? failedCheck(fault.error) : { ok: true }
  }

  /** Writes to the table that every call is counted in. */
  function write(): void {
    sqlite.transaction(() => setUsed.run(utcDay(clock.now())))
  }

  /** Whether the database answers and has the tables of this version. Writes nothing. */
  function checkVersion(): StoreCheck {
    try {
      const version = schemaVersion(sqlite)
      if (version === migrations.length) return { ok: true }
      const problem = `the database is at migration ${version}, this version needs ${migrations.length}`
      return { ok: false, problem, summary: problem }
    } catch (error) {
      return failedCheck(error)
    }
  }

  return {
    /**
     * Writes as a call does, and checks that the file at the path is the open one and that the disk has room. Never
     * blocks the event loop.
     */
    probe: sharedProbe(probe),
    checkVersion,
    watch: watch.start,
    stop: watch.stop,
  }
}

export function failedCheck(error: unknown): StoreCheck {
  const fault = findStoreError(error)
  const problem = fault?.message ?? String(error)
  return { ok: false, problem, summary: fault?.summary ?? 'the database does not answer' }
}

/** One query for each table that a call is counted in or looked up in. */
const queriesOfCalls = ['facts', 'usage_days', 'traffic_days', 'keys', 'payments'].map(
  (table) => `select 1 from ${table} limit 1`,
)

/** Bytes that a busy second may store. */
const neededBytes = 256 * 1024

/**
 * Returns why the disk takes no more, undefined if it does. It writes a file beside the database and removes it, because
 * one small write into the database may find room in its journal while the disk or a quota is full.
 */
async function findFullDisk(file: DatabaseFile): Promise<StoreError | undefined> {
  const path = `${file.path}-room`
  try {
    await writeFile(path, new Uint8Array(neededBytes), { mode: 0o600 })
    return undefined
  } catch (error) {
    const fault = asStoreError(error, file)
    return fault instanceof StoreError && fault.kind === 'full' ? fault : undefined
  } finally {
    await rm(path, { force: true }).catch(() => {})
  }
}
