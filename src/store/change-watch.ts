import type { Database } from './database.ts'
import { queriesOf } from './query.ts'
import { generations } from './schema.ts'

/** Tells whether what the database granted before can be granted again without asking it. */
export type ChangeWatch = ReturnType<typeof createChangeWatch>

const everyMs = 400

export function createChangeWatch(database: Database) {
  const readGenerations = createGenerationQuery(database)
  let epoch = 0
  let keyChanges = 0
  let grants: number | undefined
  let brands: number | undefined
  let readBrands = async () => {}
  let tell = () => {}
  let checkedAtMs = Number.NEGATIVE_INFINITY
  let checking: Promise<void> | undefined
  let timer: ReturnType<typeof setInterval> | undefined

  async function ask(): Promise<void> {
    // The answer is true of no later moment than that of the question.
    const askedAtMs = performance.now()
    try {
      const found = await readGenerations()
      if (found.grants !== grants) epoch += 1
      grants = found.grants
      if (found.brands !== brands) await readBrands()
      brands = found.brands
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
    /** Cached grants are valid for one epoch only. */
    epoch: () => epoch,
    /** Time in ms since the database answered last. */
    ageMs: () => performance.now() - checkedAtMs,
    note,
    check,
    /** Sets what reads the brands again after each change of one; after a rejection the next check calls it again. */
    followBrands(read: () => Promise<void>): void {
      readBrands = read
      brands = undefined
    },
    tell: () => tell(),
    onTell(work: () => void): void {
      tell = work
    },
    async heard(): Promise<void> {
      note()
      // A question that is under way may have been asked before the change.
      await checking
      await check()
    },
    noteKeyChange(): void {
      keyChanges += 1
      note()
      tell()
    },
    watched:
      (transaction: Database['transaction']): Database['transaction'] =>
      async (work, options) => {
        const before = keyChanges
        try {
          return await transaction(work, options)
        } finally {
          if (keyChanges !== before) {
            note()
            tell()
          }
        }
      },
    start(): void {
      void check()
      timer ??= setInterval(() => void check(), everyMs).unref()
    },
    stop(): void {
      clearInterval(timer)
      timer = undefined
    },
  }
}

/** Numbers that grow with each change, whoever makes it: of brands, and of keys and embed URLs, which grants rest on. */
export function createGenerationQuery(database: Database) {
  const { name, generation } = generations
  const all = queriesOf(database).all([], (_, { select }) => select({ name, generation }).from(generations))
  return () =>
    all().as((rows) => {
      const sums = { grants: 0, brands: 0 }
      for (const { name, generation } of rows) sums[name === 'brands' ? 'brands' : 'grants'] += generation
      return sums
    })
}
