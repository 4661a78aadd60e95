import { retryDelayMs } from './retry-while-locked.ts'
import type { Sqlite } from './sqlite.ts'
import { findStoreError } from './store-error.ts'

/** Writes that must happen but not now, such as refunds: kept in memory and tried until they are stored. */
export interface DeferredWrites {
  /**
   * Resolves when `work` is stored, or when its first try has failed: nobody has to wait for a database that cannot be
   * written. Never rejects. Writes keep the order in which they were added, several of them in one transaction; those
   * that still wait when the process dies are lost.
   */
  add(work: () => void, options?: TransactionOptions): Promise<void>
  /**
   * Tries to store them now. Returns how many still wait. To be called before decisions that depend on them, and before
   * the store is closed.
   */
  flush(): number
}

type TransactionOptions = Parameters<Sqlite['transaction']>[1]

interface DeferredWrite extends NonNullable<TransactionOptions> {
  work(): void
  resolve(): void
}

const delayMsMax = 1_000

interface Deps extends Pick<Sqlite, 'transaction'> {
  /** Called with the error of a write that can never succeed and was given up. */
  readonly onError?: ((error: unknown) => void) | undefined
}

export function createDeferredWrites({ transaction, onError = () => {} }: Deps): DeferredWrites {
  let waiting: DeferredWrite[] = []
  let failures = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  let isScheduled = false

  function flush(): number {
    if (waiting.length === 0) return 0
    clearTimeout(timer)
    timer = undefined
    isScheduled = false
    while (waiting.length > 0 && writeAll());
    return waiting.length
  }

  /** Returns false if the database cannot be written now. */
  function writeAll(): boolean {
    const batch = waiting
    let current: DeferredWrite | undefined
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
      if (!isScheduled) setImmediate(flush)
      isScheduled = true
      return stored
    },
    flush,
  }
}
