import { readFile } from 'node:fs/promises'
import type { CardBrand } from '../assets/og/brand/card-brand.ts'
import { type LogoDeps, readPicture } from '../assets/og/brand/read-upload.ts'
import { type CardSize, cardSizes, type SizeName } from '../assets/og/card-sizes.ts'
import type { DrawingPool } from '../assets/og/drawing-pool.ts'
import { pictureBody } from '../assets/picture-files.ts'
import type { FreeDrawings } from '../http/free-drawings.ts'
import type { RenderedAsset } from '../http/parsed-request.ts'
import type { ByteCache } from '../lib/byte-cache.ts'
import { projectFile } from '../lib/package-files.ts'
import { type ExampleBrand, exampleBrands } from './example-brands.ts'

/** A card of a brand that was made up for our own pages. */
export interface BrandCardPicture {
  /** File name with its extension. */
  readonly file: string
  readonly brand: ExampleBrand
  readonly size: SizeName
  readonly extent: CardSize
  readonly alt: string
}

/** Every example brand with a card of each shape; the first one is that of the home page. */
export const brandRows: readonly (readonly BrandCardPicture[])[] = exampleBrands.map((brand) =>
  (['og', 'square', 'portrait', 'pin'] as const).map((size) => ({
    file: `brand-${brand.name.toLowerCase().replaceAll(' ', '-')}-${size}.svg`,
    brand,
    size,
    extent: cardSizes[size],
    alt: `Card of ${brand.name}: ${brand.words.title}`,
  })),
)

const picturesByFile = new Map(brandRows.flat().map((picture) => [picture.file, picture]))

export interface BrandPicturesDeps {
  readonly raster: Pick<DrawingPool, 'cardSvg' | 'cardPicture'>
  readonly cache: ByteCache<RenderedAsset>
  readonly pictures: LogoDeps['pictures']
  readonly freeDrawings: FreeDrawings
}

/** Draws the cards of the example brands. They are no brands of this installation, so no URL of the API leads to them. */
export function createBrandPictures({ raster, cache, pictures, freeDrawings }: BrandPicturesDeps) {
  const backgrounds = new Map<string, ReturnType<typeof readPicture>>()

  /** Each file is read once, unless that fails. */
  function readBackground(file: string): ReturnType<typeof readPicture> {
    const cached = backgrounds.get(file)
    if (cached) return cached
    const reading = readFile(projectFile(file)).then((bytes) =>
      readPicture(bytes, { pictures, client: 'examples' }),
    )
    backgrounds.set(file, reading)
    reading.catch(() => backgrounds.delete(file))
    return reading
  }

  async function look({ brand, picture }: ExampleBrand): Promise<CardBrand> {
    return picture
      ? { ...brand, picture: { ...(await readBackground(picture.file)), focus: picture.focus } }
      : brand
  }

  async function draw({ brand: example, size }: BrandCardPicture): Promise<RenderedAsset> {
    const params = { ...example.words, size }
    const brand = await look(example)
    return {
      body: await pictureBody(raster.cardSvg({ params, brand, client: 'examples' })),
      contentType: 'image/svg+xml',
      filename: 'card.svg',
    }
  }

  /** Undefined for a file that is none of them. Throws `busy`. */
  return async (file: string, client: string): Promise<RenderedAsset | undefined> => {
    const picture = picturesByFile.get(file)
    if (picture === undefined) return undefined
    const key = `picture ${file}`
    if (!cache.has(key)) freeDrawings.claimOwn(key, client)
    return await cache.getOrCreate(key, () => draw(picture))
  }
}
