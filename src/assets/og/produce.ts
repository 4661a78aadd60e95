import type { Static } from '@sinclair/typebox'
import { assets } from '../../catalog.ts'
import { Problem } from '../../errors.ts'
import { textBody } from '../../http/body.ts'
import type { Producer } from '../../http/parsed-request.ts'
import { slug } from '../../lib/slug.ts'
import { version } from '../../lib/version.ts'
import { RasterBusy } from '../../raster/pool.ts'
import type { Scene } from '../../raster/scene.ts'
import { cardRevision } from './card-revision.ts'

export type OgQuery = Static<typeof assets.og.query>

/** What the route asks of the card engine. */
export interface CardRenderer {
  /** Loads what the words need before they can be drawn; undefined when it is there. */
  prepare(query: OgQuery): Promise<void> | undefined
  svg(query: OgQuery): string
  scene(query: OgQuery): Scene
}

/** Draws scenes off the main thread. */
export interface Rasteriser {
  scenePng(scene: Scene, widthPx: number): Promise<Uint8Array<ArrayBuffer>>
}

interface OgDeps {
  readonly cards: CardRenderer
  readonly raster: Rasteriser
}

/** `GET /api/og`: the card as SVG or PNG. */
export function ogProducer({ cards, raster }: OgDeps): Producer<typeof assets.og.query> {
  return {
    asset: assets.og,
    engineVersion: `${version}.${cardRevision}`,
    describe: ({ title, format }) => ({
      contentType: format === 'svg' ? 'image/svg+xml' : 'image/png',
      filename: `${slug(title, 'card')}.${format}`,
    }),
    async produce(query) {
      await cards.prepare(query)
      if (query.format === 'svg') return textBody(cards.svg(query))
      return raster.scenePng(cards.scene(query), query.width ?? 1200).catch(tellWhenBusy)
    },
  }
}

function tellWhenBusy(error: unknown): never {
  if (!(error instanceof RasterBusy)) throw error
  throw new Problem('busy', 'Too many pictures wait to be drawn.', { headers: { 'retry-after': '2' } })
}
