/** The words for durations below ten ms, which nearly all are: to write a fraction takes longer than to find it. */
const words = Array.from({ length: 1_000 }, (_, hundredths) => String(hundredths / 100))

/** Writes a duration with at most two decimals, such as `0.07`. */
export function inHundredths(ms: number): string {
  const hundredths = Math.round(ms * 100)
  return words[hundredths] ?? String(hundredths / 100)
}
