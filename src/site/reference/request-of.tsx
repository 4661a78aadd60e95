/** @jsxImportSource #jsx */
import type { Asset } from '../../assets/asset.ts'
import type { Child } from '../../lib/jsx/markup.ts'
import { formatMicros } from '../../lib/money.ts'

/** The request line of an asset: `GET /api/og`. */
export function requestOf({ path, kind }: Pick<Asset, 'path' | 'kind'>): string {
  return `GET ${path}${kind === undefined ? '' : `?kind=${kind}`}`
}

export function priceCell({ priceMicros }: Pick<Asset, 'priceMicros'>): Child {
  return priceMicros === undefined ? <span class="pill ok">free</span> : formatMicros(priceMicros)
}
