import type { Builders } from './builders.ts'
import type { DialectTexts } from './dialect-texts.ts'
import type { Executable, Execute } from './operation.ts'

/** A database that the tables are read from and written to, whatever its dialect. */
export interface Database {
  readonly builders: Builders
  /** Called once for each statement. */
  prepare(sql: string): void
  /** Called with what makes and prepares each query, which otherwise happens at its first use. */
  readonly onQuery?: (prepareNow: () => void) => void
  /** Executes one statement by itself. */
  readonly execute: Execute
  /**
   * Runs the work as one: when this resolves, everybody sees what it wrote; when it rejects, nothing was written.
   * Rejects with a `StoreError` for faults of the database, and with whatever the work throws.
   */
  transaction<T>(work: () => Executable<T>, options?: TransactionOptions): Promise<T>
  readonly texts: DialectTexts
}

export interface TransactionOptions {
  /** Whether it survives a power cut. */
  readonly durable?: boolean
  /**
   * Names such as `payer 0x…`: transactions that share one run one after the other. In a database that runs all
   * transactions one after the other they mean nothing.
   */
  readonly locks?: readonly string[]
}

/** Later than every time in ms: where a list without a cursor begins. An integer, so that every database compares it so. */
export const lastMs = 9_000_000_000_000_000
