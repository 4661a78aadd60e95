import { Resvg } from '@resvg/resvg-js'
import type { ShapesLogo } from '../../../../../src/assets/og/brand/card-logo.ts'

/** Pixels of a drawing by resvg, on white. */
export function drawOnWhite(svg: string, widthPx: number): Uint8Array {
  const options = { font: { loadSystemFonts: false }, background: 'white', logLevel: 'off' } as const
  return new Resvg(svg, { ...options, fitTo: { mode: 'width', value: widthPx } }).render().pixels
}

/** Shapes as a document with nothing else in it. */
export function shapesSvg({
  width,
  height,
  shapes,
}: Pick<ShapesLogo, 'width' | 'height' | 'shapes'>): string {
  const paths = shapes.map(
    ({ d, fill, opacity = 1 }) => `<path d="${d}" fill="${fill}" fill-opacity="${opacity}"/>`,
  )
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}">${paths.join('')}</svg>`
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
