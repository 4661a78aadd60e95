import { type CardLogo, iconLogo } from '../../../../src/assets/og/brand/brand-images.ts'
import type { ComposedCard } from '../../../../src/assets/og/card-renderer.ts'
import {
  logoContrastMin,
  outlineShare,
  plainShareMin,
  visibleShare,
} from '../../../../src/assets/og/logo/logo-paint.ts'
import { circle, rectangle, ring, roundedRectangle } from '../../../../src/assets/og/shapes.ts'
import { contrastRatio, mix, parseHex, type Rgb } from '../../../../src/lib/color.ts'
import type { Box } from '../../../../src/svg/bounds.ts'
import type { randomFrom } from '../../../support/random.ts'
import { boxOf, isInside, overlap, shown, thingsOn, usualZoom } from '../random-text.ts'

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

/** Whether the outline of a logo stands out from all that is below it, in six of ten places: by contrast or by colour. */
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
    return visibleShare(given, background)
  })
  return Math.min(...least) < plainShareMin && !isHopeless(given)
    ? [`the logo ${given.key} stands out in ${Math.min(...least)} of its outline`]
    : []
}

/** A logo of dark and of light parts that no single background sets off. */
function isHopeless(logo: CardLogo): boolean {
  const greys = Array.from({ length: 22 }, (_, index) => ({ r: index * 12, g: index * 12, b: index * 12 }))
  return greys.every((background) => outlineShare(logo, background) < 0.9)
}

type Part = readonly [d: string, fill: string, opacity?: number]

function logo(key: string, width: number, height: number, parts: readonly Part[]): CardLogo {
  const [first] = parts
  const isOneColor = parts.every(([, fill]) => fill === first?.[1])
  return {
    kind: 'shapes',
    key,
    width,
    height,
    shapes: parts.map(([d, fill, opacity]) => ({ d, fill, ...(opacity !== undefined && { opacity }) })),
    ...(isOneColor && first && { singleColor: first[1] }),
  }
}

/** Logos of every kind of shape in colours of no theme, and some icons. */
export function randomLogo(random: ReturnType<typeof randomFrom>): CardLogo {
  const colors = Array.from({ length: 3 }, () => `#${random.below(0x1000000).toString(16).padStart(6, '0')}`)
  const [one = '#000000', two = one, three = two] = colors
  const key = colors.join('')
  switch (random.below(7)) {
    case 0:
      return logo(key, 900, 90, [
        [ring(45, 45, 34, 22), one],
        [rectangle(120, 0, 780, 90), one],
      ])
    case 1:
      return logo(key, 600, 120, [
        [circle(60, 60, 60), one],
        [roundedRectangle(150, 0, 450, 120, 20), two],
      ])
    case 2:
      return logo(key, 40, 400, [['M20 0L40 400H0z', one]])
    case 3:
      return logo(key, 80, 200, [
        ['M40 0L80 70H0z', one],
        ['M40 50L80 130H0z', two],
        [rectangle(30, 130, 20, 70), three],
      ])
    case 4:
      return logo(key, 100, 100, [
        [circle(50, 50, 50), one],
        [circle(50, 50, 30), two, 0.7],
      ])
    case 5:
      return logo(key, 100, 100, [[circle(50, 50, 50), one, 0.25]])
    default:
      return (
        iconLogo(random.pick(['github', 'bun', 'instagram', 'netflix', 'snapchat', 'ubuntu'])) ??
        logo(key, 1, 1, [])
      )
  }
}
