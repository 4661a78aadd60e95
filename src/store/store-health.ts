import { type Stats, statSync } from 'node:fs'
import { rm, stat, writeFile } from 'node:fs/promises'
import { openDriver } from '#sqlite'
import { type Clock, utcDay } from '../lib/clock.ts'
import { migrations } from './migrations.generated.ts'
import type { Driver } from './sqlite/driver/driver.ts'
import { type Sqlite, schemaVersion } from './sqlite.ts'
import {
  asStoreError,
  type DatabaseFile,
  findStoreError,
  retryWhileLocked,
  StoreError,
  storeError,
} from './store-error.ts'

export type StoreCheck =
  | { readonly ok: true }
  | {
      readonly ok: false
      /** For the operator, with the names of files. */
      readonly problem: string
      /** For everybody, without them. */
      readonly summary: string
    }

export type StoreProbe = StoreCheck & { readonly tookMs: number }

const watchEveryMs = 1_000
const probeEveryMs = 1_000
/** A database that failed a call this recently is not ready, whatever the probe itself finds. */
const faultMs = 5_000
/** Processes of ours hold the lock for a few milliseconds; one that holds it longer delays every call. */
const lockPatienceMs = 250
/** Bytes that a busy second may store. */
const neededBytes = 256 * 1024
/** The database, the journal that holds what is not in it yet, and the index that all processes find that by. */
const fileEnds = ['', '-wal', '-shm'] as const
/** One query for each table that a call is counted in or looked up in. */
const queriesOfCalls = ['facts', 'usage_days', 'traffic_days', 'keys', 'payments'].map(
  (table) => `select 1 from ${table} limit 1`,
)

export function createStoreHealth(sqlite: Sqlite, clock: Clock) {
  const { file } = sqlite
  const isOnDisk = file.path !== ':memory:'
  const setUsed = sqlite.prepare(
    `insert into usage_days (day, bucket, used) values (?, 'probe', 1) on conflict do update set used = 1`,
  )
  /** SQLite makes the journal when it needs it, and keeps it as long as anybody has the database open. */
  const openFiles = new Map<string, Stats>()
  for (const end of isOnDisk ? fileEnds : []) {
    const first = statSync(file.path + end, { throwIfNoEntry: false })
    if (first !== undefined) openFiles.set(end, first)
  }
  let timer: ReturnType<typeof setInterval> | undefined

  async function isOpenOne(end: string): Promise<boolean> {
    const current = await stat(file.path + end).catch(() => undefined)
    const first = openFiles.get(end)
    if (first !== undefined) return current?.ino === first.ino && current.dev === first.dev
    if (current !== undefined) openFiles.set(end, current)
    return true
  }

  /** The error when a file of the database was deleted or replaced. Writes, which would be lost, are refused then. */
  async function findReplacement(): Promise<StoreError | undefined> {
    if (!isOnDisk) return undefined
    const areOpenOnes = await Promise.all(fileEnds.map(isOpenOne))
    const error = areOpenOnes.every((isSo) => isSo) ? undefined : storeError('replaced', file)
    // The readiness probe may notice it before the timer does: writes are refused as soon as either has.
    sqlite.refuse(error)
    return error
  }

  function checkVersion(): StoreCheck {
    try {
      return versionCheck(schemaVersion(sqlite), migrations.length)
    } catch (error) {
      return failedCheck(error)
    }
  }

  async function probe(): Promise<StoreCheck> {
    const replaced = await findReplacement()
    if (replaced !== undefined) return failedCheck(replaced)
    const version = checkVersion()
    if (!version.ok) return version
    try {
      if (isOnDisk) await retryWhileLocked(() => readFromDisk(file), lockPatienceMs)
      // Writes to the table that every call is counted in.
      await retryWhileLocked(
        () => void sqlite.transaction(() => setUsed.run(utcDay(clock.now()))),
        lockPatienceMs,
      )
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

  return {
    /** Writes as a call does, and checks that the file is the open one and the disk has room. Never blocks. */
    probe: sharedProbe(probe),
    checkVersion,
    watch(): void {
      if (isOnDisk) timer = setInterval(() => void findReplacement(), watchEveryMs).unref()
    },
    stop: () => clearInterval(timer),
  }
}

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

export function versionCheck(version: number, needed: number): StoreCheck {
  if (version === needed) return { ok: true }
  const problem = `the database is at migration ${version}, this version needs ${needed}`
  return { ok: false, problem, summary: problem }
}

export function failedCheck(error: unknown): StoreCheck {
  const fault = findStoreError(error)
  const problem = fault?.message ?? String(error)
  return { ok: false, problem, summary: fault?.summary ?? 'the database does not answer' }
}

/** Reads by a new connection, whose page cache is empty: it notices pages that were overwritten. It makes no file. */
function readFromDisk(file: DatabaseFile): void {
  let database: Driver | undefined
  try {
    database = openDriver(file.path, { readOnly: true })
    database.exec('pragma busy_timeout = 0')
    for (const query of queriesOfCalls) database.prepare(query).get()
  } catch (error) {
    throw asStoreError(error, file)
  } finally {
    database?.close()
  }
}

/** Writes a file and removes it: a small write into the database may find room in its journal while the disk is full. */
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
