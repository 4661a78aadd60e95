import { Buffer } from 'node:buffer'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { CardBrand } from '../../src/assets/og/brand/card-brand.ts'
import { type CardParams, createCardRenderer } from '../../src/assets/og/card-renderer.ts'
import { type SizeName, sizeNames } from '../../src/assets/og/card-sizes.ts'
import { mayNeedManyFonts, withFontCount } from '../../src/assets/og/font-bound.ts'
import { sceneToSvg } from '../../src/assets/og/scene-to-svg.ts'
import { type Scheme, schemes } from '../../src/assets/og/theme.ts'
import { throwBusy, unlessBusy } from '../../src/assets/picture-files.ts'
import { Problem } from '../../src/errors.ts'
import { type Body, piecesBody } from '../../src/lib/body.ts'
import { createFairLimiter, LimiterFull } from '../../src/lib/fair-limiter.ts'
import type { QueueClient } from '../../src/lib/waiter.ts'
import { pictureFormats } from '../../src/raster/picture-formats.ts'
import type { RasterPool } from '../../src/raster/pool.ts'
import type { Scene } from '../../src/raster/scene.ts'
import type { TextEngine } from '../../src/text/text-engine.ts'
import { type BrandDetails, brandDetails } from './brand-details.ts'

export interface BrandPictureParts {
  readonly text: TextEngine
  readonly raster: Pick<RasterPool, 'scenePicture'>
}

export interface BrandPreview {
  readonly size: SizeName
  readonly scheme: Scheme
  /** A `data:` URI. */
  readonly source: string
}

export interface DrawnBrand extends BrandDetails {
  readonly previews: readonly BrandPreview[]
  /** The card of a page that names no scheme: a `data:` URI. */
  readonly shared: string
}

interface Picture {
  readonly contentType: string
  readonly body: Body
}

/** Width in pixels at which each size is rasterized: twice the width at which pages show it. */
const widthsPx: Readonly<Record<SizeName, number>> = {
  og: 720,
  github: 600,
  x: 720,
  square: 360,
  portrait: 320,
  pin: 300,
}

export const sampleHost = 'example.com'

/** The texts on the cards of a preview, besides the title. */
export const sampleTexts = {
  subtitle: 'Notes on shipping often, and on what to leave out',
  author: 'Mira Holm',
  url: `${sampleHost}/notes`,
}

interface Sample {
  readonly title: string
  readonly size: SizeName
  readonly scheme: Scheme | undefined
}

/** The title is cut where its characters need more fonts than a card loads. */
async function sampleParams({ title, size, scheme }: Sample): Promise<CardParams> {
  const params: CardParams = { ...sampleTexts, title, size, ...(scheme && { scheme }) }
  return mayNeedManyFonts(params) ? await withFontCount(({ cutToFonts }) => cutToFonts(params)) : params
}

/**
 * Draws the cards of brands for the operator: counted on no quota and kept in no cache. Few are drawn at once, and the
 * sessions take turns.
 */
export function createBrandPreviews({ text, raster }: BrandPictureParts) {
  const cards = createCardRenderer(text)
  const limiter = createFairLimiter({ runningMax: 2, waitingMax: 100 })

  async function draw(
    params: CardParams,
    size: SizeName,
    brand: CardBrand,
    client: QueueClient,
  ): Promise<Picture> {
    // All cards of a preview in one turn of the event loop would be a stall that calls feel.
    await nextTurn()
    const card = { params, brand, client }
    if (!hasPixels(brand)) return svgPicture(await unlessBusy(cards.svgPieces(card)))
    const { scene } = await unlessBusy(cards.composed(card))
    return rasterized(scene, widthsPx[size], client)
  }

  async function rasterized(scene: Scene, widthPx: number, client: QueueClient): Promise<Picture> {
    const encoding = { format: 'webp', quality: 82 } as const
    const body = await raster.scenePicture(scene, widthPx, encoding, client).catch(throwBusy)
    return { contentType: pictureFormats[encoding.format].mediaType, body }
  }

  function bounded<Result>(client: QueueClient, job: () => Promise<Result>): Promise<Result> {
    return limiter.run(client, job).catch((error) => {
      if (!(error instanceof LimiterFull)) throw error
      throw new Problem('busy', 'Too many previews are drawn at this moment.', {
        headers: { 'retry-after': '2' },
        cause: error,
      })
    })
  }

  /** One card, which says the title. The scheme is the brand's own if absent. */
  async function picture(
    client: QueueClient,
    brand: CardBrand,
    { title, size = 'og', scheme }: { title: string; size?: SizeName; scheme?: Scheme },
  ): Promise<Picture> {
    const params = await sampleParams({ title, size, scheme })
    return bounded(client, () => draw(params, size, brand, client))
  }

  /** Every size in both schemes. */
  function all(client: QueueClient, brand: CardBrand, title: string): Promise<readonly BrandPreview[]> {
    const wanted = schemes.flatMap((scheme) => sizeNames.map((size) => ({ scheme, size })))
    return Promise.all(
      wanted.map(async ({ scheme, size }) => {
        const source = dataUri(await picture(client, brand, { title, size, scheme }))
        return { scheme, size, source }
      }),
    )
  }

  function details(client: QueueClient, brand: CardBrand, title: string): Promise<BrandDetails> {
    return brandDetails(brand, {
      text,
      async compose(scheme) {
        await nextTurn()
        const params = await sampleParams({ title, size: 'og', scheme })
        return await unlessBusy(cards.composed({ params, brand, client }))
      },
      async encode(scene, widthPx, isLarge) {
        if (isLarge) return dataUri(await bounded(client, () => rasterized(scene, widthPx, client)))
        return dataUri(svgPicture(sceneToSvg(scene, { title: '', desc: '' })))
      },
    })
  }

  return {
    picture,
    all,
    /** The cards, and what the form shows beside its fields. */
    async drawn(client: QueueClient, brand: CardBrand, title: string): Promise<DrawnBrand> {
      const previews = await all(client, brand, title)
      const shared = dataUri(await picture(client, brand, { title }))
      return { previews, shared, ...(await details(client, brand, title)) }
    },
  }
}

function svgPicture(pieces: readonly string[]): Picture {
  return { contentType: pictureFormats.svg.mediaType, body: piecesBody(pieces) }
}

function dataUri({ contentType, body }: Picture): string {
  return `data:${contentType};base64,${Buffer.from(body).toString('base64')}`
}

/** Pictures would be large within each of several SVGs. */
function hasPixels({ picture, logo }: CardBrand): boolean {
  return picture !== undefined || logo?.kind === 'pixels'
}
