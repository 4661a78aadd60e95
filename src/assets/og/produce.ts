import { textBody } from '../../lib/body.ts'
import type { AssetParts } from '../asset-parts.ts'
import { fileHead, pngBody } from '../picture-files.ts'
import type { Producer } from '../producer.ts'
import { slug } from '../slug.ts'
import { createCardRenderer } from './card-renderer.ts'
import { cardSizes } from './card-sizes.ts'
import type { ogQuery } from './query.ts'

/** `GET /api/og`: the card as SVG or PNG. */
export function createOgProducer(parts: Pick<AssetParts, 'text' | 'raster'>): Producer<typeof ogQuery> {
  const cards = createCardRenderer(parts.text)
  return {
    describe: ({ title, format }) => fileHead(format, slug(title, 'card')),
    async produce(query) {
      await cards.prepare(query)
      if (query.format === 'svg') return textBody(cards.svg(query))
      return pngBody(
        parts.raster.scenePng(cards.compose(query).scene, query.width ?? cardSizes[query.size].widthPx),
      )
    },
  }
}
