import { type Static, Type } from '@sinclair/typebox'
import {
  anyObject,
  count,
  counts,
  type DeepReadonly,
  instant,
  nullable,
  string,
  strings,
  stringsByName,
  webAddress,
} from '../../lib/answer-schemas.ts'

export type PreviewWarning =
  | 'meta_refresh'
  | 'not_html'
  | 'oembed_failed'
  | 'private_address'
  | 'refresh_failed'
  | 'truncated'

const media = {
  url: webAddress,
  secure_url: nullable(webAddress),
  type: nullable(string),
  width: nullable(Type.Number()),
  height: nullable(Type.Number()),
}
const mediaSchema = Type.Object(media)
const pageImage = Type.Object({ ...media, alt: nullable(string), source: string })
const pageIcon = Type.Object({ url: webAddress, sizes: nullable(string), rel: string })

function tagMembers(prefix: string) {
  return Type.Record(string, string, {
    description: `What the page says under names that begin with ${prefix}, unchanged. A member that is an address and does not lead to a public host by http or https is left out, like every such address in other fields.`,
  })
}

const fieldsSchema = Type.Object({
  canonical: nullable(webAddress),
  type: nullable(string),
  title: nullable(string),
  description: nullable(string),
  site_name: nullable(string),
  lang: nullable(string),
  dir: nullable(Type.Unsafe<'ltr' | 'rtl'>({ type: 'string', enum: ['ltr', 'rtl'] })),
  author: nullable(string),
  authors: strings,
  published: nullable(string),
  modified: nullable(string),
  section: nullable(string),
  tags: strings,
  image: nullable(pageImage),
  images: Type.Array(pageImage),
  videos: Type.Array(mediaSchema),
  audios: Type.Array(mediaSchema),
  player: nullable(webAddress),
  icon: nullable(pageIcon),
  icons: Type.Array(pageIcon),
  logo: nullable(webAddress),
  manifest: nullable(webAddress),
  theme_color: nullable(string),
  feeds: Type.Array(Type.Object({ url: webAddress, type: string, title: nullable(string) })),
  oembed: nullable(Type.Object({ url: webAddress, format: Type.Unsafe<'json' | 'xml'>(string) })),
  alternates: Type.Array(Type.Object({ url: webAddress, lang: string })),
  fediverse_creator: nullable(string),
  robots: Type.Object({ meta: nullable(string), header: nullable(string) }),
  og: tagMembers('og:'),
  twitter: tagMembers('twitter:'),
  jsonld: Type.Object({ types: strings }),
  sources: stringsByName,
  refresh: nullable(
    Type.String({
      format: 'uri',
      description:
        'Where a `<meta http-equiv="refresh">` of the page leads that was not followed: it waits for more than a second, is not in the head, or could not be had.',
    }),
  ),
  warnings: Type.Array(Type.Unsafe<PreviewWarning>(string), {
    description:
      'What the answer lacks: `truncated`, `not_html`, `private_address` (links to private hosts were left out), `refresh_failed` (the page has moved, and could not be had where it is now), `oembed_failed`; `meta_refresh`: the page reloads or leads elsewhere after a while.',
  }),
})

export const previewSchema = Type.Object({
  kind: Type.Literal('preview'),
  version: Type.Literal(1),
  url: webAddress,
  final_url: webAddress,
  http_status: Type.Integer(),
  redirects: Type.Array(Type.Object({ status: Type.Integer(), url: webAddress }), {
    description:
      'The addresses that led elsewhere, in order. A page that moves its readers by `<meta http-equiv="refresh">` within a second is one of them, with its own status.',
  }),
  content_type: nullable(string),
  charset: Type.Object({ encoding: nullable(string), source: nullable(string) }),
  ...fieldsSchema.properties,
  truncated: Type.Boolean(),
  bytes: counts('wire', 'decoded'),
  timing_ms: Type.Object({
    dns: Type.Number(),
    connect: Type.Number(),
    headers: Type.Number(),
    total: Type.Number(),
  }),
  fetched_at: instant,
  cache: Type.Object({
    state: Type.Unsafe<'miss' | 'hit' | 'stale'>(string),
    age: Type.Number(),
    ttl: Type.Number(),
  }),
})

/** The answer of `GET /api/preview`. Every key is always present; unknown values are null or empty. */
export type Preview = DeepReadonly<Static<typeof previewSchema>>
export type PreviewImage = DeepReadonly<Static<typeof pageImage>>
export type PreviewMedia = DeepReadonly<Static<typeof mediaSchema>>
export type PreviewIcon = DeepReadonly<Static<typeof pageIcon>>

export type PageFields = DeepReadonly<Static<typeof fieldsSchema>>

/** The answer for `format=oembed`; what the page does not say is left out. */
export const oembedSchema = Type.Object({
  version: string,
  type: string,
  title: Type.Optional(string),
  author_name: Type.Optional(string),
  provider_name: string,
  provider_url: webAddress,
  url: webAddress,
  description: Type.Optional(string),
  thumbnail_url: Type.Optional(webAddress),
  thumbnail_width: Type.Optional(count),
  thumbnail_height: Type.Optional(count),
  cache_age: Type.Number(),
})

export const microlinkSchema = Type.Object({
  status: string,
  statusCode: Type.Integer(),
  redirects: Type.Array(Type.Object({ statusCode: Type.Integer(), url: webAddress })),
  data: anyObject,
})
