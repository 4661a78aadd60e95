/** A time in the unit that reads best, with three digits at most. */
export function timeText(micros: number): string {
  if (micros < 1_000) return `${digits(micros)} µs`
  return micros < 1e6 ? `${digits(micros / 1_000)} ms` : `${digits(micros / 1e6)} s`
}

/** One digit behind the point below ten where it is not whole, else none. */
export function digits(value: number): string {
  return value < 9.95 && value % 1 !== 0 ? value.toFixed(1) : Math.round(value).toLocaleString('en')
}
