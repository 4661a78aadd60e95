import { type Stats, statSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import type { Sqlite } from './sqlite.ts'
import { type DatabaseFile, type StoreError, storeError } from './store-error.ts'

const everyMs = 1_000
/** The database, the journal that holds what is not in it yet, and the index that all processes find that by. */
const fileEnds = ['', '-wal', '-shm'] as const

/** Notices when a file of the database, its journal included, is not the open one any more. */
export function createFileWatch(sqlite: Pick<Sqlite, 'refuse'>, file: DatabaseFile) {
  const isOnDisk = file.path !== ':memory:'
  /** SQLite makes the journal when it needs it, and keeps it as long as anybody has the database open. */
  const seen = new Map<string, Stats>()
  for (const end of isOnDisk ? fileEnds : []) {
    const first = statSync(file.path + end, { throwIfNoEntry: false })
    if (first !== undefined) seen.set(end, first)
  }
  let timer: ReturnType<typeof setInterval> | undefined

  async function isOpenOne(end: string): Promise<boolean> {
    const current = await stat(file.path + end).catch(() => undefined)
    const first = seen.get(end)
    if (first !== undefined) return current?.ino === first.ino && current.dev === first.dev
    if (current !== undefined) seen.set(end, current)
    return true
  }

  /**
   * Returns the error to report when a file was deleted or replaced, and refuses writes from then on; undefined while all
   * are the open ones.
   */
  async function findReplacement(): Promise<StoreError | undefined> {
    if (!isOnDisk) return undefined
    const areOpenOnes = await Promise.all(fileEnds.map(isOpenOne))
    const error = areOpenOnes.every((isSo) => isSo) ? undefined : storeError('replaced', file)
    // The readiness probe may notice it before the timer does: writes are refused as soon as either has.
    sqlite.refuse(error)
    return error
  }

  return {
    findReplacement,
    /** Checks every second, and refuses every write while the file is another one: such a write would be lost. */
    start(): void {
      if (!isOnDisk) return
      timer = setInterval(() => void findReplacement(), everyMs)
      timer.unref()
    },
    stop: () => clearInterval(timer),
  }
}
