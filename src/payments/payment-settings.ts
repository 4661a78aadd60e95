import { getAddress } from 'viem/utils'
import type { Config } from '../config.ts'
import type { SharedAddressWatch } from '../lib/client-addresses.ts'
import type { Clock } from '../lib/clock.ts'
import type { Log } from '../lib/log.ts'
import { ruleOf, type SettingRule, validSettings } from '../lib/settings.ts'
import type { Store } from '../store/open.ts'
import networks from './known-networks.json' with { type: 'json' }

export type Hex = `0x${string}`

export interface RecordContext {
  readonly store: Store
  readonly clock: Clock
  readonly log: Log
}

export interface TermsContext {
  readonly settings: PaymentSettings
  /** 32 secret bytes, shared by all our processes. */
  readonly secret: Uint8Array
}

export interface PaymentContext extends RecordContext, TermsContext {
  readonly clients: SharedAddressWatch
  /** Processes of this server, among which what one client may ask of the chain is divided. */
  readonly processes?: number | undefined
}

/** Everything that payments follow, with the network's defaults filled in. Addresses are EIP-55 checksummed. */
export type PaymentSettings = Readonly<NonNullable<ReturnType<typeof readPaymentSettings>>>

/** The settings, or undefined while no wallet is configured. Throws a `SettingsError` of all mistakes. */
export function readPaymentSettings(config: Config) {
  if (config.X402_PAY_TO === undefined) return undefined
  validSettings({ values: config, mistakes: [] }, paymentRules)
  const chainId = chainIdOf(config)
  const { X402_RPC_URLS: urls, X402_ASSET_DECIMALS: decimals } = config
  return {
    payTo: readAddress('X402_PAY_TO', config.X402_PAY_TO),
    chainId,
    network: `eip155:${chainId}` as const,
    /** The name that x402 version 1 gave the chain; chains without one cannot be offered to its clients. */
    v1Network: knownNetworks[chainId]?.v1Name,
    asset: { address: readAssetAddress(config), ...readAssetNames(config), decimals },
    rpc: { urls, timeoutMs: config.X402_RPC_TIMEOUT_MS, quorum: readQuorum(config) },
    confirmations: config.X402_CONFIRMATIONS,
    confirmationsHigh: config.X402_CONFIRMATIONS_HIGH,
    highPriceMicros: config.X402_HIGH_PRICE,
    maxAgeMs: config.X402_MAX_AGE_SECONDS * 1000,
    waitMs: config.X402_WAIT_MS,
    pollMs: config.X402_POLL_MS,
    replayWindowMs: config.X402_REPLAY_WINDOW_SECONDS * 1000,
    maxTimeoutSeconds: config.X402_MAX_TIMEOUT_SECONDS,
    /** `off`: only transfers are taken. */
    settle: readSettle(config),
    settlerKey: config.X402_SETTLER_KEY,
    settleWait: config.X402_SETTLE_WAIT,
    settleTimeoutMs: config.X402_SETTLE_TIMEOUT_MS,
    settleGasMax: config.X402_SETTLE_GAS_MAX,
    gasPriceWeiMax: BigInt(config.X402_MAX_FEE_GWEI) * 1_000n,
    facilitator: readFacilitator(config),
    verifyFacilitator: config.X402_VERIFY_FACILITATOR && urls.length > 0,
    /** The price from which a transfer needs a proof; infinite for never. */
    proofFromMicros: readProofRule(config.X402_REQUIRE_PROOF),
    mpp: config.X402_MPP,
  }
}

const assetNames = ['X402_NETWORK', 'X402_ASSET'] as const

/** The payment settings that must go together, where a wallet is wanted. */
export const paymentRules: readonly SettingRule<Config>[] = [
  ruleOf(['X402_PAY_TO'], ({ X402_PAY_TO: wallet }) => wallet && readAddress('X402_PAY_TO', wallet)),
  ruleOf(assetNames, readAssetAddress),
  ruleOf([...assetNames, 'X402_ASSET_NAME', 'X402_ASSET_VERSION'], readAssetNames),
  ruleOf(['X402_RPC_QUORUM', 'X402_RPC_URLS'], readQuorum),
  ruleOf(['X402_PAY_TO', 'X402_SETTLE', 'X402_RPC_URLS', 'X402_FACILITATOR_URL'], checkPayable),
  ruleOf(['X402_SETTLE', 'X402_SETTLER_KEY', 'X402_RPC_URLS', 'X402_FACILITATOR_URL'], readSettle),
]

/** Settings that depend on one another. Each reader throws an Error that names those that do not go together. */

type Of<Name extends keyof Config> = Pick<Config, Name>

function chainIdOf({ X402_NETWORK: network }: Of<'X402_NETWORK'>): number {
  return Number(network.slice('eip155:'.length))
}

/** The address with its EIP-55 checksum. Digits in one case carry none; in mixed case theirs must be right. */
function readAddress(name: string, text: string): Hex {
  const digits = text.slice(2)
  const lower = digits.toLowerCase()
  const address = getAddress(`0x${lower}`)
  if ([lower, digits.toUpperCase(), address.slice(2)].includes(digits)) return address
  throw new Error(`${name} has a wrong EIP-55 checksum: check the address, a digit may be mistyped`)
}

