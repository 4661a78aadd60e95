import { availableParallelism } from 'node:os'
import type { Asset } from '../assets/asset.ts'
import { type Config, findConfig } from '../config.ts'
import { type CombinationCheck, checkCombination, combinationMistakes } from '../lib/setting-combinations.ts'
import { validSettings } from '../lib/settings.ts'
import { databasePath } from '../store/database-path.ts'
import type { Environment } from './runtime.ts'

/**
 * Reads and checks the configuration that a server starts with. Rejects with a `SettingsError` that lists every mistake
 * at once: those of single settings, and settings that contradict each other.
 */
export async function readStartConfig(
  env: Environment,
  readFile: (path: string) => string,
  assets?: readonly Asset[],
): Promise<Config> {
  const found = findConfig(env, readFile, assets)
  const { values } = found
  return validSettings(found, [...combinationMistakes(checks, values), ...(await mistakesOfPayments(values))])
}

export function workerCount({ WORKERS: workers }: Pick<Config, 'WORKERS'>): number {
  return workers === 'auto' ? availableParallelism() : workers
}

const checks: readonly CombinationCheck<Config>[] = [
  checkCombination(['DATABASE_URL', 'DATA_DIR'], databasePath),
  checkCombination(['WORKERS', 'PORT'], mustShareOnePort),
]

function mustShareOnePort(config: Pick<Config, 'WORKERS' | 'PORT'>): void {
  if (config.PORT === 0 && workerCount(config) > 1)
    throw new Error('PORT must be set when several WORKERS share it.')
}

/** Loads the library that checks wallet addresses only if a wallet is set. A wallet that could not be parsed has no entry. */
async function mistakesOfPayments(values: Partial<Config>): Promise<readonly string[]> {
  if ('X402_PAY_TO' in values && values.X402_PAY_TO === undefined) return []
  const { paymentMistakes } = await import('../payments/read-payment-settings.ts')
  return paymentMistakes(values)
}
