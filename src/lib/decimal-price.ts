/** Micros as people read money: at least two decimals, no more than needed. `10000` is `0.01`. */
export function decimalPrice(micros: number): string {
  const whole = Math.floor(micros / 1_000_000)
  const fraction = String(micros % 1_000_000)
    .padStart(6, '0')
    .replace(/(?<!0)0+$/, '')
    .padEnd(2, '0')
  return `${whole}.${fraction}`
}
