import type { PictureDrawer } from '../raster/picture-process/picture-drawer.ts'
import type { TextDrawer } from '../text/text-drawer.ts'
import type { CardPages } from './card/card-pages.ts'
import type { CardSites } from './card/card-sites.ts'
import type { DocumentList } from './document-list.ts'
import type { LivePages } from './live-pages.ts'
import type { CardBrands } from './og/brand/card-brand.ts'
import type { DrawingPool } from './og/drawing-pool.ts'
import type { StatsSource } from './stats/stats.ts'

/** The parts of the service that producers are made from. */
export interface AssetParts {
  /** Lays out the texts of badges and avatars. */
  readonly text: TextDrawer
  readonly raster: Omit<DrawingPool, 'close'>
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
