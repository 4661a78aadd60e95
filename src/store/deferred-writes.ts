import type { Database, Executable, TransactionOptions } from './database.ts'
import { findStoreError, retryDelayMs } from './store-error.ts'

/** Writes that must happen but not now, such as refunds: kept in memory and tried until they are stored. */
export type DeferredWrites = ReturnType<typeof createDeferredWrites>

type DeferredOptions = Pick<TransactionOptions, 'durable' | 'locks'>

interface DeferredWrite extends DeferredOptions {
  work(): Executable<unknown>
  resolve(): void
}

const delayMsMax = 1_000
/** Each may need a lock of its own, of which a database has some thousands. */
const writesAtOnce = 200

export function createDeferredWrites(
  transaction: Database['transaction'],
  onError: (error: unknown) => void = () => {},
) {
  let waiting: DeferredWrite[] = []
  let failures = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  let isScheduled = false
  let flushing: Promise<number> | undefined

  async function writeWaiting(): Promise<number> {
    clearTimeout(timer)
    timer = undefined
    try {
      while (waiting.length > 0 && (await writeAll()));
      return waiting.length
    } finally {
      // Cleared as soon as the loop ends, because what is added after that is not written by this flush.
      flushing = undefined
    }
  }

  /** Returns false if the database cannot be written now. What is added meanwhile stays behind what is being written. */
  async function writeAll(): Promise<boolean> {
    const batch = waiting.slice(0, writesAtOnce)
    let current: DeferredWrite | undefined
    function* work() {
      for (current of batch) yield* current.work()
      current = undefined
    }
    try {
      await transaction(work, {
        durable: batch.some(({ durable }) => durable),
        locks: batch.flatMap(({ locks = [] }) => locks),
      })
    } catch (error) {
      const broken = findStoreError(error) === undefined ? current : undefined
      if (broken === undefined) return postpone()
      waiting = waiting.filter((each) => each !== broken)
      broken.resolve()
      onError(error)
      return true
    }
    failures = 0
    waiting = waiting.slice(batch.length)
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

  function flush(): Promise<number> {
    if (flushing === undefined && waiting.length === 0) return Promise.resolve(0)
    flushing ??= writeWaiting()
    return flushing
  }

  function flushScheduled(): void {
    // Cleared even if a flush is under way, which writes this too: otherwise nothing would schedule later writes.
    isScheduled = false
    void flush()
  }

  return {
    /**
     * Resolves when `work` is stored, or when its first try has failed: nobody waits for a database that is away.
     * Never rejects. Writes keep their order, several in one transaction. What still waits when the process dies is
     * lost.
     */
    add(work: () => Executable<unknown>, options: DeferredOptions = {}): Promise<void> {
      const stored = new Promise<void>((resolve) => waiting.push({ ...options, work, resolve }))
      if (!isScheduled) setImmediate(flushScheduled)
      isScheduled = true
      return stored
    },
    /** Tries to store them now, before decisions that depend on them. Returns how many still wait. */
    flush,
  }
}
