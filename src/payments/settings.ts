import type { Config } from '../config.ts'
import { SettingsError } from '../lib/settings.ts'
import { findNetwork } from './chain/networks.ts'
import { paymentMistakes } from './settings-mistakes.ts'
import { chainIdOf, readAddress, readAsset, readQuorum, readSettle } from './settings-readers.ts'

export type Hex = `0x${string}`

/** Everything that payments follow, with the network's defaults filled in. Addresses are EIP-55 checksummed. */
export interface PaymentSettings {
  readonly payTo: Hex
  readonly chainId: number
  /** CAIP-2. */
  readonly network: `eip155:${number}`
  /** The name that x402 version 1 gave the chain; chains without one cannot be offered to its clients. */
  readonly v1Network: string | undefined
  readonly asset: Asset
  readonly rpc: { readonly urls: readonly string[]; readonly timeoutMs: number; readonly quorum: number }
  readonly confirmations: number
  readonly confirmationsHigh: number
  readonly highPriceMicros: number
  readonly maxAgeMs: number
  readonly waitMs: number
  readonly pollMs: number
  readonly replayWindowMs: number
  readonly maxTimeoutSeconds: number
  /** Who carries authorizations to the chain. `off`: only transfers are taken. */
  readonly settle: 'self' | 'facilitator' | 'off'
  readonly settlerKey: Hex | undefined
  readonly settleWait: 'confirmed' | 'submitted'
  readonly settleTimeoutMs: number
  /** The most gas that one settlement may use. */
  readonly settleGasMax: number
  /** The most that a settlement pays for one gas. */
  readonly gasPriceWeiMax: bigint
  readonly facilitator:
    | { readonly url: string; readonly headers: Readonly<Record<string, string>> }
    | undefined
  /** Whether the facilitator's word is checked on chain. */
  readonly verifyFacilitator: boolean
  /** The price from which a transfer needs a proof; infinite for never. */
  readonly proofFromMicros: number
  readonly mpp: boolean
}

export interface Asset {
  readonly address: Hex
  /** Name and version as the token's EIP-712 domain has them. */
  readonly name: string
  readonly version: string
  readonly symbol: string
  readonly decimals: number
}

/** The settings, or undefined while no wallet is configured. Throws a `SettingsError` of all mistakes. */
export function readPaymentSettings(config: Config): PaymentSettings | undefined {
  if (config.X402_PAY_TO === undefined) return undefined
  const mistakes = paymentMistakes(config)
  if (mistakes.length > 0) throw new SettingsError(mistakes)
  const chainId = chainIdOf(config)
  const urls = config.X402_RPC_URLS
  return {
    payTo: readAddress('X402_PAY_TO', config.X402_PAY_TO),
    chainId,
    network: `eip155:${chainId}`,
    v1Network: findNetwork(chainId)?.v1Name,
    asset: readAsset(config),
    rpc: { urls, timeoutMs: config.X402_RPC_TIMEOUT_MS, quorum: readQuorum(config) },
    confirmations: config.X402_CONFIRMATIONS,
    confirmationsHigh: config.X402_CONFIRMATIONS_HIGH,
    highPriceMicros: config.X402_HIGH_PRICE,
    maxAgeMs: config.X402_MAX_AGE_SECONDS * 1000,
    waitMs: config.X402_WAIT_MS,
    pollMs: config.X402_POLL_MS,
    replayWindowMs: config.X402_REPLAY_WINDOW_SECONDS * 1000,
    maxTimeoutSeconds: config.X402_MAX_TIMEOUT_SECONDS,
    settle: readSettle(config),
    settlerKey: config.X402_SETTLER_KEY,
    settleWait: config.X402_SETTLE_WAIT,
    settleTimeoutMs: config.X402_SETTLE_TIMEOUT_MS,
    settleGasMax: config.X402_SETTLE_GAS_MAX,
    gasPriceWeiMax: BigInt(config.X402_MAX_FEE_GWEI) * 1_000n,
    facilitator: readFacilitator(config),
    verifyFacilitator: config.X402_VERIFY_FACILITATOR && urls.length > 0,
    proofFromMicros: readProofRule(config.X402_REQUIRE_PROOF),
    mpp: config.X402_MPP,
  }
}

/** How many confirmations a payment of this price needs. */
export function confirmationsFor(settings: PaymentSettings, priceMicros: number): number {
  return priceMicros >= settings.highPriceMicros ? settings.confirmationsHigh : settings.confirmations
}

function readFacilitator(config: Config): PaymentSettings['facilitator'] {
  if (config.X402_FACILITATOR_URL === undefined) return undefined
  const url = String(config.X402_FACILITATOR_URL).replace(/(?<!\/)\/+$/, '')
  return { url, headers: config.X402_FACILITATOR_HEADERS ?? {} }
}

function readProofRule(rule: Config['X402_REQUIRE_PROOF']): number {
  if (rule === 'never') return Number.POSITIVE_INFINITY
  return rule === 'always' ? 0 : rule
}
