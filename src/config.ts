import type { Asset } from './assets/kit/asset.ts'
import { assets as allAssets } from './catalog.ts'
import { cidr } from './lib/client-addresses.ts'
import { formatMicros } from './lib/human-format.ts'
import segments from './lib/own-segments.json' with { type: 'json' }
import { passwordMistake } from './lib/password.ts'
import rows from './lib/settings.json' with { type: 'json' }
import type { Environment, FoundSettings, Setting, SettingValues } from './lib/settings.ts'
import * as read from './lib/settings.ts'

/** The values of each setting; its default and its description are in lib/settings.json. */
const parsers = {
  // The server
  PORT: read.integerFrom(0, 65535),
  HOST: read.asWritten,
  BASE_URL: publicUrl,
  ALLOWED_HOSTS: read.commaListOf(read.hostName),
  TRUSTED_PROXIES: read.commaListOf(cidr),
  DATA_DIR: read.asWritten,
  DATABASE_URL: read.matching(/^(sqlite:.+|postgres(ql)?:\/\/.+)$/, 'sqlite:<path> or postgres://…'),
  MASTER_KEY: read.matching(/^[0-9a-f]{64}$/i, '64 hex digits'),
  DRAIN_MS: read.integerFrom(0, 600_000),
  WORKERS: read.either(read.oneOf('auto'), read.integerFrom(1, 256)),
  CACHE_MB: read.integerFrom(0, 65536),
  LOG_LEVEL: read.oneOf('debug', 'info', 'warn', 'error', 'silent'),
  METRICS_TOKEN: read.asWritten,

  // Keys and quotas
  KEY_DAILY_QUOTA: read.anyCount,
  KEY_DAILY_DRAWINGS: read.anyCount,
  DEMO_DAILY_QUOTA: read.anyCount,
  KEYS_PER_IP_PER_DAY: read.anyCount,
  PLAYGROUND_PER_IP_PER_DAY: read.anyCount,
  PUBLIC_KEYS: read.flag,
  SIGNATURE_SKEW_SECONDS: read.integerFrom(1, 86_400),
  UPGRADE_PRICE: read.price,
  UPGRADE_DAYS: read.integerFrom(0, 36_500),
  UPGRADE_PAYMENT_LINK: read.webUrl,
  DONATION_LINKS: read.commaListOf(read.namedUrl),

  // The operator's area
  ADMIN_PASSWORD: newPassword,
  ADMIN_HOST: read.hostName,

  // Alerts
  ALERT_WEBHOOK_URL: read.webUrl,
  ALERT_WEBHOOK_SECRET: read.asWritten,

  // Payments
  X402_PAY_TO: read.ethereumAddress,
  X402_NETWORK: read.matching(/^eip155:[1-9]\d{0,15}$/, 'eip155:<chain id>'),
  X402_ASSET: read.ethereumAddress,
  X402_ASSET_NAME: read.asWritten,
  X402_ASSET_VERSION: read.asWritten,
  X402_ASSET_DECIMALS: read.integerFrom(6, 36),
  X402_RPC_URLS: read.commaListOf(read.webUrl),
  X402_RPC_TIMEOUT_MS: read.integerFrom(50, 20_000),
  X402_RPC_QUORUM: read.integerFrom(1, 10),
  X402_CONFIRMATIONS: read.integerFrom(1, 1000),
  X402_CONFIRMATIONS_HIGH: read.integerFrom(1, 1000),
  X402_HIGH_PRICE: read.price,
  X402_MAX_AGE_SECONDS: read.integerFrom(1, 31_536_000),
  X402_WAIT_MS: read.integerFrom(0, 20_000),
  X402_POLL_MS: read.integerFrom(10, 10_000),
  X402_REPLAY_WINDOW_SECONDS: read.integerFrom(0, 86_400),
  X402_MAX_TIMEOUT_SECONDS: read.integerFrom(1, 3600),
  X402_SETTLE: read.oneOf('auto', 'self', 'facilitator', 'off'),
  X402_SETTLER_KEY: read.privateKey,
  X402_SETTLE_WAIT: read.oneOf('confirmed', 'submitted'),
  X402_SETTLE_TIMEOUT_MS: read.integerFrom(100, 20_000),
  X402_SETTLE_GAS_MAX: read.integerFrom(60_000, 10_000_000),
  X402_MAX_FEE_GWEI: read.price,
  X402_FACILITATOR_URL: read.webUrl,
  X402_FACILITATOR_HEADERS: read.headerMap,
  X402_VERIFY_FACILITATOR: read.flag,
  X402_REQUIRE_PROOF: read.either(read.oneOf('never', 'always'), read.price),
  X402_MPP: read.flag,

  // The fetcher of live pages
  FETCH_ALLOW_CIDRS: read.commaListOf(cidr),
  FETCH_ALLOW_PORTS: read.commaListOf(read.integerFrom(1, 65535)),
  FETCH_DNS: read.commaListOf(read.endpoint),
  FETCH_CA_FILE: read.asWritten,
  FETCH_USER_AGENT: read.asWritten,
  FETCH_DENY_DOMAINS: read.commaListOf(read.hostName),
  FETCH_TARGET_PER_MINUTE: read.integerFrom(5, 1_000_000),
  FETCH_UNPAID_PER_MINUTE: read.anyCount,
} as const satisfies Readonly<Record<keyof typeof rows, Setting<unknown>['parse']>>

