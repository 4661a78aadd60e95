import type { Stats } from './stats.ts'

/** Reads the public counters. */
export interface StatsSource {
  read(): Promise<Stats>
  /** Returns the Prometheus text format. */
  prometheus(): Promise<string>
}
