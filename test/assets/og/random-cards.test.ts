import { expect, test } from 'bun:test'
import type { BrandPicture } from '../../../src/assets/og/brand/brand-images.ts'
import type { CardBrand } from '../../../src/assets/og/brand/card-brand.ts'
import type { CardParams } from '../../../src/assets/og/card-renderer.ts'
import { cardSizes, schemes, sizeNames } from '../../../src/assets/og/theme.ts'
import { themeNames } from '../../../src/assets/og/themes.ts'
import { randomFrom } from '../../support/random.ts'
import { sampleSize } from '../../support/test-size.ts'
import { groundPictures } from './background/pictures.ts'
import { contrastFaults, placeFaults } from './card-faults.ts'
import { cards } from './corpus.ts'
import { logoContrastFaults, randomLogo } from './logo/logo-faults.ts'
import { backgroundOf, extremeColors, randomText } from './random-text.ts'

/** How many cards are drawn, over all themes, schemes, sizes, scripts and brands. */
const cardCount = sampleSize(2400, 50)

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
