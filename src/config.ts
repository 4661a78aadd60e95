import type { Asset } from './assets/kit/asset.ts'
import { assets as allAssets } from './catalog.ts'
import { cidr } from './lib/client-addresses.ts'
import { formatMicros } from './lib/human-format.ts'
import { passwordMistake } from './lib/password.ts'
import {
  anyCount,
  asWritten,
  baseUrl,
  certificates,
  commaListOf,
  either,
  endpoint,
  ethereumAddress,
  type FoundSettings,
  findSettings,
  flag,
  headerMap,
  hostName,
  integerFrom,
  matching,
  namedUrl,
  oneOf,
  price,
  privateKey,
  type Setting,
  type SettingValues,
  validSettings,
  webUrl,
} from './lib/settings.ts'

const serviceSettings = {
  // The server
  PORT: withDefault(integerFrom(0, 65535), '3000', 'The port to listen on; 0 takes a free one.'),
  HOST: withDefault(asWritten, '0.0.0.0', 'The address to listen on.'),
  BASE_URL: optional(
    publicUrl,
    'The public URL, which may have a path: https://example.com/mint. Only its host, loopback and ALLOWED_HOSTS are served; unset, any host is.',
  ),
  ALLOWED_HOSTS: withDefault(commaListOf(hostName), '', 'Further hosts to serve when BASE_URL is set.'),
  TRUSTED_PROXIES: withDefault(
    commaListOf(cidr),
    '',
    'Address ranges of proxies whose X-Forwarded-For and X-Forwarded-Proto count.',
  ),
  DATA_DIR: withDefault(
    asWritten,
    './data',
    'The directory of the database and the master key, relative to the folder of the start.',
  ),
  DATABASE_URL: optional(
    matching(/^(sqlite:.+|postgres(ql)?:\/\/.+)$/, 'sqlite:<path> or postgres://…'),
    'The database in place of <DATA_DIR>/mintmark.sqlite: sqlite:<path>, or postgres://user:secret@host/name (15 or later), which several servers may share.',
    { secret: true },
  ),
  MASTER_KEY: optional(
    matching(/^[0-9a-f]{64}$/i, '64 hex digits'),
    'The key from which all secrets are derived; unset, one is made in DATA_DIR. Servers that share PostgreSQL must share it.',
    { secret: true },
  ),
  DRAIN_MS: withDefault(
    integerFrom(0, 600_000),
    '1000',
    'Time for which /readyz says no before a stopping process refuses connections.',
  ),
  WORKERS: withDefault(
    either(oneOf('auto'), integerFrom(1, 256)),
    '1',
    'Number of processes: 1 to 256, or auto for one per core.',
  ),
  CACHE_MB: withDefault(
    integerFrom(0, 65536),
    '64',
    'Memory of all caches, in MiB: up to 63 for fonts, words, backgrounds and parsed URLs; the rest, at least a tenth, for finished answers. 0 caches no answers.',
  ),
  LOG_LEVEL: withDefault(
    oneOf('debug', 'info', 'warn', 'error', 'silent'),
    'info',
    'The lowest level to log; info has one line for each request.',
  ),
  METRICS_TOKEN: optional(asWritten, 'The bearer token that opens /metrics beyond loopback.', {
    secret: true,
  }),

  // Keys and quotas
  KEY_DAILY_QUOTA: withDefault(anyCount, '100', 'Calls per UTC day for a signed key.'),
  KEY_DAILY_DRAWINGS: optional(
    anyCount,
    'Drawings per UTC day of each key’s signed addresses, beside pictures in memory; unset, 20 times the key’s quota. Drawings beyond it wait behind all others.',
  ),
  DEMO_DAILY_QUOTA: withDefault(anyCount, '3000', 'Calls per UTC day with demo=1, for everyone together.'),
  KEYS_PER_IP_PER_DAY: withDefault(anyCount, '5', 'Keys issued per client address and UTC day.'),
  PLAYGROUND_PER_IP_PER_DAY: withDefault(
    anyCount,
    '2000',
    'Previews on the home page per client address and UTC day; a look at a site counts as 20.',
  ),
  PUBLIC_KEYS: withDefault(flag, 'on', 'Whether anyone may be issued a key.'),
  SIGNATURE_SKEW_SECONDS: withDefault(
    integerFrom(1, 86_400),
    '300',
    'Allowed distance of a signature’s t from the clock.',
  ),
  UPGRADE_PRICE: withDefault(price, '10.00', 'Price of lifting a key’s quota.'),
  UPGRADE_DAYS: withDefault(integerFrom(0, 36_500), '0', 'Days that an upgrade lasts; 0 for no end.'),
  UPGRADE_PAYMENT_LINK: optional(webUrl, 'A payment page that upgrades a key by hand.'),
  DONATION_LINKS: withDefault(commaListOf(namedUrl), '', 'name=url, comma separated.'),

  // The operator's area
  ADMIN_PASSWORD: optional(
    newPassword,
    'The password of /admin, of 10 to 1000 characters; unset, a set-up link is printed.',
    { secret: true },
  ),
  ADMIN_HOST: optional(hostName, 'The only host that serves /admin.'),

  // Alerts
  ALERT_WEBHOOK_URL: optional(
    webUrl,
    'Receives alerts by POST as JSON: quotas of keys at 80 and 100 %, settlements in doubt, disk, gas, database. Private addresses need FETCH_ALLOW_CIDRS.',
    { secret: true },
  ),
  ALERT_WEBHOOK_SECRET: optional(
    asWritten,
    'Signs alerts, as X-Mintmark-Signature; unset, they are not signed.',
    { secret: true },
  ),

  // Payments
  X402_PAY_TO: optional(ethereumAddress, 'The wallet to be paid. Unset, payments are off.'),
  X402_NETWORK: withDefault(
    matching(/^eip155:[1-9]\d{0,15}$/, 'eip155:<chain id>'),
    'eip155:8453',
    'The chain, as CAIP-2.',
  ),
  X402_ASSET: optional(ethereumAddress, 'The token; by default USDC, if known on the network.'),
  X402_ASSET_NAME: optional(asWritten, 'The token’s EIP-712 name.'),
  X402_ASSET_VERSION: optional(asWritten, 'The token’s EIP-712 version.'),
  X402_ASSET_DECIMALS: withDefault(integerFrom(6, 36), '6', 'The token’s decimals; prices have six.'),
  X402_RPC_URLS: withDefault(commaListOf(webUrl), '', 'JSON-RPC endpoints, tried in order.', {
    secret: true,
  }),
  X402_RPC_TIMEOUT_MS: withDefault(integerFrom(50, 20_000), '3000', 'Time limit of an RPC call.'),
  X402_RPC_QUORUM: withDefault(integerFrom(1, 10), '1', 'How many endpoints must agree.'),
  X402_CONFIRMATIONS: withDefault(integerFrom(1, 1000), '1', 'Blocks that a payment needs.'),
  X402_CONFIRMATIONS_HIGH: withDefault(integerFrom(1, 1000), '3', 'Blocks that a high payment needs.'),
  X402_HIGH_PRICE: withDefault(price, '0.50', 'The price from which a payment is high.'),
  X402_MAX_AGE_SECONDS: withDefault(integerFrom(1, 31_536_000), '86400', 'How old a transfer may be.'),
  X402_WAIT_MS: withDefault(integerFrom(0, 20_000), '8000', 'Time to wait for a transfer to be mined.'),
  X402_POLL_MS: withDefault(integerFrom(10, 10_000), '500', 'Poll interval while waiting.'),
  X402_REPLAY_WINDOW_SECONDS: withDefault(
    integerFrom(0, 86_400),
    '600',
    'Time for which a paid answer is repeated free.',
  ),
  X402_MAX_TIMEOUT_SECONDS: withDefault(
    integerFrom(1, 3600),
    '60',
    'Time for which an authorization must be valid.',
  ),
  X402_SETTLE: withDefault(
    oneOf('auto', 'self', 'facilitator', 'off'),
    'auto',
    'Who settles exact payments; auto picks what is configured.',
  ),
  X402_SETTLER_KEY: optional(
    privateKey,
    'The key that pays gas when we settle. It should hold nothing else.',
    { secret: true },
  ),
  X402_SETTLE_WAIT: withDefault(
    oneOf('confirmed', 'submitted'),
    'confirmed',
    'State of a settlement before the answer goes out.',
  ),
  X402_SETTLE_TIMEOUT_MS: withDefault(integerFrom(100, 20_000), '15000', 'Time limit of a settlement.'),
  X402_SETTLE_GAS_MAX: withDefault(
    integerFrom(60_000, 10_000_000),
    '300000',
    'Gas limit of a settlement; a plain one uses about 80000.',
  ),
  X402_MAX_FEE_GWEI: withDefault(
    price,
    '5',
    'Highest gas price of a settlement, in gwei. Above it signatures are answered 503.',
  ),
  X402_FACILITATOR_URL: optional(webUrl, 'A facilitator with the standard /verify and /settle.'),
  X402_FACILITATOR_HEADERS: optional(headerMap, 'Headers for the facilitator, as a JSON object.', {
    secret: true,
  }),
  X402_VERIFY_FACILITATOR: withDefault(flag, 'on', 'Whether the facilitator’s answer is checked on chain.'),
  X402_REQUIRE_PROOF: withDefault(
    either(oneOf('never', 'always'), price),
    '5.00',
    'never, always, or the price from which a transfer needs its payer’s proof or calldata that names the request.',
  ),
  X402_MPP: withDefault(flag, 'on', 'Whether MPP clients are served.'),

  // The fetcher of live pages
  FETCH_ALLOW_CIDRS: withDefault(
    commaListOf(cidr),
    '',
    'Private address ranges to allow for fetching, and with them names of private hosts: 127.0.0.0/8 allows localhost.',
  ),
  FETCH_ALLOW_PORTS: withDefault(
    commaListOf(integerFrom(1, 65535)),
    '80,443,8080,8443',
    'Ports to allow for fetching.',
  ),
  FETCH_DNS: withDefault(commaListOf(endpoint), '', 'Name servers as host:port; unset, the system’s.'),
  FETCH_CA_FILE: optional(asWritten, 'The path of a further root certificate, PEM.', {
    checkFile: certificates,
  }),
  FETCH_USER_AGENT: optional(asWritten, 'The User-Agent that sites see.'),
  FETCH_DENY_DOMAINS: withDefault(
    commaListOf(hostName),
    '',
    'Domains never to fetch from, subdomains included.',
  ),
  FETCH_TARGET_PER_MINUTE: withDefault(
    integerFrom(5, 1_000_000),
    '600',
    'Requests of a server to one registrable domain a minute, four times as many to one address; a fifth of them for calls without a key, such as demo=1.',
  ),
  FETCH_UNPAID_PER_MINUTE: withDefault(
    anyCount,
    '300',
    'Pages and sites fetched per client address and minute on the demo and its keys, divided among the workers.',
  ),
} as const satisfies Record<string, Setting<unknown>>

