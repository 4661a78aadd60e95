import { assets } from '../catalog.ts'
import type { KeyRow } from '../store/keys.ts'
import type { Refusal } from './authorization.ts'

/** Ids of the assets that a key can be limited to: everything that is counted. */
export const keyAssetIds: readonly string[] = assets.flatMap(({ id, priceMicros }) =>
  priceMicros === undefined ? [] : [id],
)

/** `mistake` goes on after the name of the list: "names logo, which is no asset". Without assets a key may call all. */
export type AssetsResult = { readonly assets: readonly string[] } | { readonly mistake: string }

/** Reads a list such as `og,badge`. `all`, every asset and nothing at all mean the same: no limit. */
export function readKeyAssets(list: string): AssetsResult {
  const named = list.split(/[\s,]+/).filter((id) => id !== '')
  if (named.length === 1 && named[0] === 'all') return { assets: [] }
  const unknown = named.find((id) => !keyAssetIds.includes(id))
  if (unknown !== undefined)
    return { mistake: `names ${unknown.slice(0, 100)}, and an asset is one of ${keyAssetIds.join(', ')}` }
  const allowed = keyAssetIds.filter((id) => named.includes(id))
  return { assets: allowed.length === keyAssetIds.length ? [] : allowed }
}

/** The assets that a key may call; undefined: all of them. */
export function assetsOf({ assets }: Pick<KeyRow, 'assets'>): readonly string[] | undefined {
  return assets === '' ? undefined : assets.split(',')
}

/** Whether a key may call an asset. */
export function mayCall({ assets }: Pick<KeyRow, 'assets'>, assetId: string): boolean {
  return assets === '' || assets.split(',').includes(assetId)
}

/** The refusal of a call of an asset that is not among those of its key. Other credentials may grant it. */
export function assetNotAllowed(key: Pick<KeyRow, 'assets'>, assetId: string): Refusal {
  const allowed = (assetsOf(key) ?? keyAssetIds).join(', ')
  return {
    code: 'asset_not_allowed',
    detail: `This key may call ${allowed}, and not ${assetId}. Use another key, or ask the operator to allow ${assetId}.`,
  }
}
