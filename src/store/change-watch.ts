import type { Database } from './database.ts'
import type { Generations, GenerationTable } from './generations.ts'

/**
 * Tells whether what the database granted before can be granted again without asking it. What this process changes is
 * noticed at once, and what others change at the next check.
 */
export interface ChangeWatch {
  /** Cached grants are valid for one epoch only. */
  epoch(): number
  /** How long ago the database was asked last for changes by others, and answered, in ms. */
  ageMs(): number
  /** To be called when this process has made a change, as soon as others can see it. */
  note(): void
  /** Asks the database for changes by others now. Never rejects. */
  check(): Promise<void>
  /**
   * Sets what reads the brands again after each change of one. A check counts as answered when it has resolved; after a
   * rejection the next check calls it again.
   */
  followBrands(read: () => Promise<void>): void
}

/** The watch, as the store that it belongs to sees it. */
export interface StoreWatch extends ChangeWatch {
  /** To be called when a key is changed, which may be within a transaction. */
  noteKeyChange(): void
  /** Wraps `transaction` so that a key changed within it is noted once more when it has ended. */
  watched(transaction: Database['transaction']): Database['transaction']
  /** From now on the database is asked several times a second. */
  start(): void
  stop(): void
}

const everyMs = 400

export function createChangeWatch({ current }: Pick<GenerationTable, 'current'>): StoreWatch {
  let epoch = 0
  let keyChanges = 0
  let generations: { readonly [Name in keyof Generations]?: number | undefined } = {}
  let readBrands = async () => {}
  let checkedAtMs = Number.NEGATIVE_INFINITY
  let checking: Promise<void> | undefined
  let timer: ReturnType<typeof setInterval> | undefined

  async function ask(): Promise<void> {
    // The answer is true of no later moment than that of the question.
    const askedAtMs = performance.now()
    try {
      const { grants, brands } = await current()
      if (grants !== generations.grants) epoch += 1
      generations = { ...generations, grants }
      if (brands !== generations.brands) await readBrands()
      generations = { grants, brands }
      checkedAtMs = askedAtMs
    } catch {
      // The database is away or busy: the last answer grows old.
    }
  }

  function check(): Promise<void> {
    checking ??= ask().finally(() => {
      checking = undefined
    })
    return checking
  }

  function note(): void {
    epoch += 1
  }

  return {
    epoch: () => epoch,
    ageMs: () => performance.now() - checkedAtMs,
    note,
    noteKeyChange() {
      keyChanges += 1
      note()
    },
    watched: (transaction) => async (work, options) => {
      const before = keyChanges
      try {
        return await transaction(work, options)
      } finally {
        if (keyChanges !== before) note()
      }
    },
    check,
    followBrands(read) {
      readBrands = read
      generations = { ...generations, brands: undefined }
    },
    start() {
      void check()
      timer ??= setInterval(() => void check(), everyMs)
      timer.unref()
    },
    stop() {
      clearInterval(timer)
      timer = undefined
    },
  }
}
