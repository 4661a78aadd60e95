import { addressBlock } from '../../lib/address-block.ts'
import { piecesBody } from '../../lib/body.ts'
import { isLossyFormat, isPixelFormat, usualQuality } from '../../raster/picture-formats.ts'
import type { AssetParts } from '../asset-parts.ts'
import type { Producer } from '../kit/producer.ts'
import { fileHead, pictureBody, unlessBusy } from '../picture-files.ts'
import { slug } from '../slug.ts'
import { createCardRenderer } from './card-renderer.ts'
import { cardSizes } from './card-sizes.ts'
import { createOwnLogoReader } from './logo/read-own-logo.ts'
import type { ogQuery } from './query.ts'

/** `GET /api/og`: the card as SVG, or as pixels. */
export function createOgProducer(
  parts: Pick<AssetParts, 'text' | 'raster' | 'brands' | 'pictures'>,
): Producer<typeof ogQuery> {
  const cards = createCardRenderer(parts.text)
  const readOwnLogo = createOwnLogoReader(parts.pictures)
  return {
    describe: ({ title, format }) => fileHead(format, slug(title, 'card')),
    resolve({ brand }) {
      const resolved = brand === undefined ? undefined : parts.brands.resolve(brand)
      if (resolved === undefined) return undefined
      if (typeof resolved === 'string') return { parameter: 'brand', message: resolved }
      return { ...resolved, replaced: { brand: resolved.reference } }
    },
    async produce(query, { clientAddress }) {
      const ownLogo = await readOwnLogo(query.logo, clientAddress)
      const brand = query.brand === undefined ? undefined : await parts.brands.load(query.brand)
      const client = addressBlock(clientAddress)
      const card = { params: query, brand, ownLogo, client }
      const { format, size, quality = usualQuality, width = cardSizes[size].widthPx } = query
      if (!isPixelFormat(format)) return piecesBody(await unlessBusy(cards.svgPieces(card)))
      const encoding = isLossyFormat(format) ? { format, quality } : { format }
      const { scene } = await unlessBusy(cards.composed(card))
      return pictureBody(parts.raster.scenePicture(scene, width, encoding, client))
    },
  }
}
