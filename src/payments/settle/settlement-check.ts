import { readRevert, settlementCall } from '../chain/eip3009.ts'
import { toQuantity } from '../chain/hex-values.ts'
import type { ChainAccess } from '../chain/open-chain.ts'
import { RpcRejected } from '../chain/rpc-endpoint.ts'
import type { PaymentContext } from '../payment-context.ts'
import { type PaymentReason, refuse } from '../payment-reasons.ts'
import { toMicros } from '../token-amount.ts'
import type { OfferedAuthorization } from '../wire/parse-payment.ts'
import { admitSettlement } from './admit-settlement.ts'
import type { Settler, Unable } from './settler.ts'
import type { SettlerAccount } from './settler-account.ts'

export interface SelfSettlerDeps extends PaymentContext, ChainAccess {
  readonly account: SettlerAccount
}

/** More gas than any honest wallet needs to check a signature. */
const generousGas = 3_000_000

/** Checks by the payer's balance and a simulation whether an authorization would settle now. */
export function createSettlementCheck(deps: SelfSettlerDeps): Settler['check'] {
  const { account, chain, codes, settings } = deps
  const { asset } = settings

  return async (offered) => {
    const { from, value } = offered.authorization
    const inability = account.gas.check().then(() => undefined, toInability)
    const [balance, obstacle, hasCode] = await Promise.all([
      chain.balanceOf(asset.address, from),
      simulate(deps, offered, settings.settleGasMax),
      codes.hasCode(from),
    ])
    if (balance < value) return refuse('insufficient_funds')
    if (obstacle === 'invalid_exact_evm_payload_signature' && hasCode) {
      // The wallet's own code was asked by the token: it refused, or had too little gas to accept.
      const isCostly = (await simulate(deps, offered, generousGas)) !== obstacle
      return refuse(isCostly ? 'settlement_gas_too_high' : obstacle)
    }
    // Used in the pending block: somebody else's transaction waits there, and our settlement will find it.
    const isObstacle = obstacle !== undefined && obstacle !== 'invalid_exact_evm_payload_authorization_used'
    if (isObstacle) return refuse(obstacle)
    // The server's own ability is judged last, when it is known that the payer has done all that is needed.
    const unable = (await inability) ?? (await admitSettlement(deps, from, hasCode).catch(toInability))
    return unable ?? { kind: 'checked', balanceMicros: toMicros(balance, asset) }
  }
}

/** Why the token would refuse the authorization in the pending block; undefined if it would not. */
async function simulate(
  { account, chain, settings }: SelfSettlerDeps,
  offered: OfferedAuthorization,
  gas: number,
): Promise<PaymentReason | undefined> {
  try {
    const call = settlementCall(offered, settings)
    await chain.call({ ...call, from: account.address, gas: toQuantity(gas) }, 'pending')
    return undefined
  } catch (error) {
    if (error instanceof RpcRejected) return readRevert(error.message)
    throw error
  }
}

function toInability(error: unknown): Unable {
  return { kind: 'unable', error }
}
