import { createCardRenderer } from '../assets/og/card-renderer.ts'
import { type CardSize, cardSizes, type SizeName } from '../assets/og/card-sizes.ts'
import type { RenderedAsset } from '../http/parsed-request.ts'
import { textBody } from '../lib/body.ts'
import type { ByteCache } from '../lib/byte-cache.ts'
import type { TextEngine } from '../text/text-engine.ts'
import { type ExampleBrand, exampleBrands } from './example-brands.ts'

/** A card of a brand that was made up for our own pages. */
export interface BrandPicture {
  /** File name with its extension. */
  readonly file: string
  readonly brand: ExampleBrand
  readonly size: SizeName
  readonly extent: CardSize
  readonly alt: string
}

/** Every example brand with a card of each shape; the first one is that of the home page. */
export const brandRows: readonly (readonly BrandPicture[])[] = exampleBrands.map((brand) =>
  (['og', 'square', 'portrait', 'pin'] as const).map((size) => ({
    file: `brand-${brand.name.toLowerCase().replaceAll(' ', '-')}-${size}.svg`,
    brand,
    size,
    extent: cardSizes[size],
    alt: `Card of ${brand.name}: ${brand.words.title}`,
  })),
)

const pictures = new Map(brandRows.flat().map((picture) => [picture.file, picture]))

export interface BrandPicturesDeps {
  readonly text: TextEngine
  readonly cache: ByteCache<RenderedAsset>
}

/** Draws the cards of the example brands. They are no brands of this installation, so no URL of the API leads to them. */
export function createBrandPictures({ text, cache }: BrandPicturesDeps) {
  const cards = createCardRenderer(text)

  async function draw({ brand: { brand, words }, size }: BrandPicture): Promise<RenderedAsset> {
    const params = { ...words, size }
    await cards.prepare(params, brand)
    return { body: textBody(cards.svg(params, brand)), contentType: 'image/svg+xml', filename: 'card.svg' }
  }

  /** Undefined for a file that is none of them. */
  return async (file: string): Promise<RenderedAsset | undefined> => {
    const picture = pictures.get(file)
    return picture && (await cache.getOrCreate(`picture ${file}`, () => draw(picture)))
  }
}
