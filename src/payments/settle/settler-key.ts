import type { TransactionSerializableEIP1559 } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import type { Rpc } from '../chain/rpc.ts'
import type { PaymentContext } from '../payment-context.ts'

/** The key that signs settlements, and what it sends them with. */
export interface SettlerKey extends PaymentContext {
  readonly rpc: Rpc
  readonly account: PrivateKeyAccount
}

/** A settlement before its nonce is known. */
export type UnsignedSettlement = Omit<TransactionSerializableEIP1559, 'nonce'>