function readAssetAddress(config: Of<'X402_NETWORK' | 'X402_ASSET'>): Hex {
  const address = config.X402_ASSET ?? usdcOf(config)?.address
  if (address !== undefined) return readAddress('X402_ASSET', address)
  throw new Error(`X402_ASSET is needed: no token is known for ${config.X402_NETWORK}.`)
}

/** Name and version as the token's EIP-712 domain has them, and the symbol for people. */
function readAssetNames(
  config: Of<'X402_NETWORK' | 'X402_ASSET' | 'X402_ASSET_NAME' | 'X402_ASSET_VERSION'>,
) {
  const usdc = usdcOf(config)
  const address = config.X402_ASSET ?? usdc?.address
  const stored = usdc?.address.toLowerCase() === address?.toLowerCase() ? usdc : undefined
  const name = config.X402_ASSET_NAME ?? stored?.name
  const version = config.X402_ASSET_VERSION ?? stored?.version
  if (name === undefined || version === undefined)
    throw new Error('X402_ASSET_NAME and X402_ASSET_VERSION are needed for a token that is not known.')
  return { name, version, symbol: stored === undefined ? name : 'USDC' }
}

function readQuorum(config: Of<'X402_RPC_QUORUM' | 'X402_RPC_URLS'>): number {
  const { X402_RPC_QUORUM: quorum, X402_RPC_URLS: urls } = config
  if (quorum <= Math.max(urls.length, 1)) return quorum
  throw new Error(`X402_RPC_QUORUM is ${quorum}, but X402_RPC_URLS has ${urls.length}.`)
}

function readSettle(
  config: Of<'X402_SETTLE' | 'X402_SETTLER_KEY' | 'X402_RPC_URLS' | 'X402_FACILITATOR_URL'>,
): 'self' | 'facilitator' | 'off' {
  const self = config.X402_SETTLER_KEY !== undefined && config.X402_RPC_URLS.length > 0
  const facilitator = config.X402_FACILITATOR_URL !== undefined
  if (config.X402_SETTLE === 'self' && !self)
    throw new Error('X402_SETTLE=self needs X402_SETTLER_KEY and X402_RPC_URLS.')
  if (config.X402_SETTLE === 'facilitator' && !facilitator)
    throw new Error('X402_SETTLE=facilitator needs X402_FACILITATOR_URL.')
  if (config.X402_SETTLE !== 'auto') return config.X402_SETTLE
  if (self) return 'self'
  return facilitator ? 'facilitator' : 'off'
}

/** A wallet alone would be offered money that nothing can see arrive. */
function checkPayable(config: Of<'X402_PAY_TO' | 'X402_SETTLE' | 'X402_RPC_URLS' | 'X402_FACILITATOR_URL'>) {
  const { X402_PAY_TO: wallet, X402_SETTLE: settle, X402_RPC_URLS: urls } = config
  if (wallet === undefined || urls.length > 0) return
  // The other settlements name what they need by themselves.
  if (settle === 'self' || settle === 'facilitator') return
  if (settle === 'auto' && config.X402_FACILITATOR_URL !== undefined) return
  const words = 'X402_PAY_TO needs X402_RPC_URLS: without an endpoint nothing can verify a payment.'
  throw new Error(settle === 'off' ? words : `${words} Or name a facilitator with X402_FACILITATOR_URL.`)
}

function readFacilitator(config: Config) {
  if (config.X402_FACILITATOR_URL === undefined) return undefined
  const url = String(config.X402_FACILITATOR_URL).replace(/(?<!\/)\/+$/, '')
  return { url, headers: config.X402_FACILITATOR_HEADERS ?? {} }
}

function readProofRule(rule: Config['X402_REQUIRE_PROOF']): number {
  if (rule === 'never') return Number.POSITIVE_INFINITY
  return rule === 'always' ? 0 : rule
}

/** Chains whose dollar token we know, so that an operator need not look it up. */
export const knownNetworks: Readonly<Record<number, (typeof networks)[8453]>> = networks

function usdcOf(config: Of<'X402_NETWORK'>) {
  return knownNetworks[chainIdOf(config)]?.usdc
}

export function termsInLowerCase({ asset, payTo }: Pick<PaymentSettings, 'asset' | 'payTo'>) {
  return { asset: asset.address.toLowerCase() as Hex, payTo: payTo.toLowerCase() as Hex }
}

export function confirmationsFor(settings: PaymentSettings, priceMicros: number): number {
  return priceMicros >= settings.highPriceMicros ? settings.confirmationsHigh : settings.confirmations
}

/** Exact: a token has at least six decimals, which the settings see to. */
export function toAtomic(micros: number, { decimals }: { readonly decimals: number }): bigint {
  return BigInt(micros) * atomicPerMicro(decimals)
}

/** Rounded down. An amount that can't be counted exactly becomes the largest number that can. */
export function toMicros(atomic: bigint, { decimals }: { readonly decimals: number }): number {
  return clampToNumber(atomic / atomicPerMicro(decimals))
}

/** The number, or the greatest that can be counted exactly. */
export function clampToNumber(value: bigint): number {
  return value > BigInt(Number.MAX_SAFE_INTEGER) ? Number.MAX_SAFE_INTEGER : Number(value)
}

function atomicPerMicro(decimals: number): bigint {
  return 10n ** BigInt(decimals - 6)
}
