import { type TSchema, Type } from '@sinclair/typebox'

/** The shapes of our JSON answers, by their names in the OpenAPI document. */

const text = Type.String()
const count = Type.Integer({ minimum: 0 })
const instant = Type.String({ format: 'date-time' })
const day = Type.String({ format: 'date' })
const web = Type.String({ format: 'uri' })
function nullable<Schema extends TSchema>(schema: Schema) {
  return Type.Union([schema, Type.Null()])
}
const texts = Type.Array(text)
const words = Type.Record(text, text)
const anything = Type.Record(text, Type.Unknown())

function counts<const Name extends string>(...names: readonly Name[]) {
  return Type.Object(Object.fromEntries(names.map((name) => [name, count])) as Record<Name, typeof count>)
}

const media = {
  url: web,
  secure_url: nullable(web),
  type: nullable(text),
  width: nullable(Type.Number()),
  height: nullable(Type.Number()),
}

const pageImage = Type.Object({ ...media, alt: nullable(text), source: text })
const pageIcon = Type.Object({ url: web, sizes: nullable(text), rel: text })
const byEndpoint = counts('og', 'sitemap', 'avatar', 'badge', 'preview', 'stats')

export const schemas = {
  Problem: Type.Object(
    {
      type: web,
      title: text,
      status: Type.Integer(),
      detail: text,
      code: text,
      errors: Type.Array(Type.Object({ parameter: text, message: text, allowed: Type.Optional(texts) })),
    },
    { additionalProperties: true },
  ),
  PaymentRequired: Type.Object({
    x402Version: Type.Integer(),
    error: text,
    detail: Type.Optional(text),
    accepts: Type.Array(anything),
    transfer: Type.Optional(anything),
    upgrade: web,
    docs: web,
    payment_link: Type.Optional(web),
  }),
  Avatar: Type.Object({
    kind: Type.Literal('avatar'),
    name: text,
    initials: text,
    glyph: text,
    background: text,
    color: text,
    contrast: Type.Number(),
    size: Type.Integer(),
    shape: text,
  }),
  ShieldsEndpoint: Type.Object(
    { schemaVersion: Type.Integer(), label: text, message: text },
    { additionalProperties: true },
  ),
  Preview: Type.Object({
    kind: Type.Literal('preview'),
    version: Type.Literal(1),
    url: web,
    final_url: web,
    canonical: nullable(web),
    http_status: Type.Integer(),
    redirects: Type.Array(Type.Object({ status: Type.Integer(), url: web })),
    content_type: nullable(text),
    charset: Type.Object({ encoding: nullable(text), source: nullable(text) }),
    type: nullable(text),
    title: nullable(text),
    description: nullable(text),
    site_name: nullable(text),
    lang: nullable(text),
    dir: nullable(Type.Unsafe<'ltr' | 'rtl'>({ type: 'string', enum: ['ltr', 'rtl'] })),
    author: nullable(text),
    authors: texts,
    published: nullable(text),
    modified: nullable(text),
    section: nullable(text),
    tags: texts,
    image: nullable(pageImage),
    images: Type.Array(pageImage),
    videos: Type.Array(Type.Object(media)),
    audios: Type.Array(Type.Object(media)),
    player: nullable(web),
    icon: nullable(pageIcon),
    icons: Type.Array(pageIcon),
    logo: nullable(web),
    manifest: nullable(web),
    theme_color: nullable(text),
    feeds: Type.Array(Type.Object({ url: web, type: text, title: nullable(text) })),
    oembed: nullable(Type.Object({ url: web, format: text })),
    alternates: Type.Array(Type.Object({ url: web, lang: text })),
    fediverse_creator: nullable(text),
    robots: Type.Object({ meta: nullable(text), header: nullable(text) }),
    og: words,
    twitter: words,
    jsonld: Type.Object({ types: texts }),
    sources: words,
    warnings: texts,
    truncated: Type.Boolean(),
    bytes: counts('wire', 'decoded'),
    timing_ms: Type.Object({
      dns: Type.Number(),
      connect: Type.Number(),
      headers: Type.Number(),
      total: Type.Number(),
    }),
    fetched_at: instant,
    cache: Type.Object({ state: text, age: Type.Number(), ttl: Type.Number() }),
  }),
  SiteFiles: Type.Object({
    domain: text,
    origin: web,
    mode: text,
    robots: text,
    sitemap: text,
    llms: text,
    files: Type.Array(
      Type.Object({ name: text, content_type: text, bytes: count, sha256: text, source: text }),
    ),
    counts: counts('urls', 'pages', 'requests'),
    warnings: texts,
    generated_at: instant,
    ttl: count,
  }),
  Stats: Type.Object({
    kind: Type.Literal('stats'),
    service: text,
    version: text,
    now: instant,
    started_at: instant,
    uptime_seconds: count,
    day: Type.Object({
      date: day,
      resets_at: instant,
      requests: count,
      by_endpoint: byEndpoint,
      by_auth: counts('demo', 'key', 'payment', 'free'),
      by_status: counts('2xx', '3xx', '4xx', '402', '5xx'),
    }),
    total: Type.Object({ since: instant, requests: count, by_endpoint: byEndpoint }),
    last_7_days: Type.Array(Type.Object({ date: day, requests: count })),
    demo: Type.Object({ limit: count, used: count, remaining: count, resets_at: instant }),
    cache: Type.Object({
      entries: count,
      bytes: count,
      hits: count,
      misses: count,
      hit_ratio: Type.Number(),
    }),
    latency_ms: Type.Object({
      p50: nullable(Type.Number()),
      p90: nullable(Type.Number()),
      p99: nullable(Type.Number()),
    }),
    keys: counts('issued'),
    payments: counts('verified'),
  }),
  KeyPair: Type.Object({
    id: text,
    secret: text,
    note: text,
    signed_example: Type.Object({
      endpoint: text,
      payload_to_sign: text,
      unix_seconds: Type.Integer(),
      url: web,
    }),
    examples: texts,
    upgrade: web,
  }),
  Usage: Type.Object({
    key: text,
    plan: Type.Unsafe<'free' | 'unlimited'>({ type: 'string', enum: ['free', 'unlimited'] }),
    day,
    used: count,
    limit: nullable(count),
    remaining: nullable(count),
    resets_at: instant,
    last_7_days: Type.Array(Type.Object({ day, used: count })),
  }),
  UpgradeWays: Type.Object({ default: text, paths: Type.Array(anything) }),
  Upgraded: Type.Object({ key: text, plan: text, unlimited_until: nullable(instant) }),
  Discovery: anything,
  Health: Type.Object({ status: text }),
} as const satisfies Readonly<Record<string, TSchema>>

export type SchemaName = keyof typeof schemas

/** What an asset's JSON is; assets that are not listed answer some object. */
export const assetSchemas: Readonly<Record<string, readonly SchemaName[]>> = {
  avatar: ['Avatar'],
  badge: ['ShieldsEndpoint'],
  preview: ['Preview'],
  sitemap: ['SiteFiles'],
  stats: ['Stats', 'ShieldsEndpoint'],
}