type ServiceSettings = {
  readonly [Name in keyof typeof rows]: (typeof rows)[Name] & { readonly parse: (typeof parsers)[Name] }
}

/** The reference page and docs/settings.md are made of this table. `<NAME>_FILE` may name a file with a setting. */
export function settingsOf(assets: readonly Asset[]): ServiceSettings & PriceSettings {
  const table = Object.entries(parsers).map(([name, parse]) => {
    const checked = name === 'FETCH_CA_FILE' && { checkFile: read.certificates }
    return [name, { parse, ...rows[name as keyof typeof rows], ...checked }]
  })
  return { ...(Object.fromEntries(table) as ServiceSettings), ...priceSettings(assets) }
}

export const settings = settingsOf(allAssets)

export type Config = SettingValues<typeof settings>

export function findConfig(
  env: Environment,
  readFile: (path: string) => string,
  assets: readonly Asset[] = allAssets,
): FoundSettings<typeof settings> {
  return read.findSettings(settingsOf(assets), ['X402_', 'FETCH_', 'PRICE_'], env, readFile)
}

/** Throws a `SettingsError` of each setting's own mistakes. A server uses `readStartConfig`, which checks them together too. */
export function readConfig(env: Environment, readFile: (path: string) => string): Config {
  return read.validSettings(findConfig(env, readFile))
}

/** A path that begins as one of ours could not be told from it once a proxy has removed it. */
function publicUrl(text: string): string {
  const url = read.baseUrl(text)
  const [, first = ''] = new URL(url).pathname.split('/')
  if (!ownSegments.has(first) && !version.test(first)) return url
  throw new Error(`must not have a path that begins with /${first}, because paths of Mintmark begin with it`)
}

/** First segments of our own paths and of compatibility URLs. Some of those begin with a version. */
const ownSegments = new Set(segments)
const version = /^\d{1,2}\./

function newPassword(text: string): string {
  const mistake = passwordMistake(text)
  if (mistake === undefined) return text
  throw new Error(mistake)
}

/** Without a wallet to pay into nothing that we publish speaks of paying. */
export function takesPayments({ X402_PAY_TO }: Pick<Config, 'X402_PAY_TO'>): boolean {
  return X402_PAY_TO !== undefined
}

export function withPrice(asset: Asset, config: Config): Asset {
  const { id, priceMicros } = asset
  return priceMicros === undefined ? asset : { ...asset, priceMicros: config[priceName(id)] ?? priceMicros }
}

type PriceSettings = Readonly<Record<`PRICE_${string}`, Setting<number> & { readonly default: string }>>

function priceSettings(assets: readonly Asset[]): PriceSettings {
  const rows = assets.flatMap(({ id, priceMicros: micros }) => {
    if (micros === undefined) return []
    const fallback = formatMicros(micros)
    return [[priceName(id), { parse: read.price, default: fallback, doc: `Price of a call of ${id}.` }]]
  })
  return Object.fromEntries(rows)
}

function priceName(assetId: string): `PRICE_${string}` {
  return `PRICE_${assetId.toUpperCase()}`
}
