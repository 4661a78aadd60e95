import type {
  AvatarParameters,
  BadgeParameters,
  OgParameters,
  PageCardParameters,
  PreviewParameters,
  SitemapParameters,
} from './parameters.generated.ts'

/** A URL as text, or a `URL`: named by its one member, as projects without the types of the DOM know no `URL`. */
export type Address = string | { readonly href: string }

/** The pair from `GET /api/key`. The secret belongs into the build or the server, never into a page. */
export interface KeyPair {
  readonly key: string
  readonly secret: string
}

export interface SignOptions {
  /** Unix seconds; now unless given. */
  readonly t?: number | undefined
}

/** Parameters of an endpoint that is not known when types are checked: they are checked when the URL is made. */
export type EmbedParameters = Readonly<Record<string, ParameterValue | readonly ParameterValue[] | undefined>>
export type ParameterValue = string | number | boolean

/** The parameters of an endpoint that is written out, such as `${service}/api/og`, else `EmbedParameters`. */
export type ParametersOf<Endpoint> = Endpoint extends `${string}?kind=${infer Kind}`
  ? ParametersByAsset[Kind & keyof ParametersByAsset]
  : Endpoint extends `${string}?${string}`
    ? EmbedParameters
    : Endpoint extends `${string}/api/og.${string}`
      ? OgParameters
      : Endpoint extends `${string}/api/card.${string}`
        ? PageCardParameters
        : Endpoint extends `${string}/api/${infer Asset extends keyof ParametersByAsset}`
          ? ParametersByAsset[Asset]
          : EmbedParameters

interface ParametersByAsset {
  readonly og: OgParameters
  readonly card: PageCardParameters
  readonly avatar: AvatarParameters
  readonly badge: BadgeParameters
  readonly preview: PreviewParameters
  readonly sitemap: SitemapParameters
}

export interface EmbedOptions {
  /**
   * Unix seconds, at most ten years from now. Without it the address holds for as long as the key; in the query form until
   * the start of the year after next.
   */
  readonly exp?: number | undefined
  /**
   * `path` is `/i/og/…`, which nothing on the way changes; `query` is `/api/og?…`. Without it pictures have the path form,
   * and JSON, previews and site files, which have no other, the query form.
   */
  readonly form?: 'path' | 'query' | undefined
  /** `false` leaves parameters that this version of the client does not know to the service. */
  readonly check?: boolean | undefined
}

/** The parameters of `/api/og`. `format` is `png` unless given, and `jpeg` for a brand, which may stand on a picture. */
export interface CardParameters extends OgParameters {
  /** The alternative text; the title unless given. */
  readonly alt?: string | undefined
}

export interface CardImage {
  readonly url: string
  /** The media type. */
  readonly type: string
  /** In pixels. */
  readonly width: number
  readonly height: number
  readonly alt: string
}
