import type { PaymentToken } from './payment-settings.ts'

/**
 * The token's atomic units that are worth so many micros. Exact: a token has at least six decimals, which the
 * settings see to.
 */
export function toAtomic(micros: number, { decimals }: Pick<PaymentToken, 'decimals'>): bigint {
  return BigInt(micros) * atomicPerMicro(decimals)
}

/**
 * Converts an amount in the token's atomic units to whole micros, rounded down. An amount that can't be counted
 * exactly becomes the largest number that can.
 */
export function toMicros(atomic: bigint, { decimals }: Pick<PaymentToken, 'decimals'>): number {
  return clampToNumber(atomic / atomicPerMicro(decimals))
}

/** The number, or the greatest that can be counted exactly. */
export function clampToNumber(value: bigint): number {
  return value > BigInt(Number.MAX_SAFE_INTEGER) ? Number.MAX_SAFE_INTEGER : Number(value)
}

function atomicPerMicro(decimals: number): bigint {
  return 10n ** BigInt(decimals - 6)
}
