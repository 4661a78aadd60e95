import type { ComposedCard } from '../../../src/assets/og/card-renderer.ts'
import type { Rgb } from '../../../src/lib/color.ts'
import { backgroundSvg } from '../../../src/raster/background-svg.ts'
import { drawPremultiplied } from '../../../src/raster/draw-svg.ts'
import type { PathLayer, Scene } from '../../../src/raster/scene.ts'
import { type Box, pathBounds } from '../../../src/svg/bounds.ts'
import { inkBoxes } from './corpus.ts'

/** Paths are on a grid of 1/1000 em. */
const gridPx = 0.4
/** Contrast is measured on pixels of the card at this zoom. */
export const usualZoom = 1 / 8

/** A thing on the card with the room that it takes. */
export interface Thing extends Box {
  readonly name: string
}

/** The lines of text on a card, and its shapes without those of the logo. */
export function thingsOn({ scene, texts, logo }: ComposedCard) {
  const lines = texts.flatMap((text) => inkBoxes(text).map((box): Thing => ({ name: text.role, ...box })))
  const ofLogo = new Set(logo?.layers)
  // Letters are drawn a thousandth as large as they are written.
  const shapes = scene.layers.filter(
    (layer): layer is PathLayer => layer.kind === 'path' && layer.scale >= 1 && !ofLogo.has(layer),
  )
  return { lines, shapes: shapes.map((layer) => ({ layer, ...boxOf(layer) })) }
}

export function boxOf({ d, x, y, scale }: PathLayer): Thing {
  const { left, top, right, bottom } = pathBounds(d) ?? { left: 0, top: 0, right: 0, bottom: 0 }
  return {
    name: 'shape',
    left: x + left * scale,
    top: y + top * scale,
    right: x + right * scale,
    bottom: y + bottom * scale,
  }
}

export function isInside(inner: Box, outer: Box, slackPx = gridPx): boolean {
  return (
    inner.left >= outer.left - slackPx &&
    inner.top >= outer.top - slackPx &&
    inner.right <= outer.right + slackPx &&
    inner.bottom <= outer.bottom + slackPx
  )
}

export function overlap(one: Box, other: Box): boolean {
  const isBeside = one.left >= other.right - gridPx || other.left >= one.right - gridPx
  return !isBeside && one.top < other.bottom - gridPx && other.top < one.bottom - gridPx
}

/** The colour of the background at a point of the card, in pixels of this many px. */
export function backgroundOf(
  { background, widthPx, heightPx }: Scene,
  zoom = usualZoom,
): (x: number, y: number) => Rgb {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${widthPx}" height="${heightPx}">${backgroundSvg(background)}</svg>`
  const image = drawPremultiplied(svg, { zoom })
  const { pixels } = image
  return (x, y) => {
    const at = (Math.floor(y * zoom) * image.width + Math.floor(x * zoom)) * 4
    return { r: pixels[at] ?? 0, g: pixels[at + 1] ?? 0, b: pixels[at + 2] ?? 0 }
  }
}

export function shown({ left, top, right, bottom }: Box): string {
  return [left, top, right, bottom].map((value) => value.toFixed(1)).join(' ')
}
