import type { PictureDrawer } from '../raster/picture-process/picture-drawer.ts'
import type { RasterPool } from '../raster/pool.ts'
import type { TextEngine } from '../text/text-engine.ts'
import type { CardPages } from './card/card-pages.ts'
import type { CardSites } from './card/card-sites.ts'
import type { DocumentList } from './document-list.ts'
import type { LivePages } from './live-pages.ts'
import type { CardBrands } from './og/brand/card-brand.ts'
import type { StatsSource } from './stats/stats.ts'

/** The parts of the service that producers are made from. */
export interface AssetParts {
  readonly text: TextEngine
  readonly raster: Pick<RasterPool, 'scenePicture' | 'svgPng'>
  /** Draws pictures that callers bring. */
  readonly pictures: Pick<PictureDrawer, 'convert' | 'draw' | 'svgPng'>
  readonly livePages: LivePages
  /** The operator's list of the documents of live badges. */
  readonly documentList?: DocumentList
  /** The pages whose cards are drawn. */
  readonly cardPages: CardPages
  /** The keys whose pages have cards without a signature. */
  readonly cardSites: CardSites
  readonly brands: CardBrands
  readonly stats: StatsSource
}
