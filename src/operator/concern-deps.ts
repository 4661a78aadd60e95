import type { Config } from '../config.ts'
import type { Clock } from '../lib/clock.ts'
import type { Store } from '../store/open.ts'
import type { PaymentsMonitor } from './payments-monitor.ts'

export interface ConcernDeps {
  readonly store: Store
  readonly clock: Clock
  readonly config: Pick<Config, 'DATA_DIR' | 'DATABASE_URL' | 'KEY_DAILY_QUOTA'>
  readonly paymentsMonitor: Pick<PaymentsMonitor, 'latest'>
  /** Read for alerts: more keys than a page shows, and keys of strangers a day later, all in one. */
  readonly isForAlerts?: boolean
  /** Bytes that are free where a folder is. Tests replace it, because they cannot fill a disk. */
  readonly readFreeBytes?: (folder: string) => Promise<number | undefined>
}
