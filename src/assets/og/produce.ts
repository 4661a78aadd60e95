import { isPixelFormat, usualQuality } from '../../raster/picture-formats.ts'
import type { AssetParts } from '../asset-parts.ts'
import type { ProduceContext, Producer } from '../kit/producer.ts'
import { DrawingClient, fileHead, slug, unlessBusy } from '../picture-files.ts'
import { findFocus } from './brand/brand-images.ts'
import type { Card } from './card-renderer.ts'
import { boundFonts } from './font-bound.ts'
import { createOwnPictureReaders } from './own-pictures.ts'
import { type OgQuery, type ogQuery, textIn } from './query.ts'
import { cardSizes } from './theme.ts'

/** `GET /api/og`: the card as SVG, as pixels, or its layout as JSON. */
export function createOgProducer(
  parts: Pick<AssetParts, 'raster' | 'brands' | 'pictures'> & {
    readonly webPictures: Pick<AssetParts['webPictures'], 'get' | 'resolve'>
  },
): Producer<typeof ogQuery> {
  const own = createOwnPictureReaders(parts.pictures)
  return {
    describe: ({ title, format }) => fileHead(format, slug(title, 'card')),
    resolve(query) {
      const brand = query.brand === undefined ? undefined : parts.brands.resolve(query.brand)
      if (typeof brand === 'string') return { parameter: 'brand', message: brand }
      const resolved = brand && { ...brand, replaced: { brand: brand.reference } }
      const named = { picture: query.picture, face: textIn(query, 'face') }
      return parts.webPictures.resolve(named, boundFonts(query, resolved))
    },
    async produce(query, context) {
      const { format, size, quality = usualQuality, width = cardSizes[size].widthPx } = query
      const card = await loadedCard(query, context)
      if (format === 'json') return unlessBusy(parts.raster.cardJson(card))
      if (!isPixelFormat(format)) return unlessBusy(parts.raster.cardSvg(card))
      return unlessBusy(parts.raster.cardPicture(card, { widthPx: width, encoding: { format, quality } }))
    },
  }

  async function loadedCard(query: OgQuery, context: ProduceContext): Promise<Card> {
    const client = new DrawingClient(context)
    const ownLogo = await own.logo(query.logo, client)
    const brand = query.brand === undefined ? undefined : await parts.brands.load(query.brand, context)
    const { webPictures } = parts
    const face = textIn(query, 'face')
    const picture = (await own.picture(query.picture, client)) ?? (await webPictures.get(query.picture))
    return {
      params: query,
      brand,
      ownLogo,
      picture: picture && { ...picture, focus: findFocus(picture.grid) },
      face: await own.face(face, await webPictures.get(face), client),
      client,
    }
  }
}
