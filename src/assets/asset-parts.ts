import type { PictureDrawer } from '../raster/picture-process/picture-drawer.ts'
import type { TextDrawer } from '../text/text-drawer.ts'
import type { CardPages } from './card/card-pages.ts'
import type { CardSites } from './card/card-sites.ts'
import type { DocumentList } from './document-list.ts'
import type { LivePages } from './live-pages.ts'
import type { CardBrands } from './og/brand/card-brand.ts'
import type { DrawingPool } from './og/drawing-pool.ts'
import type { StatsSource } from './stats/stats.ts'
import type { WebPictures } from './web-pictures.ts'

export interface AssetParts {
  readonly text: TextDrawer
  readonly raster: Omit<DrawingPool, 'close'>
  readonly pictures: Pick<PictureDrawer, 'convert' | 'draw'>
  readonly livePages: LivePages
  readonly documentList?: DocumentList
  readonly cardPages: CardPages
  readonly webPictures: WebPictures
  readonly cardSites: CardSites
  readonly brands: CardBrands
  readonly stats: StatsSource
}
