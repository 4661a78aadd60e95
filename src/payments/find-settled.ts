import type { Chain, SettledTransfer } from './chain/chain.ts'
import { RpcUnavailable } from './chain/rpc.ts'
import type { AuthorizationEntry } from './ledger/new-row.ts'
import { type PaymentRefusal, refuse } from './payment-reasons.ts'
import type { PaymentSettings } from './payment-settings.ts'

export interface SettledBefore {
  readonly kind: 'settled-before'
  readonly transfer: SettledTransfer
}

interface Deps {
  /** Undefined without an RPC. */
  readonly chain: Chain | undefined
  readonly settings: PaymentSettings
}

/**
 * The money of an authorization that has already arrived, no matter who sent the transaction. Undefined if the token has not
 * seen the authorization. Throws `OutcomeUnknown` until that is confirmed.
 */
export async function findSettled(
  { chain, settings }: Deps,
  entry: AuthorizationEntry,
): Promise<SettledBefore | PaymentRefusal | undefined> {
  try {
    if (chain === undefined || !(await chain.isUsed(entry))) return undefined
    const transfer = await chain.findSettlement(entry)
    if (transfer !== undefined) return { kind: 'settled-before', transfer }
    return refuse('invalid_exact_evm_payload_authorization_used')
  } catch (error) {
    // A facilitator whose word is not checked needs no chain.
    const isTrusted = settings.settle === 'facilitator' && !settings.verifyFacilitator
    if (isTrusted && error instanceof RpcUnavailable) return undefined
    throw error
  }
}
