/** The answer of `GET /api/preview`. Every key is always present; unknown values are null or empty. */
export interface Preview {
  readonly kind: 'preview'
  readonly version: 1
  readonly url: string
  readonly final_url: string
  readonly canonical: string | null
  readonly http_status: number
  readonly redirects: readonly { readonly status: number; readonly url: string }[]
  readonly content_type: string | null
  readonly charset: { readonly encoding: string | null; readonly source: string | null }
  readonly type: string | null
  readonly title: string | null
  readonly description: string | null
  readonly site_name: string | null
  readonly lang: string | null
  readonly dir: 'ltr' | 'rtl' | null
  readonly author: string | null
  readonly authors: readonly string[]
  readonly published: string | null
  readonly modified: string | null
  readonly section: string | null
  readonly tags: readonly string[]
  readonly image: PreviewImage | null
  readonly images: readonly PreviewImage[]
  readonly videos: readonly PreviewMedia[]
  readonly audios: readonly PreviewMedia[]
  readonly player: string | null
  readonly icon: PreviewIcon | null
  readonly icons: readonly PreviewIcon[]
  readonly logo: string | null
  readonly manifest: string | null
  readonly theme_color: string | null
  readonly feeds: readonly { readonly url: string; readonly type: string; readonly title: string | null }[]
  readonly oembed: { readonly url: string; readonly format: 'json' | 'xml' } | null
  readonly alternates: readonly { readonly url: string; readonly lang: string }[]
  readonly fediverse_creator: string | null
  readonly robots: { readonly meta: string | null; readonly header: string | null }
  readonly og: Readonly<Record<string, string>>
  readonly twitter: Readonly<Record<string, string>>
  readonly jsonld: { readonly types: readonly string[] }
  /** The tag that each field comes from. */
  readonly sources: Readonly<Record<string, string>>
  /** The target of a `<meta http-equiv="refresh">`: one in the head that waits for a second at most was followed, if it could be had. */
  readonly refresh: string | null
  readonly warnings: readonly PreviewWarning[]
  readonly truncated: boolean
  readonly bytes: { readonly wire: number; readonly decoded: number }
  readonly timing_ms: PreviewTiming
  readonly fetched_at: string
  readonly cache: { readonly state: 'miss' | 'hit' | 'stale'; readonly age: number; readonly ttl: number }
}

/**
 * `not_html`: the body was not read. `private_address`: links to private hosts were left out. `oembed_failed`: what the
 * site offers by oEmbed could not be had. `refresh_failed`: the page that a refresh at once leads to could not be had.
 * `meta_refresh`: the page reloads or leads elsewhere. `truncated`: the body was not read to its end.
 */
export type PreviewWarning =
  | 'meta_refresh'
  | 'not_html'
  | 'oembed_failed'
  | 'private_address'
  | 'refresh_failed'
  | 'truncated'

export interface PreviewTiming {
  readonly dns: number
  readonly connect: number
  readonly headers: number
  readonly total: number
}

export interface PreviewImage extends PreviewMedia {
  readonly alt: string | null
  /** The tag that it comes from. */
  readonly source: string
}

export interface PreviewMedia {
  readonly url: string
  readonly secure_url: string | null
  readonly type: string | null
  readonly width: number | null
  readonly height: number | null
}

export interface PreviewIcon {
  readonly url: string
  readonly sizes: string | null
  readonly rel: string
}

/** The part of a preview that depends on the content of the page alone. */
export type PageFields = Omit<
  Preview,
  | 'kind'
  | 'version'
  | 'url'
  | 'final_url'
  | 'http_status'
  | 'redirects'
  | 'content_type'
  | 'charset'
  | 'truncated'
  | 'bytes'
  | 'timing_ms'
  | 'fetched_at'
  | 'cache'
>
