import { expect, test } from 'bun:test'
import type { BrandPicture } from '../../../src/assets/og/brand/brand-images.ts'
import type { CardBrand } from '../../../src/assets/og/brand/card-brand.ts'
import type { CardParams, ComposedCard } from '../../../src/assets/og/card-renderer.ts'
import { cardSizes, sizeNames } from '../../../src/assets/og/card-sizes.ts'
import { schemes } from '../../../src/assets/og/theme.ts'
import { themeNames } from '../../../src/assets/og/themes.ts'
import { contrastRatio, parseHex, type Rgb } from '../../../src/lib/color.ts'
import type { Box } from '../../../src/svg/bounds.ts'
import { randomFrom } from '../../support/random.ts'
import { sampleSize } from '../../support/test-size.ts'
import { groundPictures } from './background/pictures.ts'
import { cards, inkBoxes } from './corpus.ts'
import { logoContrastFaults, logoPlaceFaults, randomLogo } from './logo/logo-faults.ts'
import {
  backgroundOf,
  extremeColors,
  isInside,
  overlap,
  randomText,
  shown,
  thingsOn,
  usualZoom,
} from './random-text.ts'

/** How many cards are drawn, over all themes, schemes, sizes, scripts and brands. */
const cardCount = sampleSize(2400, 50)
/** No content comes nearer to an edge than this, whatever the theme. */
const marginPxMin = 28

const random = randomFrom(20_261_122)

function randomCard(index: number): CardParams {
  const texts = randomText(random)
  const scheme = schemes[random.below(3)]
  return {
    theme: themeNames[index % themeNames.length] ?? 'aurora',
    size: sizeNames[Math.floor(index / themeNames.length) % sizeNames.length] ?? 'og',
    ...(scheme && { scheme }),
    ...(Math.floor(index / 7) % 3 === 0 && { align: 'center' }),
    ...(random.below(3) > 0 && { accent: randomAccent() }),
    ...texts,
  }
}

/** Two of three cards have a brand, most of those a logo, some a background of their own or a picture. */
function randomBrand(index: number, pictures: readonly BrandPicture[]): CardBrand | undefined {
  if (random.below(3) === 0) return undefined
  const { subtitle = '' } = randomText(random)
  const footer = Array.from(subtitle).slice(0, 120).join('').trim()
  return {
    key: `brand${index}@1`,
    ...(random.below(4) > 0 && { logo: randomLogo(random) }),
    ...(random.below(2) === 0 && { footer }),
    ...(random.below(3) === 0 && { ground: randomAccent().slice(1) }),
    ...(random.below(3) === 0 && { ground2: randomAccent().slice(1) }),
    ...(random.below(3) === 0 && { picture: random.pick(pictures) }),
  }
}

function randomAccent(): string {
  const isExtreme = random.below(4) === 0
  return isExtreme ? random.pick(extremeColors) : `#${random.below(0x1000000).toString(16).padStart(6, '0')}`
}

/** Lines of one text may share the room of a line: accents reach into the line above. */
function placeFaults(composed: ComposedCard): string[] {
  const { scene, content } = composed
  const { lines, shapes } = thingsOn(composed)
  const { widthPx, heightPx } = scene
  const isMirrored = scene.background.body.includes('matrix(-1')
  const left = isMirrored ? widthPx - content.x - content.width : content.x
  const area = { left, top: content.y, right: left + content.width, bottom: content.y + content.height }
  const card = { left: 0, top: 0, right: widthPx, bottom: heightPx }
  const faults: string[] = []
  if (!isInside(area, card, -marginPxMin)) faults.push(`the content meets the edge: ${shown(area)}`)
  for (const thing of [...lines, ...shapes])
    if (!isInside(thing, area)) faults.push(`${thing.name} leaves ${shown(area)}: ${shown(thing)}`)
  for (const line of lines) {
    for (const other of lines)
      if (line.name !== other.name && overlap(line, other))
        faults.push(`${line.name} runs into ${other.name}: ${shown(line)}, ${shown(other)}`)
    for (const shape of shapes)
      if (overlap(line, shape) && !isInside(line, shape, 1))
        faults.push(`${line.name} runs into a shape: ${shown(line)}, ${shown(shape)}`)
  }
  for (const [index, shape] of shapes.entries())
    for (const other of shapes.slice(index + 1))
      if (overlap(shape, other) && !isInside(other, shape))
        faults.push(`shapes meet: ${shown(shape)}, ${shown(other)}`)
  return [...faults, ...logoPlaceFaults(composed, area, marginPxMin)]
}

function contrastFaults(composed: ComposedCard, under: (x: number, y: number) => Rgb): string[] {
  const { shapes } = thingsOn(composed)
  return composed.texts.flatMap((text) => {
    const ink = parseHex(text.fill) ?? { r: 0, g: 0, b: 0 }
    const least = Math.min(
      ...inkBoxes(text).map((box) => {
        const plate = shapes.findLast((shape) => isInside(box, shape, 1))
        const color = plate && parseHex(plate.layer.fill)
        return color ? contrastRatio(ink, color) : leastContrast(ink, box, under)
      }),
    )
    const wanted = text.role === 'title' ? 7 : 4.5
    return least < wanted ? [`${text.role} has a contrast of ${least.toFixed(2)}`] : []
  })
}

function leastContrast(ink: Rgb, box: Box, under: (x: number, y: number) => Rgb): number {
  let least = 21
  const step = 1 / usualZoom
  for (let y = box.top; y <= box.bottom; y += step)
    for (let x = box.left; x <= box.right; x += 2 * step)
      least = Math.min(least, contrastRatio(ink, under(x, y)))
  return least
}

async function faultsOf(params: CardParams, brand: CardBrand | undefined): Promise<string[]> {
  const composed = await cards.composed({ params, brand })
  const { heightPx, widthPx } = cardSizes[params.size ?? 'og']
  expect([composed.scene.widthPx, composed.scene.heightPx]).toEqual([widthPx, heightPx])
  const under = backgroundOf(composed.scene)
  const ofLogo = brand?.logo ? logoContrastFaults(composed, brand.logo, under) : []
  return [...placeFaults(composed), ...contrastFaults(composed, under), ...ofLogo]
}

function described(params: CardParams, brand: CardBrand | undefined): string {
  return JSON.stringify({ ...params, ...brand, logo: brand?.logo?.key, picture: brand?.picture?.key })
}

test('on any card nothing overlaps, nothing leaves its margins, and every text and logo can be read', async () => {
  const faults: string[] = []
  const pictures = await groundPictures()
  for (let index = 0; index < cardCount; index++) {
    const params = randomCard(index)
    const brand = randomBrand(index, pictures)
    const found = await faultsOf(params, brand)
    faults.push(...found.map((fault) => `${described(params, brand)}: ${fault}`))
  }
  expect(faults.slice(0, 12)).toEqual([])
})
