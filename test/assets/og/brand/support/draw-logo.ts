import { Resvg } from '@resvg/resvg-js'

/** Pixels of a drawing by resvg, on white. */
export function drawOnWhite(svg: string, widthPx: number): Uint8Array {
  const options = { font: { loadSystemFonts: false }, background: 'white', logLevel: 'off' } as const
  return new Resvg(svg, { ...options, fitTo: { mode: 'width', value: widthPx } }).render().pixels
}

/** How far two drawings are from each other: the mean of all channels, and the share of those that differ visibly. */
export function compareDrawings(one: Uint8Array, other: Uint8Array) {
  if (one.length !== other.length) throw new Error(`${one.length} and ${other.length} bytes of pixels`)
  let sum = 0
  let far = 0
  for (let at = 0; at < one.length; at++) {
    const distance = Math.abs((one[at] as number) - (other[at] as number))
    sum += distance
    if (distance > 96) far += 1
  }
  return { mean: sum / one.length, farShare: far / one.length }
}
