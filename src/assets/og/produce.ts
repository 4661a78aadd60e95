import { type Body, piecesBody } from '../../lib/body.ts'
import { loadedOnce } from '../../lib/loaded-once.ts'
import {
  isLossyFormat,
  isPixelFormat,
  type PixelFormatName,
  usualQuality,
} from '../../raster/picture-formats.ts'
import type { AssetParts } from '../asset-parts.ts'
import { DrawingClient } from '../drawing-client.ts'
import type { ProduceContext, Producer } from '../kit/producer.ts'
import { fileHead, pictureBody, unlessBusy } from '../picture-files.ts'
import { slug } from '../slug.ts'
import type { Card } from './card-renderer.ts'
import { cardSizes } from './card-sizes.ts'
import { boundFonts } from './font-bound.ts'
import { createOwnLogoReader } from './logo/own-logo.ts'
import type { OgQuery, ogQuery } from './query.ts'

/** `GET /api/og`: the card as SVG, or as pixels. */
export function createOgProducer(
  parts: Pick<AssetParts, 'text' | 'raster' | 'brands' | 'pictures'>,
): Producer<typeof ogQuery> {
  // Loaded with the first card, because many servers draw other assets alone, and many processes none.
  const withCards = loadedOnce(async () =>
    (await import('./card-renderer.ts')).createCardRenderer(parts.text),
  )
  const readOwnLogo = createOwnLogoReader(parts.pictures)
  return {
    describe: ({ title, format }) => fileHead(format, slug(title, 'card')),
    resolve(query) {
      const brand = query.brand === undefined ? undefined : parts.brands.resolve(query.brand)
      if (typeof brand === 'string') return { parameter: 'brand', message: brand }
      const resolved = brand && { ...brand, replaced: { brand: brand.reference } }
      return boundFonts(query, resolved)
    },
    produce(query, context) {
      const { brand, logo, format } = query
      if (isPixelFormat(format)) return pixelsOf(query, format, context)
      // Nothing is waited for without a brand and a logo: promises would be felt in the time of a new card.
      if (brand === undefined && logo === undefined) return svgOf({ params: query }, context)
      return loadedCard(query, context).then((card) => svgOf(card, context))
    },
  }

  async function loadedCard(query: OgQuery, context: ProduceContext): Promise<Card> {
    const ownLogo = await readOwnLogo(query.logo, new DrawingClient(context))
    const brand = query.brand === undefined ? undefined : await parts.brands.load(query.brand, context)
    return { params: query, brand, ownLogo }
  }

  function svgOf(card: Card, context: ProduceContext): Body | Promise<Body> {
    const client = new DrawingClient(context)
    const pieces = unlessBusy(withCards((cards) => cards.svgPieces({ ...card, client })))
    return pieces instanceof Promise ? pieces.then(piecesBody) : piecesBody(pieces)
  }

  async function pixelsOf(query: OgQuery, format: PixelFormatName, context: ProduceContext): Promise<Body> {
    const client = new DrawingClient(context)
    const { size, quality = usualQuality, width = cardSizes[size].widthPx } = query
    const encoding = isLossyFormat(format) ? { format, quality } : { format }
    const card = await loadedCard(query, context)
    const { scene } = await unlessBusy(withCards((cards) => cards.composed({ ...card, client })))
    return pictureBody(parts.raster.scenePicture(scene, width, encoding, client))
  }
}
