import type { CardLogo } from '../../../../src/assets/og/brand/brand-images.ts'
import type { ComposedCard } from '../../../../src/assets/og/card-renderer.ts'
import { logoContrastMin, outlineShare } from '../../../../src/assets/og/logo/logo-paint.ts'
import { contrastRatio, mix, parseHex, type Rgb } from '../../../../src/lib/color.ts'
import type { Box } from '../../../../src/svg/bounds.ts'
import { boxOf, isInside, overlap, shown, thingsOn, usualZoom } from '../card-things.ts'

function boxOfArea({ x, y, width, height }: NonNullable<ComposedCard['logo']>['area']): Box {
  return { left: x, top: y, right: x + width, bottom: y + height }
}

/** Faults in a logo's place: a tile keeps off the card's edge, and a logo without a tile stays within the content. */
export function logoPlaceFaults(card: ComposedCard, content: Box, marginPxMin: number): string[] {
  const { scene, logo } = card
  if (logo === undefined) return []
  const box = boxOfArea(logo.area)
  const tile = logo.tile && boxOfArea(logo.tile)
  const room = tile
    ? {
        left: marginPxMin,
        top: marginPxMin,
        right: scene.widthPx - marginPxMin,
        bottom: scene.heightPx - marginPxMin,
      }
    : content
  const faults: string[] = []
  if (!isInside(box, room)) faults.push(`the logo leaves ${shown(room)}: ${shown(box)}`)
  if (tile && !isInside(box, tile)) faults.push(`the logo leaves its tile ${shown(tile)}: ${shown(box)}`)
  const { lines, shapes } = thingsOn(card)
  for (const thing of [...lines, ...shapes])
    if (overlap(thing, tile ?? box))
      faults.push(`${thing.name} runs into the logo: ${shown(thing)}, ${shown(box)}`)
  for (const layer of logo.layers.slice(tile ? 1 : 0))
    if (layer.kind === 'path' && !isInside(boxOf(layer), box, 1)) faults.push('the logo leaves its box')
  return faults
}

/** Whether the outline of a logo stands out from all that is below it, in nine of ten places. */
export function logoContrastFaults(
  { logo }: ComposedCard,
  given: CardLogo,
  under: (x: number, y: number) => Rgb,
): string[] {
  if (logo === undefined || given.kind !== 'shapes') return logo === undefined ? ['the logo is missing'] : []
  const { x, y, width, height } = logo.area
  const backgrounds: Rgb[] = logo.background ? [logo.background] : []
  const step = 1 / usualZoom
  if (logo.background === undefined)
    for (let down = 0; down < height; down += step)
      for (let across = 0; across < width; across += step) backgrounds.push(under(x + across, y + down))
  const last = logo.layers.at(-1)
  const strongest = last?.kind === 'path' ? parseHex(last.fill) : undefined
  const opacity = last?.kind === 'path' ? (last.opacity ?? 1) : 1
  const least = backgrounds.map((background) => {
    if (given.singleColor !== undefined)
      return strongest && contrastRatio(mix(background, strongest, opacity), background) >= logoContrastMin
        ? 1
        : 0
    return outlineShare(given, background)
  })
  return Math.min(...least) < 0.9 && !isHopeless(given)
    ? [`the logo ${given.key} stands out in ${Math.min(...least)} of its outline`]
    : []
}

/** A logo of dark and of light parts that no single background sets off. */
function isHopeless(logo: CardLogo): boolean {
  const greys = Array.from({ length: 22 }, (_, index) => ({ r: index * 12, g: index * 12, b: index * 12 }))
  return greys.every((background) => outlineShare(logo, background) < 0.9)
}
