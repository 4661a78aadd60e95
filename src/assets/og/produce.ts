import { textBody } from '../../lib/body.ts'
import type { AssetParts } from '../asset-parts.ts'
import { fileHead, pictureBody } from '../picture-files.ts'
import type { Producer } from '../producer.ts'
import { slug } from '../slug.ts'
import { createCardRenderer } from './card-renderer.ts'
import { cardSizes } from './card-sizes.ts'
import { type ogQuery, usualQuality } from './query.ts'

/** `GET /api/og`: the card as SVG, or as pixels. */
export function createOgProducer(parts: Pick<AssetParts, 'text' | 'raster'>): Producer<typeof ogQuery> {
  const cards = createCardRenderer(parts.text)
  return {
    describe: ({ title, format }) => fileHead(format, slug(title, 'card')),
    async produce(query) {
      await cards.prepare(query)
      const { format, size, quality = usualQuality, width = cardSizes[size].widthPx } = query
      if (format === 'svg') return textBody(cards.svg(query))
      const encoding = format === 'png' ? { format } : { format, quality }
      return pictureBody(parts.raster.scenePicture(cards.compose(query).scene, width, encoding))
    },
  }
}
