import { execFile } from 'node:child_process'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { promisify } from 'node:util'
import { Problem } from '../src/errors.ts'
import type { CacheStats } from '../src/lib/byte-cache.ts'
import { programArguments } from '../src/lib/worker-environment.ts'
import { createPaymentsMonitor } from './data/payments-monitor.ts'
import { createRecentRequests } from './data/recent-requests.ts'
import type { AdminDeps } from './deps.ts'
import { createOperatorPassword } from './session/operator-password.ts'

interface ServiceParts
  extends Pick<AdminDeps, 'config' | 'store' | 'keys' | 'secrets' | 'clock' | 'payments' | 'previews'> {
  readonly databasePath: string
  readonly cacheStats: () => CacheStats
}

/** Builds the dependencies of the operator's area from the parts of the service. */
export function createAdminDeps({ databasePath, cacheStats, ...parts }: ServiceParts): AdminDeps {
  const startedAtMs = parts.clock.now()
  return {
    ...parts,
    password: createOperatorPassword(parts.store.keyValues, parts.config.ADMIN_PASSWORD),
    recent: createRecentRequests(),
    health: () => ({
      startedAtMs,
      rssBytes: process.memoryUsage.rss(),
      databasePath,
      databaseBytes: sizeOf(databasePath),
      walBytes: sizeOf(`${databasePath}-wal`),
      cache: cacheStats(),
    }),
    paymentsMonitor: createPaymentsMonitor(parts.payments, parts.clock),
    backup: () => backUpInChildProcess(databasePath, join(parts.config.DATA_DIR, 'backups')),
  }
}

/** Runs in a process of its own: copying a large database takes long and would block every request. */
async function backUpInChildProcess(databasePath: string, directory: string): Promise<string> {
  const args = [...programArguments(), 'backup', directory]
  try {
    const { stdout } = await promisify(execFile)(process.execPath, args, {
      env: { DATABASE_URL: `sqlite:${databasePath}` },
    })
    return stdout.trim()
  } catch (error) {
    throw new Problem('busy', 'The backup could not be written.', {
      headers: { 'retry-after': '30' },
      cause: new Error(`The backup failed: ${(error as { stderr?: string }).stderr?.trim() || error}`),
    })
  }
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0
}
