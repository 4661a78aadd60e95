import type { TObject, TSchema } from '@sinclair/typebox'
import type { RawQueryPair } from '../../lib/query-pairs.ts'
import { type PictureFormatName, pictureFormatNames, pictureFormats } from '../../raster/picture-formats.ts'
import type { AssetParts } from '../asset-parts.ts'
import type { ErrorPicture } from './error-picture.ts'
import type { AnyProducer, LiveProducer, Producer } from './producer.ts'

/** One asset. Its route, validation, price setting, statistics, OpenAPI, reference, playground and llms.txt follow from it. */
export type Asset<Query extends TObject = TObject> = AssetRow<Query> & (Rendered<Query> | Live<Query>)

interface AssetRow<Query extends TObject> {
  /** Names the asset in settings and statistics: the price of `og` is `PRICE_OG`, its calls are counted under `og`. */
  readonly id: string
  readonly title: string
  readonly path: string
  /** The value of the parameter `kind` with which `sharedPath` answers as the asset's own path. */
  readonly kind?: string
  readonly variants?: readonly {
    readonly path: string
    readonly defaults: Readonly<Record<string, string>>
  }[]
  /** A URL in another service's form that works here too: see `src/routes/compatibility/compatibility-urls.ts`. */
  readonly compatibilityUrl?: { readonly service: string; readonly url: string }
  /** The default price of one call in micros; undefined if the asset is free. */
  readonly priceMicros?: number
  /** One line of ASCII, because payment headers carry it too. */
  readonly summary: string
  readonly query: Query
  /** Returns the pairs of a query that count, where others are left out as if they were unknown. */
  readonly countedPairs?: (pairs: readonly RawQueryPair[]) => readonly RawQueryPair[]
  readonly rules?: readonly Rule[]
  /** A valid query without credentials. */
  readonly example: Readonly<Record<string, string>>
  readonly mediaTypes: readonly string[]
  /** Schemas of the JSON answers, by their names in the OpenAPI document. */
  readonly answers?: Readonly<Record<string, TSchema>>
  /** Part of every cache key and ETag: raised with each change after which equal parameters may give other bytes. */
  readonly revision: number
  /** The public counter of today's calls, which can be shown as a badge. */
  readonly metric?: { readonly name: string; readonly label: string }
  readonly playground?: Playground
  /** Draws an error for an `<img>`; undefined for an asset that is no picture. */
  readonly errorPicture?: ErrorPicture
}

interface Rendered<Query extends TObject> {
  readonly isLive?: false
  /** It is drawn from a page of another site, so that it needs a server. */
  readonly readsPages?: boolean
  createProducer(parts: AssetParts): Promise<Producer<Query>>
}

interface Live<Query extends TObject> {
  readonly isLive: true
  readonly readsPages?: true
  createProducer(parts: AssetParts): Promise<LiveProducer<Query>>
}

/** Returns what is wrong with a decoded query, or undefined. Parameters with a mistake of their own are missing from it. */
export type Rule = (
  query: Readonly<Record<string, unknown>>,
) => { readonly parameter: string; readonly message: string } | undefined

/** The form of an asset in the playground. Without one, the required parameters stand first. */
export interface Playground extends PlaygroundForm {
  /** Place among the tabs, from 1; assets without a place follow in the order of the catalog. */
  readonly tab: number
  readonly second?: PlaygroundForm & {
    readonly id: string
    readonly title: string
    /** Parameters that belong to this form alone: an address that has one of them opens it. */
    readonly names: readonly string[]
  }
}

interface PlaygroundForm {
  /** The parameters in front of the fold; two in a row stand side by side. */
  readonly rows: readonly (readonly string[])[]
  /** Texts of the form on the first visit; the example of the asset if missing. */
  readonly example?: Readonly<Record<string, string>>
  readonly labels?: Readonly<Record<string, string>>
  readonly hidden?: readonly string[]
  /** Hidden until there is a brand for everybody. */
  readonly ofBrands?: readonly string[]
  /** True if the answer can be followed as server-sent events. */
  readonly hasProgress?: boolean
}

/** The path at which every asset with a `kind` answers too. */
export const sharedPath = '/api/transform'

export interface ServedAsset {
  readonly asset: Asset
  readonly producer: AnyProducer
}

export type DrawnFormat = PictureFormatName | 'json'

const json = { mediaType: 'application/json', extensions: ['json'] } as const

export function drawnFormat(format: DrawnFormat) {
  return format === 'json' ? json : pictureFormats[format]
}

export function mediaTypesOf(formats: readonly DrawnFormat[]): readonly string[] {
  return formats.map((format) => drawnFormat(format).mediaType)
}

/** Paths such as `/api/og.png`, which preset the format, for the row of an asset. */
export function pathsOfFormats(path: string, formats: readonly DrawnFormat[]) {
  return formats.map((format) => ({
    path: `${path}.${drawnFormat(format).extensions[0]}`,
    defaults: { format },
  }))
}

export function inTabOrder<Row extends Pick<Asset, 'playground'>>(rows: readonly Row[]): readonly Row[] {
  const last = Number.MAX_SAFE_INTEGER
  return rows.toSorted((one, other) => (one.playground?.tab ?? last) - (other.playground?.tab ?? last))
}

export function notWith(parameter: string, other: string, value: string): Rule {
  return (query) =>
    query[parameter] !== undefined && query[other] === value
      ? { parameter, message: `is not for ${other}=${value}` }
      : undefined
}

/** Refuses `parameter` unless `other` has one of the values. `other` has a default, so it is missing only where it is wrong. */
export function onlyWith(parameter: string, other: string, ...values: readonly string[]): Rule {
  const message = `is only for ${values.map((value) => `${other}=${value}`).join(', ')}`
  return (query) =>
    query[parameter] === undefined || query[other] === undefined || values.includes(String(query[other]))
      ? undefined
      : { parameter, message }
}

/** The pictures of an asset that have signed addresses in the path; none where it draws none, or nobody needs to sign. */
export function addressFormats({ mediaTypes, errorPicture, priceMicros }: Asset) {
  if (errorPicture === undefined || priceMicros === undefined) return []
  return pictureFormatNames.flatMap((format) => {
    const { mediaType, extensions } = pictureFormats[format]
    return mediaTypes.includes(mediaType) ? [{ format, extension: extensions[0], mediaType }] : []
  })
}
