import type { Keys } from '../src/access/keys.ts'
import type { Secrets } from '../src/access/secrets.ts'
import type { PreviewService } from '../src/assets/preview/preview-service.ts'
import type { Config } from '../src/config.ts'
import type { CacheStats } from '../src/lib/byte-cache.ts'
import type { Clock } from '../src/lib/clock.ts'
import type { Payments } from '../src/payments/payments.ts'
import type { Store } from '../src/store/open.ts'
import type { PaymentsMonitor } from './data/payments-monitor.ts'
import type { RecentRequests } from './data/recent-requests.ts'
import type { OperatorPassword } from './session/operator-password.ts'

/** The parts of the service that the operator's area uses. */
export interface AdminDeps {
  readonly config: Config
  readonly store: Store
  readonly keys: Keys
  readonly secrets: Pick<Secrets, 'secretOf'>
  readonly password: OperatorPassword
  readonly clock: Clock
  readonly recent: RecentRequests
  /** Undefined while no wallet is configured. */
  readonly payments: Pick<Payments, 'explain' | 'reconcile' | 'recheck' | 'status'> | undefined
  readonly paymentsMonitor: PaymentsMonitor
  readonly previews: Pick<PreviewService, 'preview'>
  readonly health: () => ServiceHealth
  /** Writes a verified copy of the database and returns its path. */
  readonly backup: () => Promise<string>
}

/** The state of this process. */
export interface ServiceHealth {
  readonly startedAtMs: number
  readonly rssBytes: number
  readonly databasePath: string
  readonly databaseBytes: number
  readonly walBytes: number
  readonly cache: CacheStats
}
