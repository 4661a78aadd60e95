import type { Asset } from '../assets/kit/asset.ts'
import { type Config, findConfig } from '../config.ts'
import { ruleOf, type SettingRule, validSettings } from '../lib/settings.ts'
import { databaseLocation } from '../store/database-location.ts'
import { parseConnectionUrl, sharedKeyNeeded } from '../store/postgres/connection-target.ts'
import { processorCount } from './processor-count.ts'
import type { Environment } from './runtime.ts'

/** Reads and checks the configuration of a server. Rejects with a `SettingsError` that lists every mistake at once. */
export async function readStartConfig(
  env: Environment,
  readFile: (path: string) => string,
  assets?: readonly Asset[],
): Promise<Config> {
  const found = findConfig(env, readFile, assets)
  // The library that checks wallet addresses is loaded only if a wallet is set. One that could not be parsed has no entry.
  const isUnpaid = 'X402_PAY_TO' in found.values && found.values.X402_PAY_TO === undefined
  const ofPayments = isUnpaid ? [] : (await import('../payments/payment-settings.ts')).paymentRules
  return validSettings(found, [onePort, databaseUrl(readFile), sharedKey, ...ofPayments])
}

export function workerCount({ WORKERS: workers }: Pick<Config, 'WORKERS'>): number {
  return workers === 'auto' ? processorCount() : workers
}

const onePort = ruleOf<Config, 'WORKERS' | 'PORT'>(['WORKERS', 'PORT'], (config) => {
  if (config.PORT === 0 && workerCount(config) > 1)
    throw new Error('PORT must be set when several WORKERS share it.')
})

function databaseUrl(readFile: (path: string) => string): SettingRule<Config> {
  return ruleOf(['DATABASE_URL', 'DATA_DIR'], (config) => {
    const location = databaseLocation(config)
    if (location.kind === 'postgres') parseConnectionUrl(location.url, readFile)
  })
}

const sharedKey = ruleOf<Config, 'DATABASE_URL' | 'DATA_DIR' | 'MASTER_KEY'>(
  ['DATABASE_URL', 'DATA_DIR', 'MASTER_KEY'],
  (config) => {
    const { kind } = databaseLocation(config)
    if (kind === 'postgres' && config.MASTER_KEY === undefined) throw new Error(`${sharedKeyNeeded}.`)
  },
)
