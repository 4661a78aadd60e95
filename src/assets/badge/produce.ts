import { invalidQuery } from '../../errors.ts'
import { textBody } from '../../lib/body.ts'
import { loadedOnce } from '../../lib/memo.ts'
import { PictureRefused } from '../../raster/picture-process/picture-drawer.ts'
import type { AssetParts } from '../asset-parts.ts'
import type { ProduceContext, Producer } from '../kit/producer.ts'
import { DrawingClient, fileHead, jsonBody, slug, throwUndrawn, unlessBusy } from '../picture-files.ts'
import { type Badge, logoHeightPx } from './badge.ts'
import { createLiveBadges } from './live/live-badges.ts'
import { documentSourceOf } from './live/source.ts'
import { badgeOf, type badgeQuery, badgeWords, shieldsEndpoint } from './query.ts'

export function createBadgeProducer(parts: AssetParts): Producer<typeof badgeQuery> {
  const { text, raster, pictures } = parts
  // Loaded with the first badge, because many servers draw other assets alone, and many processes none.
  const withBadges = loadedOnce(async () => (await import('./badge-renderer.ts')).createBadgeRenderer(text))
  return {
    resolve: createLiveBadges(parts),
    describe: (query) => {
      const { label, message } = badgeWords(query)
      return fileHead(query.format, slug(`${label} ${message}`, 'badge'))
    },
    produce(query, context) {
      const source = documentSourceOf(query)
      if (source !== undefined)
        throw invalidQuery([{ parameter: source.parameter, message: 'is only for a server that is running' }])
      const badge = badgeOf(query)
      if (query.format === 'json') return jsonBody(shieldsEndpoint(badge))
      if (query.format === 'svg') {
        const svg = unlessBusy(withBadges((badges) => badges.svg(badge, new DrawingClient(context))))
        return typeof svg === 'string' ? textBody(svg) : svg.then(textBody)
      }
      return unlessBusy(outlinedPng(badge, context))
    },
  }

  async function outlinedPng(badge: Badge, context: ProduceContext): Promise<Uint8Array<ArrayBuffer>> {
    const client = new DrawingClient(context)
    let { logo } = badge
    if (logo?.kind === 'image') {
      const { href, widthPx } = logo
      // The process for callers' pictures makes it a PNG that is safe to draw here.
      const picture = { href, widthPx, heightPx: logoHeightPx, zoom: Math.ceil(badge.scale) }
      const png = await pictures.draw(picture, client).catch(throwUndrawnLogo)
      logo = { ...logo, href: `data:image/png;base64,${Buffer.from(png).toString('base64')}` }
    }
    return raster.svgPng(await withBadges((badges) => badges.outlines({ ...badge, logo }, client)), client)
  }
}

function throwUndrawnLogo(error: unknown): never {
  if (error instanceof PictureRefused) throw invalidQuery([{ parameter: 'logo', message: error.message }])
  return throwUndrawn(error)
}
