import type { ChargeRow } from '../../src/store/charges.ts'
import type { NewAuthorization, NewTransfer } from '../../src/store/payment-states.ts'

const common = {
  via: 'transfer',
  chainId: 84532,
  asset: '0xa',
  payTo: '0xb',
  payer: '0xc',
  amountMicros: 10_000,
  createdAtMs: 1,
  updatedAtMs: 1,
}

export function transferRow(id: string, changes: Partial<NewTransfer> = {}): NewTransfer {
  return { ...common, id, method: 'transfer', txHash: `0x${id}`, state: 'settled', ...changes }
}

export function authorizationRow(id: string, changes: Partial<NewAuthorization> = {}): NewAuthorization {
  return { ...common, id, method: 'authorization', nonce: `0x${id}`, state: 'reserved', ...changes }
}

/** A charge that is reserved. */
export function chargeRow(id: string, paymentId: string, changes: Partial<ChargeRow> = {}) {
  const what = { slot: 's', request: 'r', endpoint: 'og', amountMicros: 10_000, createdAtMs: 5 }
  return { id, paymentId, ...what, state: 'reserved', leaseOwner: 'o', leaseUntilMs: 5, ...changes } as const
}
