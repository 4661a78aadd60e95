import type { ChargeRow } from '../../src/store/charges.ts'
import type { NewAuthorization, NewTransfer } from '../../src/store/payment-states.ts'
import cases from './payment-rows.json' with { type: 'json' }

const common = cases.common

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
