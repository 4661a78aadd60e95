import { statSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import type { Sqlite } from './sqlite.ts'
import { type DatabaseFile, type StoreError, storeError } from './store-error.ts'

/** Notices when the file at the database's path is not the open one any more. */
export interface FileWatch {
  /** The error to report when the file was deleted or replaced. Undefined while it is the open one. */
  findReplacement(): Promise<StoreError | undefined>
  /** Checks every second, and refuses every write while the file is another one: such a write would be lost. */
  start(): void
  stop(): void
}

const everyMs = 1_000

export function createFileWatch(sqlite: Pick<Sqlite, 'refuse'>, file: DatabaseFile): FileWatch {
  const opened = file.path === ':memory:' ? undefined : statSync(file.path)
  let timer: ReturnType<typeof setInterval> | undefined

  async function findReplacement(): Promise<StoreError | undefined> {
    if (opened === undefined) return undefined
    const current = await stat(file.path).catch(() => undefined)
    const isSame = current?.ino === opened.ino && current.dev === opened.dev
    return isSame ? undefined : storeError('replaced', file)
  }

  return {
    findReplacement,
    start() {
      if (opened === undefined) return
      timer = setInterval(async () => sqlite.refuse(await findReplacement()), everyMs)
      timer.unref()
    },
    stop: () => clearInterval(timer),
  }
}
