import type { PaymentRow } from '../../store/payment-row.ts'

/** Names of locks that transactions take, so that servers decide about one thing one after the other. */

/** Held by whatever promises or spends money of a wallet. */
export function payerLock({ payer }: Pick<PaymentRow, 'payer'>): string {
  return `payer ${payer.toLowerCase()}`
}

/** Held by whatever makes transfer logs of a transaction on chain a payment's own. */
export function transferLock({ txHash }: { readonly txHash: string }): string {
  return `transfer ${txHash.toLowerCase()}`
}

/** Held by whatever takes the next nonce of the account that pays gas. */
export function settlerLock(chainId: number, address: string): string {
  return `settler ${chainId} ${address.toLowerCase()}`
}

/** Held by whatever changes until when a key has no quota. */
export function keyLock(keyId: string): string {
  return `key ${keyId}`
}
