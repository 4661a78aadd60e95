import type { Config } from '../config.ts'
import { type CombinationCheck, checkCombination, combinationMistakes } from '../lib/setting-combinations.ts'
import {
  checkPayable,
  readAddress,
  readAssetAddress,
  readAssetNames,
  readQuorum,
  readSettle,
} from './read-dependent-settings.ts'

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
