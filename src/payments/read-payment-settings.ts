import type { Config } from '../config.ts'
import { type CombinationCheck, checkCombination, combinationMistakes } from '../lib/setting-combinations.ts'
import { SettingsError } from '../lib/settings.ts'
import { knownNetworks } from './known-networks.ts'
import type { PaymentSettings } from './payment-settings.ts'
import {
  chainIdOf,
  checkPayable,
  readAddress,
  readAssetAddress,
  readAssetNames,
  readQuorum,
  readSettle,
} from './read-dependent-settings.ts'

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
    v1Network: knownNetworks[chainId]?.v1Name,
    asset: {
      address: readAssetAddress(config),
      ...readAssetNames(config),
      decimals: config.X402_ASSET_DECIMALS,
    },
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

/** Every mistake that the payment settings make together, where a wallet is wanted. */
export function paymentMistakes(values: Partial<Config>): readonly string[] {
  return combinationMistakes(checks, values)
}

const assetNames = ['X402_NETWORK', 'X402_ASSET'] as const

const checks: readonly CombinationCheck<Config>[] = [
  checkCombination(
    ['X402_PAY_TO'],
    ({ X402_PAY_TO: wallet }) => wallet && readAddress('X402_PAY_TO', wallet),
  ),
  checkCombination(assetNames, readAssetAddress),
  checkCombination([...assetNames, 'X402_ASSET_NAME', 'X402_ASSET_VERSION'], readAssetNames),
  checkCombination(['X402_RPC_QUORUM', 'X402_RPC_URLS'], readQuorum),
  checkCombination(['X402_PAY_TO', 'X402_SETTLE', 'X402_RPC_URLS', 'X402_FACILITATOR_URL'], checkPayable),
  checkCombination(['X402_SETTLE', 'X402_SETTLER_KEY', 'X402_RPC_URLS', 'X402_FACILITATOR_URL'], readSettle),
]

function readFacilitator(config: Config): PaymentSettings['facilitator'] {
  if (config.X402_FACILITATOR_URL === undefined) return undefined
  const url = String(config.X402_FACILITATOR_URL).replace(/(?<!\/)\/+$/, '')
  return { url, headers: config.X402_FACILITATOR_HEADERS ?? {} }
}

function readProofRule(rule: Config['X402_REQUIRE_PROOF']): number {
  if (rule === 'never') return Number.POSITIVE_INFINITY
  return rule === 'always' ? 0 : rule
}
