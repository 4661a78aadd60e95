import type { Chain } from '../chain/chain.ts'
import type { CodeLookup } from '../chain/code-lookup.ts'
import { readRevert, settlementCall } from '../chain/eip3009.ts'
import { RpcRejected } from '../chain/rpc-endpoint.ts'
import { toQuantity } from '../chain/rpc-values.ts'
import type { SettlementFinder } from '../chain/settlement-finder.ts'
import { refuse } from '../payment-refusal.ts'
import type { PaymentSettings } from '../payment-settings.ts'
import { toMicros } from '../token-amount.ts'
import type { OfferedAuthorization } from '../wire/parse-payment.ts'
import type { SettlementGuard } from './settlement-guard.ts'
import type { Settler } from './settler.ts'
import type { SettlerAccount } from './settler-account.ts'

interface Deps {
  readonly account: SettlerAccount
  readonly chain: Chain
  readonly finder: SettlementFinder
  readonly guard: SettlementGuard
  readonly codes: CodeLookup
  readonly settings: PaymentSettings
}

/** Checks by the payer's balance, the token's state and a simulation whether an authorization would settle now. */
export function createSettlementCheck(deps: Deps): Settler['check'] {
  const { account, chain, finder, guard, codes, settings } = deps
  const { asset } = settings

  return async (offered) => {
    const { from, nonce, value } = offered.authorization
    const reference = { payer: from, nonce, amountMicros: toMicros(value, asset) }
    const [balance, isUsed, obstacle, hasCode] = await Promise.all([
      chain.balanceOf(asset.address, from),
      finder.isUsed(reference),
      simulate(deps, offered),
      codes.hasCode(from),
      account.checkFunds(),
    ])
    const checked = { kind: 'checked', balanceMicros: toMicros(balance, asset) } as const
    if (isUsed) {
      const settled = await finder.find(reference)
      if (settled === undefined) return refuse('invalid_exact_evm_payload_authorization_used')
      return { ...checked, settled }
    }
    if (balance < value) return refuse('insufficient_funds')
    const refusal = guard.admit(from, hasCode)
    if (refusal !== undefined) return refusal
    // Used in the pending block: somebody else's transaction waits there, and our settlement will find it.
    if (obstacle === undefined || obstacle === 'invalid_exact_evm_payload_authorization_used') return checked
    // The wallet accepted this signature when it was asked directly, so what it lacked here is gas.
    const isOutOfGas = hasCode && obstacle === 'invalid_exact_evm_payload_signature'
    return refuse(isOutOfGas ? 'settlement_gas_too_high' : obstacle)
  }
}

/** Why the token would refuse the authorization in the pending block; undefined if it would not. */
async function simulate({ account, chain, settings }: Deps, offered: OfferedAuthorization) {
  try {
    const gas = toQuantity(settings.settleGasMax)
    await chain.call({ ...settlementCall(offered, settings), from: account.address, gas }, 'pending')
    return undefined
  } catch (error) {
    if (error instanceof RpcRejected) return readRevert(error.message)
    throw error
  }
}
