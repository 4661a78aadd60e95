import type { Granted } from '../../access/authorization.ts'
import type { AssetHead } from '../../assets/producer.ts'
import { type AssetHeaderInput, assetHeaders, type NamedAsset, nameAsset } from '../asset-headers.ts'

interface Template {
  readonly input: AssetHeaderInput
  readonly headers: Headers
}

/** The most recently used first: to compare a few costs less than to build the key of a map. */
const templates: Template[] = []
const templatesMax = 30

/**
 * The same headers from a template shared by all responses that have them, which takes 1.0 µs with the rest of a response
 * instead of 2.4. The caller sets what is its own, always the same names, before `Response` copies the headers.
 */
export function assetHeaderTemplate(input: AssetHeaderInput): Headers {
  const [latest] = templates
  if (latest !== undefined && isSame(latest.input, input)) return latest.headers
  const index = templates.findIndex((template) => isSame(template.input, input))
  const found = templates[index]
  if (found !== undefined) {
    templates.unshift(...templates.splice(index, 1))
    return found.headers
  }
  const headers = assetHeaders(input)
  if (templates.length >= templatesMax) templates.pop()
  templates.unshift({ input, headers })
  return headers
}

/** The headers of one cached asset, and the values that they were made for. */
interface AssetTemplate {
  readonly cacheControl: string
  readonly mode: Granted['mode']
  readonly limit: number | null | undefined
  readonly resetsAtMs: number | undefined
  readonly headers: Headers
}

const templateOfAsset = new WeakMap<NamedAsset, AssetTemplate>()

/**
 * The template of one cached asset, which has its names too: a repeated request then sets three headers instead of five,
 * which saves 0.25 µs. Path, type, encoding and tag always belong to the asset.
 */
export function cachedAssetHeaderTemplate(
  asset: NamedAsset & Pick<AssetHead, 'contentType'>,
  path: string,
  tag: string,
  cacheControl: string,
  grant: Pick<Granted, 'mode' | 'quota'>,
): Headers {
  const { mode, quota } = grant
  const found = templateOfAsset.get(asset)
  if (
    found !== undefined &&
    found.cacheControl === cacheControl &&
    found.mode === mode &&
    found.limit === quota?.limit &&
    found.resetsAtMs === quota?.resetsAtMs
  )
    return found.headers
  const { contentType, encoding } = asset
  const headers = nameAsset(
    new Headers(assetHeaderTemplate({ path, contentType, cacheControl, encoding, grant })),
    tag,
    asset,
  )
  const { limit, resetsAtMs } = quota ?? {}
  templateOfAsset.set(asset, { cacheControl, mode, limit, resetsAtMs, headers })
  return headers
}

/** `remaining` is left out: each response sets it. */
function isSame(one: AssetHeaderInput, other: AssetHeaderInput): boolean {
  return (
    one.path === other.path &&
    one.contentType === other.contentType &&
    one.cacheControl === other.cacheControl &&
    one.encoding === other.encoding &&
    one.grant?.mode === other.grant?.mode &&
    one.grant?.quota?.limit === other.grant?.quota?.limit &&
    one.grant?.quota?.resetsAtMs === other.grant?.quota?.resetsAtMs
  )
}
