import { retryDelayMs } from './retry-while-locked.ts'
import type { Sqlite } from './sqlite.ts'
import { findStoreError } from './store-error.ts'

/** Writes that must happen and need not happen now, such as refunds: kept in memory and tried until they are stored. */
export interface DeferredWrites {
  /**
   * Resolves when `work` is stored, or as soon as it is known that this takes longer: nobody has to wait for a
   * database that cannot be written. Never rejects. Writes are done in the order in which they were added, several of
   * them in one transaction; what waits when the process dies is lost.
   */
  add(work: () => void, options?: DeferredOptions): Promise<void>
  /**
   * Tries once more, now. Returns how many writes still wait. To be called before decisions that depend on them, and
   * before the store is closed.
   */
  flush(): number
}

interface DeferredOptions {
  /** See `Sqlite.transaction`. */
  readonly durable?: boolean
}

interface Deferred extends DeferredOptions {
  work(): void
  resolve(): void
}

interface Deps {
  readonly transaction: Sqlite['transaction']
  /** Is told of a write that is wrong in itself, and was given up. */
  readonly onError?: (error: unknown) => void
}

const delayMsMax = 1_000

export function createDeferredWrites({ transaction, onError = () => {} }: Deps): DeferredWrites {
  let waiting: Deferred[] = []
  let failures = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  let isSoon = false

  function flush(): number {
    if (waiting.length === 0) return 0
    clearTimeout(timer)
    timer = undefined
    isSoon = false
    while (waiting.length > 0 && writeAll());
    return waiting.length
  }

  /** False when the database cannot be written now. */
  function writeAll(): boolean {
    const batch = waiting
    let current: Deferred | undefined
    try {
      transaction(
        () => {
          for (current of batch) current.work()
          current = undefined
        },
        { durable: batch.some(({ durable }) => durable) },
      )
      waiting = []
      failures = 0
    } catch (error) {
      const broken = findStoreError(error) === undefined ? current : undefined
      if (broken === undefined) return postpone()
      waiting = batch.filter((each) => each !== broken)
      broken.resolve()
      onError(error)
      return true
    }
    for (const { resolve } of batch) resolve()
    return true
  }

  function postpone(): false {
    for (const { resolve } of waiting) resolve()
    timer = setTimeout(flush, retryDelayMs(failures, delayMsMax))
    timer.unref()
    failures += 1
    return false
  }

  return {
    add(work, options = {}) {
      const stored = new Promise<void>((resolve) => waiting.push({ ...options, work, resolve }))
      if (!isSoon) setImmediate(flush)
      isSoon = true
      return stored
    },
    flush,
  }
}
