import { avatar } from './assets/avatar/asset.ts'
import { badge } from './assets/badge/asset.ts'
import { card } from './assets/card/asset.ts'
import type { Asset } from './assets/kit/asset.ts'
import { og } from './assets/og/asset.ts'
import { preview } from './assets/preview/asset.ts'
import { sitemap } from './assets/sitemap/asset.ts'
import { createStatsAsset } from './assets/stats/asset.ts'

/** Every asset, in the order of documents. Each is a folder of `assets/` and one line here. */
export const assets = createCatalog([og, card, sitemap, avatar, badge, preview])

export function createCatalog(rows: readonly Asset[]): readonly Asset[] {
  return [...rows, createStatsAsset(rows)]
}
