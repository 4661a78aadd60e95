import type { Config } from '../config.ts'
import type { Clock } from '../lib/clock.ts'
import type { Store } from '../store/open.ts'
import type { PaymentsMonitor } from './payments-monitor.ts'

export interface ConcernDeps {
  readonly store: Store
  readonly clock: Clock
  readonly config: Pick<Config, 'DATA_DIR' | 'DATABASE_URL' | 'KEY_DAILY_QUOTA'>
  readonly paymentsMonitor: Pick<PaymentsMonitor, 'latest'>
  /** How many keys of a kind are read, in place of what a page shows. */
  readonly keysMax?: number
  /** Bytes that are free where a folder is. Tests replace it, because they cannot fill a disk. */
  readonly readFreeBytes?: (folder: string) => Promise<number | undefined>
}
