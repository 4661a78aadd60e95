/** Micros as decimal text: at least two decimals, no more than needed. `10000` is `0.01`. */
export function formatMicros(micros: number): string {
  const digits = String(micros).padStart(7, '0')
  const fraction = digits.slice(-6).replace(/0{1,4}$/, '')
  return `${digits.slice(0, -6)}.${fraction}`
}

/** Decimal text as micros; undefined where it is no amount with at most nine digits before and six after the point. */
export function parseMicros(text: string): number | undefined {
  const [, whole, decimals = ''] = /^(\d{1,9})(?:\.(\d{1,6}))?$/.exec(text) ?? []
  return whole === undefined ? undefined : Number(whole) * 1_000_000 + Number(decimals.padEnd(6, '0'))
}
