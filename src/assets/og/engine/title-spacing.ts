interface Spacing {
  /** Added to the letter spacing of the theme, in 1/1000 em. */
  readonly trackingUnits: number
  /** Times the line height of the theme. */
  readonly leading: number
}

/** From the smallest size of each step on, in units. Large letters look too far apart where small ones run together. */
const steps: readonly (readonly [sizeMin: number, spacing: Spacing])[] = [
  [116, { trackingUnits: -8, leading: 0.97 }],
  [64, { trackingUnits: 0, leading: 1 }],
  [50, { trackingUnits: 10, leading: 1.03 }],
  [0, { trackingUnits: 18, leading: 1.06 }],
]
const usual: Spacing = { trackingUnits: 0, leading: 1 }

/** How letters and lines of a title are spaced, by its size in units: in steps, because each has letters of its own in the cache. */
export function titleSpacing(size: number): Spacing {
  return steps.find(([sizeMin]) => size >= sizeMin)?.[1] ?? usual
}
