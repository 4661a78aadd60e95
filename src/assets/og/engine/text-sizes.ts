/** The sizes that a text may take, each a tenth smaller than the one before. */
export function sizeSteps(largestPx: number, smallestPx: number): readonly number[] {
  const steps: number[] = []
  for (let sizePx = largestPx; sizePx > smallestPx * 1.05; sizePx *= 0.9) steps.push(Math.round(sizePx))
  return [...steps, smallestPx]
}

export function scaledSizes(sizesPx: readonly number[], unit: number): readonly number[] {
  return sizesPx.map((sizePx) => Math.round(sizePx * unit))
}