export function settingsOf(assets: readonly Asset[]): typeof serviceSettings & PriceSettings {
  return { ...serviceSettings, ...priceSettings(assets) }
}

/** The reference page and docs/settings.md are made of this table. `<NAME>_FILE` may name a file with a setting. */
export const settings = settingsOf(allAssets)

export type Config = SettingValues<typeof settings>

const prefixes = ['X402_', 'FETCH_', 'PRICE_']

export function findConfig(
  env: Readonly<Record<string, string | undefined>>,
  readFile: (path: string) => string,
  assets: readonly Asset[] = allAssets,
): FoundSettings<typeof settings> {
  return findSettings(settingsOf(assets), prefixes, env, readFile)
}

/** Throws a `SettingsError` of each setting's own mistakes. A server uses `readStartConfig`, which checks them together too. */
export function readConfig(
  env: Readonly<Record<string, string | undefined>>,
  readFile: (path: string) => string,
): Config {
  return validSettings(findConfig(env, readFile))
}

type More = Pick<Setting<unknown>, 'secret' | 'checkFile'>

/** A setting with a value for when it is not set. `fallback` and `doc` are text as people write it. */
function withDefault<Value>(parse: (text: string) => Value, fallback: string, doc: string, more: More = {}) {
  return { parse, default: fallback, doc, ...more }
}

function optional<Value>(parse: (text: string) => Value, doc: string, more: More = {}) {
  return { parse, doc, ...more }
}

/** A path that begins as one of ours could not be told from it once a proxy has removed it. */
function publicUrl(text: string): string {
  const url = baseUrl(text)
  const [, first = ''] = new URL(url).pathname.split('/')
  if (!ownSegments.has(first) && !version.test(first)) return url
  throw new Error(`must not have a path that begins with /${first}, because paths of Mintmark begin with it`)
}

/** First segments of our own paths and, in the second line, of compatibility URLs. Some of those begin with a version. */
const ownSegments = new Set(
  (
    'admin api apple-touch-icon.png assets bot client.d.ts client.js client.tgz docs examples favicon.ico healthz i icon.svg llms-full.txt llms.txt metrics openapi.json pictures playground readyz robots.txt sitemap.xml status .well-known ' +
    'badge endpoint static v2'
  ).split(' '),
)
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
    return [[priceName(id), { parse: price, default: fallback, doc: `Price of a call of ${id}.` }]]
  })
  return Object.fromEntries(rows)
}

function priceName(assetId: string): `PRICE_${string}` {
  return `PRICE_${assetId.toUpperCase()}`
}
