import type { CardParams, ComposedCard } from '../../../src/assets/og/card-renderer.ts'
import type { Rgb } from '../../../src/lib/color.ts'
import { drawPremultiplied } from '../../../src/raster/draw-svg.ts'
import { backgroundSvg, type PathLayer, type Scene } from '../../../src/raster/scene.ts'
import { type Box, pathBounds } from '../../../src/svg/bounds.ts'
import type { randomFrom } from '../../support/random.ts'
import { inkBoxes } from './corpus.ts'
import texts from './random-text.json' with { type: 'json' }

/** Words of the scripts that cards are looked at in. The last ones of each are long or tall. */
const scripts = texts.map((text): readonly string[] => text.split(' '))

type Words = Pick<CardParams, 'title' | 'subtitle' | 'author' | 'url'>

/** The words of a card: of one script or mixed, short, long or missing, some longer than cards without `overflow` take. */
export function randomText(random: ReturnType<typeof randomFrom>): Words {
  const own = random.pick(scripts)
  function words(charactersMax: number): string {
    const length = 1 + random.below(random.below(4) === 0 ? charactersMax : Math.ceil(charactersMax / 4))
    const chosen: string[] = []
    while (chosen.join(' ').length < length)
      chosen.push(random.pick(random.below(8) === 0 ? random.pick(scripts) : own))
    return Array.from(chosen.join(own.includes('私たちが') ? '' : ' '))
      .slice(0, charactersMax)
      .join('')
      .trim()
  }
  function optional(charactersMax: number): string {
    return random.below(4) === 0 ? '' : words(charactersMax)
  }
  const isLong = random.below(4) === 0
  return {
    title: words(isLong ? 300 : 80) || 'i',
    subtitle: optional(isLong ? 500 : 120),
    author: optional(80),
    url: random.below(2) === 0 ? optional(120) : random.pick(['example.com', 'docs.harbour.dev', '']),
  }
}

/** Corners of the colour space, where shades run out of room. */
export const extremeColors: readonly string[] =
  '#000000 #ffffff #808080 #ffff00 #0000ff #00ff00 #ff0000 #00ffff #ff00ff'.split(' ')

/** Paths are on a grid of 1/1000 em. */
const gridPx = 0.4
/** Contrast is measured on pixels of the card at this zoom. */
export const usualZoom = 1 / 8

/** A thing on the card with the room that it takes. */
interface Thing extends Box {
  readonly name: string
}

/** The lines of text on a card, and its shapes and pictures without those of the logo. */
export function thingsOn({ scene, texts, logo }: ComposedCard) {
  const lines = texts.flatMap((text) => inkBoxes(text).map((box) => ({ name: text.role, text, ...box })))
  const ofLogo = new Set(logo?.layers)
  // Letters are drawn a thousandth as large as they are written.
  const shapes = scene.layers.filter(
    (layer): layer is PathLayer => layer.kind === 'path' && layer.scale >= 1 && !ofLogo.has(layer),
  )
  const pictures = scene.layers.flatMap((layer): Thing[] => {
    if (layer.kind !== 'picture' || ofLogo.has(layer)) return []
    const { x, y, widthPx, heightPx } = layer
    return [{ name: 'picture', left: x, top: y, right: x + widthPx, bottom: y + heightPx }]
  })
  return { lines, shapes: shapes.map((layer) => ({ layer, ...boxOf(layer) })), pictures }
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

export function overlap(one: Box, other: Box, slackPx = gridPx): boolean {
  const isBeside = one.left >= other.right - slackPx || other.left >= one.right - slackPx
  return !isBeside && one.top < other.bottom - slackPx && other.top < one.bottom - slackPx
}

/** The colour of the background at a point of the card, in pixels of this many px. */
export function backgroundOf(
  { background, widthPx, heightPx }: Scene,
  zoom = usualZoom,
): (x: number, y: number) => Rgb {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${widthPx}" height="${heightPx}">${backgroundSvg(background)}</svg>`
  const image = drawPremultiplied(svg, undefined, zoom)
  const { pixels } = image
  return (x, y) => {
    const at = (Math.floor(y * zoom) * image.width + Math.floor(x * zoom)) * 4
    return { r: pixels[at] ?? 0, g: pixels[at + 1] ?? 0, b: pixels[at + 2] ?? 0 }
  }
}

export function shown({ left, top, right, bottom }: Box): string {
  return [left, top, right, bottom].map((value) => value.toFixed(1)).join(' ')
}
