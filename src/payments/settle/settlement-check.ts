import { readRevert, settlementCall } from '../chain/eip3009.ts'
import { toQuantity } from '../chain/hex-values.ts'
import type { ChainAccess } from '../chain/open-chain.ts'
import { RpcRejected } from '../chain/rpc-endpoint.ts'
import type { PaymentContext } from '../payment-context.ts'
import { refuse } from '../payment-reasons.ts'
import { toMicros } from '../token-amount.ts'
import type { OfferedAuthorization } from '../wire/parse-payment.ts'
import { admitSettlement } from './admit-settlement.ts'
import type { Settler } from './settler.ts'
import type { SettlerAccount } from './settler-account.ts'

export interface SelfSettlerDeps extends PaymentContext, ChainAccess {
  readonly account: SettlerAccount
}

/** Checks by the payer's balance, the token's state and a simulation whether an authorization would settle now. */
export function createSettlementCheck(deps: SelfSettlerDeps): Settler['check'] {
  const { account, chain, finder, codes, settings } = deps
  const { asset } = settings

  return async (offered) => {
    const { from, nonce, value } = offered.authorization
    const reference = { payer: from, nonce, amountMicros: toMicros(value, asset) }
    const [balance, isUsed, obstacle, hasCode] = await Promise.all([
      chain.balanceOf(asset.address, from),
      finder.isUsed(reference),
      simulate(deps, offered),
      codes.hasCode(from),
      account.gas.check(),
    ])
    const checked = { kind: 'checked', balanceMicros: toMicros(balance, asset) } as const
    if (isUsed) {
      const settled = await finder.find(reference)
      if (settled === undefined) return refuse('invalid_exact_evm_payload_authorization_used')
      return { ...checked, settled }
    }
    if (balance < value) return refuse('insufficient_funds')
    const refusal = await admitSettlement(deps, from, hasCode)
    if (refusal !== undefined) return refusal
    // Used in the pending block: somebody else's transaction waits there, and our settlement will find it.
    if (obstacle === undefined || obstacle === 'invalid_exact_evm_payload_authorization_used') return checked
    // The wallet accepted this signature when it was asked directly, so what it lacked here is gas.
    const isOutOfGas = hasCode && obstacle === 'invalid_exact_evm_payload_signature'
    return refuse(isOutOfGas ? 'settlement_gas_too_high' : obstacle)
  }
}

/** Why the token would refuse the authorization in the pending block; undefined if it would not. */
async function simulate({ account, chain, settings }: SelfSettlerDeps, offered: OfferedAuthorization) {
  try {
    const gas = toQuantity(settings.settleGasMax)
    await chain.call({ ...settlementCall(offered, settings), from: account.address, gas }, 'pending')
    return undefined
  } catch (error) {
    if (error instanceof RpcRejected) return readRevert(error.message)
    throw error
  }
}
