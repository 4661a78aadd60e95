import { addressBlock } from '../../lib/address-block.ts'
import { textBody } from '../../lib/body.ts'
import type { AssetParts } from '../asset-parts.ts'
import { fileHead, jsonBody, pngBody } from '../picture-files.ts'
import type { ProduceContext, Producer } from '../producer.ts'
import { slug } from '../slug.ts'
import type { Badge } from './badge.ts'
import { createBadgeOutliner } from './badge-outliner.ts'
import { badgeOf, type badgeQuery, badgeWords } from './query.ts'
import { rasterizeLogo } from './rasterize-logo.ts'
import { renderBadge } from './render-badge.ts'
import { shieldsEndpoint } from './shields-endpoint.ts'

/** `GET /api/badge`: a badge as SVG, PNG or the JSON that shields.io reads. */
export function createBadgeProducer({
  text,
  raster,
  pictures,
}: Pick<AssetParts, 'text' | 'raster' | 'pictures'>): Producer<typeof badgeQuery> {
  const outline = createBadgeOutliner(text)
  return {
    describe: (query) => {
      const { label, message } = badgeWords(query)
      return fileHead(query.format, slug(`${label} ${message}`, 'badge'))
    },
    produce(query, context) {
      const badge = badgeOf(query)
      if (query.format === 'json') return jsonBody(shieldsEndpoint(badge))
      if (query.format === 'svg') return textBody(renderBadge(badge))
      return pngBody(outlinedPng(badge, context))
    },
  }

  /** A badge with a caller's picture is drawn in the process for such pictures. */
  async function outlinedPng(
    badge: Badge,
    { clientAddress }: ProduceContext,
  ): Promise<Uint8Array<ArrayBuffer>> {
    if (badge.logo?.kind !== 'image') return raster.svgPng(await outline(badge))
    const client = addressBlock(clientAddress)
    const svg = await outline(await rasterizeLogo(badge, badge.logo, pictures, client))
    return pictures.svgPng(svg, client)
  }
}
