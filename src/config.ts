import type { Asset } from './assets/asset.ts'
import { assets as allAssets } from './catalog.ts'
import { cidr } from './lib/address-ranges.ts'
import { ethereumAddress, privateKey } from './lib/ethereum.ts'
import { formatMicros } from './lib/money.ts'
import { passwordMistake } from './lib/password.ts'
import {
  certificates,
  count,
  either,
  endpoint,
  flag,
  headerMap,
  hostName,
  integer,
  listOf,
  matching,
  namedUrl,
  oneOf,
  origin,
  price,
  string,
  webUrl,
} from './lib/setting-parsers.ts'
import {
  type FoundSettings,
  findSettings,
  readSettings,
  type Setting,
  type SettingValues,
} from './lib/settings.ts'

/** The settings that do not follow from the catalog, by the name of their environment variable. */
const serviceSettings = {
  // The server
  PORT: { parse: integer(0, 65535), default: '3000', doc: 'The port to listen on; 0 takes a free one.' },
  HOST: { parse: string, default: '0.0.0.0', doc: 'The address to listen on.' },
  BASE_URL: {
    parse: origin,
    doc: 'The public origin. Unset, it is taken from each request and any host is served; set, only its host, loopback and ALLOWED_HOSTS are.',
  },
  ALLOWED_HOSTS: {
    parse: listOf(hostName),
    default: '',
    doc: 'Further hosts to serve when BASE_URL is set.',
  },
  TRUSTED_PROXIES: {
    parse: listOf(cidr),
    default: '',
    doc: 'Address ranges of proxies whose X-Forwarded-For and X-Forwarded-Proto count.',
  },
  DATA_DIR: {
    parse: string,
    default: './data',
    doc: 'The directory of the database and the master key; a relative one lies in the folder that the service is started from.',
  },
  DATABASE_URL: {
    parse: matching(/^(sqlite:.+|postgres(ql)?:\/\/.+)$/, 'sqlite:<path> or postgres://…'),
    doc: 'Another database than <DATA_DIR>/mintmark.sqlite.',
    secret: true,
  },
  MASTER_KEY: {
    parse: matching(/^[0-9a-f]{64}$/i, '64 hex digits'),
    doc: 'The key that all secrets are derived from; without it one is made in DATA_DIR.',
    secret: true,
  },
  DRAIN_MS: {
    parse: integer(0, 600_000),
    default: '1000',
    doc: 'How long /readyz says no before connections are refused, when the process is asked to stop.',
  },
  WORKERS: {
    parse: either(oneOf('auto'), integer(1, 256)),
    default: '1',
    doc: 'How many processes serve: 1 to 256, or auto for one per core.',
  },
  CACHE_MB: {
    parse: integer(0, 65536),
    default: '64',
    doc: 'Memory for what is kept to be used again, in MiB: finished answers, and up to 44 MiB of it fonts, words and backgrounds. 0 keeps no answers.',
  },
  LOG_LEVEL: {
    parse: oneOf('debug', 'info', 'warn', 'error', 'silent'),
    default: 'info',
    doc: 'The least important lines to log; info has one line for each request.',
  },
  METRICS_TOKEN: {
    parse: string,
    doc: 'The bearer token that opens /metrics beyond loopback.',
    secret: true,
  },

  // Keys and quotas
  KEY_DAILY_QUOTA: { parse: count, default: '100', doc: 'Calls a UTC day for a signed key.' },
  DEMO_DAILY_QUOTA: {
    parse: count,
    default: '3000',
    doc: 'Calls a UTC day with demo=1, for everyone together.',
  },
  KEYS_PER_IP_PER_DAY: {
    parse: count,
    default: '5',
    doc: 'Keys that one client address may be issued a UTC day.',
  },
  PLAYGROUND_PER_IP_PER_DAY: {
    parse: count,
    default: '2000',
    doc: 'Previews on the home page that one client address may have drawn a UTC day; a look at a site counts as 20.',
  },
  PUBLIC_KEYS: { parse: flag, default: 'on', doc: 'Whether anyone may be issued a key.' },
  SIGNATURE_SKEW_SECONDS: {
    parse: integer(1, 86_400),
    default: '300',
    doc: 'How far a signature’s t may be from the clock.',
  },
  UPGRADE_PRICE: { parse: price, default: '10.00', doc: 'What it costs to lift a key’s quota.' },
  UPGRADE_DAYS: { parse: integer(0, 36_500), default: '0', doc: 'How long an upgrade lasts; 0 for good.' },
  UPGRADE_PAYMENT_LINK: { parse: webUrl, doc: 'A payment page that upgrades a key by hand.' },
  DONATION_LINKS: { parse: listOf(namedUrl), default: '', doc: 'name=url, comma separated.' },

  // The operator's area
  ADMIN_PASSWORD: {
    parse: newPassword,
    doc: 'The password of /admin, of 10 to 1000 characters; unset, a set-up link is printed.',
    secret: true,
  },
  ADMIN_HOST: { parse: hostName, doc: 'The only host that serves /admin.' },

  // Payments
  X402_PAY_TO: { parse: ethereumAddress, doc: 'The wallet that is paid. Unset, payments are off.' },
  X402_NETWORK: {
    parse: matching(/^eip155:[1-9]\d{0,15}$/, 'eip155:<chain id>'),
    default: 'eip155:8453',
    doc: 'The chain, as CAIP-2.',
  },
  X402_ASSET: { parse: ethereumAddress, doc: 'The token; USDC of the network where that is known.' },
  X402_ASSET_NAME: { parse: string, doc: 'The token’s EIP-712 name.' },
  X402_ASSET_VERSION: { parse: string, doc: 'The token’s EIP-712 version.' },
  X402_ASSET_DECIMALS: {
    parse: integer(6, 36),
    default: '6',
    doc: 'The token’s decimals; prices have six.',
  },
  X402_RPC_URLS: {
    parse: listOf(webUrl),
    default: '',
    doc: 'JSON-RPC endpoints, tried in order.',
    secret: true,
  },
  X402_RPC_TIMEOUT_MS: {
    parse: integer(50, 20_000),
    default: '3000',
    doc: 'How long one RPC call may take.',
  },
  X402_RPC_QUORUM: { parse: integer(1, 10), default: '1', doc: 'How many endpoints must agree.' },
  X402_CONFIRMATIONS: { parse: integer(1, 1000), default: '1', doc: 'Blocks that a payment needs.' },
  X402_CONFIRMATIONS_HIGH: {
    parse: integer(1, 1000),
    default: '3',
    doc: 'Blocks that a high payment needs.',
  },
  X402_HIGH_PRICE: { parse: price, default: '0.50', doc: 'From which price on a payment is high.' },
  X402_MAX_AGE_SECONDS: {
    parse: integer(1, 31_536_000),
    default: '86400',
    doc: 'How old a transfer may be.',
  },
  X402_WAIT_MS: {
    parse: integer(0, 20_000),
    default: '8000',
    doc: 'How long to wait for a transfer to be mined.',
  },
  X402_POLL_MS: { parse: integer(10, 10_000), default: '500', doc: 'How often to look while waiting.' },
  X402_REPLAY_WINDOW_SECONDS: {
    parse: integer(0, 86_400),
    default: '600',
    doc: 'How long a paid answer is given again, free.',
  },
  X402_MAX_TIMEOUT_SECONDS: {
    parse: integer(1, 3600),
    default: '60',
    doc: 'How long an authorization must be good.',
  },
  X402_SETTLE: {
    parse: oneOf('auto', 'self', 'facilitator', 'off'),
    default: 'auto',
    doc: 'Who settles exact payments; auto picks what is configured.',
  },
  X402_SETTLER_KEY: {
    parse: privateKey,
    doc: 'The key that pays gas when we settle. It should hold nothing else.',
    secret: true,
  },
  X402_SETTLE_WAIT: {
    parse: oneOf('confirmed', 'submitted'),
    default: 'confirmed',
    doc: 'What a settlement must reach before the answer goes out.',
  },
  X402_SETTLE_TIMEOUT_MS: {
    parse: integer(100, 20_000),
    default: '15000',
    doc: 'How long a settlement may take.',
  },
  X402_SETTLE_GAS_MAX: {
    parse: integer(60_000, 10_000_000),
    default: '300000',
    doc: 'The most gas that one settlement may use; a plain one uses about 80000.',
  },
  X402_MAX_FEE_GWEI: {
    parse: price,
    default: '5',
    doc: 'The most that a settlement pays for one gas, in gwei. Above it signatures are answered 503.',
  },
  X402_FACILITATOR_URL: { parse: webUrl, doc: 'A facilitator with the standard /verify and /settle.' },
  X402_FACILITATOR_HEADERS: {
    parse: headerMap,
    doc: 'Headers for the facilitator, as a JSON object.',
    secret: true,
  },
  X402_VERIFY_FACILITATOR: { parse: flag, default: 'on', doc: 'Whether its word is checked on chain.' },
  X402_REQUIRE_PROOF: {
    parse: either(oneOf('never', 'always'), price),
    default: '5.00',
    doc: 'never, always, or the price from which a transfer needs its payer’s proof or calldata that names the request.',
  },
  X402_MPP: { parse: flag, default: 'on', doc: 'Whether MPP clients are served.' },

  // The fetcher of live pages
  FETCH_ALLOW_CIDRS: { parse: listOf(cidr), default: '', doc: 'Private ranges that may be fetched from.' },
  FETCH_ALLOW_PORTS: {
    parse: listOf(integer(1, 65535)),
    default: '80,443,8080,8443',
    doc: 'Ports that may be fetched from.',
  },
  FETCH_DNS: {
    parse: listOf(endpoint),
    default: '',
    doc: 'Name servers as host:port; the system’s when unset.',
  },
  FETCH_CA_FILE: {
    parse: string,
    doc: 'The path of a further root certificate, PEM.',
    checkFile: certificates,
  },
  FETCH_USER_AGENT: { parse: string, doc: 'The User-Agent that sites see.' },

  FETCH_DENY_DOMAINS: {
    parse: listOf(hostName),
    default: '',
    doc: 'Domains that are never fetched from, with all below them.',
  },
  FETCH_UNPAID_PER_MINUTE: {
    parse: count,
    default: '300',
    doc: 'Pages and sites that one client address may have fetched a minute without paying.',
  },
} as const satisfies Record<string, Setting<unknown>>

