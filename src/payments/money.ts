/** Micros as people write money: `10000` is `0.01`, `1000000` is `1.00`. */
export function formatMicros(micros: number): string {
  const digits = String(micros).padStart(7, '0')
  const fraction = digits.slice(-6).replace(/0{1,4}$/, '')
  return `${digits.slice(0, -6)}.${fraction}`
}

/** A token amount of six decimals as integer micros. More than can be counted exactly counts as the most that can. */
export function toMicros(amount: bigint): number {
  return amount > BigInt(Number.MAX_SAFE_INTEGER) ? Number.MAX_SAFE_INTEGER : Number(amount)
}