/** Every setting: those of the service, and one price for each priced asset. */
export function settingsOf(assets: readonly Asset[]): typeof serviceSettings & PriceSettings {
  return { ...serviceSettings, ...priceSettings(assets) }
}

/**
 * Every setting, by the name of its environment variable. Each can also come from a file that `<NAME>_FILE` names.
 * The reference page and OPERATIONS.md are made of this table.
 */
export const settings = settingsOf(allAssets)

export type Config = SettingValues<typeof settings>

const prefixes = ['X402_', 'FETCH_', 'PRICE_']

/** Returns what the environment sets, and the mistakes of each setting by itself. */
export function findConfig(
  env: Readonly<Record<string, string | undefined>>,
  readFile: (path: string) => string,
  assets: readonly Asset[] = allAssets,
): FoundSettings<typeof settings> {
  return findSettings(settingsOf(assets), prefixes, env, readFile)
}

/**
 * Reads the whole configuration, or throws a `SettingsError` that lists the mistakes of each setting by itself. A server
 * reads it with `readStartConfig`, which checks settings together as well.
 */
export function readConfig(
  env: Readonly<Record<string, string | undefined>>,
  readFile: (path: string) => string,
): Config {
  return readSettings(settings, prefixes, env, readFile)
}

function newPassword(text: string): string {
  const mistake = passwordMistake(text)
  if (mistake === undefined) return text
  throw new Error(mistake)
}

/** The row with the price that the operator set. */
export function withPrice(asset: Asset, config: Config): Asset {
  const { id, priceMicros } = asset
  return priceMicros === undefined ? asset : { ...asset, priceMicros: config[priceName(id)] ?? priceMicros }
}

type PriceSettings = Readonly<Record<`PRICE_${string}`, Setting<number> & { readonly default: string }>>

function priceSettings(assets: readonly Asset[]): PriceSettings {
  const rows = assets.flatMap(({ id, priceMicros: micros }) => {
    if (micros === undefined) return []
    const fallback = formatMicros(micros)
    return [[priceName(id), { parse: price, default: fallback, doc: `What one call of ${id} costs.` }]]
  })
  return Object.fromEntries(rows)
}

function priceName(assetId: string): `PRICE_${string}` {
  return `PRICE_${assetId.toUpperCase()}`
}
