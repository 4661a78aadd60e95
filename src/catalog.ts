import { type TObject, Type } from '@sinclair/typebox'
import { avatarQuery } from './assets/avatar/query.ts'
import { badgeQuery, badgeRules, logoRule } from './assets/badge/query.ts'
import { themeNames } from './assets/og/themes.ts'
import { previewQuery } from './assets/preview/query.ts'
import { domainRule, sitemapQuery } from './assets/sitemap/query.ts'
import { statsQuery } from './assets/stats/query.ts'
import { cacheLife, choice, formatted, integer, text } from './lib/fields.ts'

/** One thing that callers can ask for. A row drives its route, validation, 402 body, price list and documents. */
export interface Asset<Query extends TObject = TObject> {
  /** The word in settings and statistics: `og` has its price in `PRICE_OG` and counts under `og`. */
  readonly id: string
  readonly path: string
  /** The value of `kind` that selects the asset where several share a path. */
  readonly kind?: string
  /** Further paths with parameters that they preset. */
  readonly alternatives?: readonly {
    readonly path: string
    readonly defaults: Readonly<Record<string, string>>
  }[]
  /** A URL of another service that works here too: see `src/routes/compatibility-urls.ts`. */
  readonly familiar?: { readonly service: string; readonly url: string }
  /** The default price of one call in micros; absent when the asset is free. */
  readonly priceMicros?: number
  /** One line, ASCII: it stands in payment headers too. */
  readonly summary: string
  readonly query: Query
  /** Rules over several parameters; each wrong parameter is named. */
  readonly rules?: readonly Rule[]
  /** A query that works, credentials left out. */
  readonly example: Readonly<Record<string, string>>
  readonly mediaTypes: readonly string[]
}

/** Answers what is wrong with a decoded query, or undefined. Parameters that are wrong by themselves are missing. */
export type Rule = (
  query: Readonly<Record<string, unknown>>,
) => { parameter: string; message: string } | undefined

const og = asset({
  id: 'og',
  path: '/api/og',
  alternatives: [{ path: '/api/og.png', defaults: { format: 'png' } }],
  priceMicros: 10_000,
  summary: 'An Open Graph card of your words, 1200 by 630',
  query: Type.Object({
    title: text(1, 80, { description: 'The words of the card', example: 'Hello, world' }),
    subtitle: Type.Optional(text(0, 120, { description: 'A line below the title' })),
    author: Type.Optional(text(0, 80, { description: 'Who wrote it' })),
    url: Type.Optional(text(0, 120, { description: 'Where it is published; shown as a domain' })),
    theme: choice(themeNames, { default: 'aurora', description: 'The look' }),
    accent: Type.Optional(
      formatted('hex-color', {
        description:
          'The accent colour, moved where text would not be readable; chosen from the url or title when missing',
        example: '7c3aed',
      }),
    ),
    lang: Type.Optional(
      formatted('language-tag', {
        description: 'The language: chooses Han forms and casing; guessed when missing',
      }),
    ),
    format: choice(['svg', 'png'], { default: 'svg', description: 'What to answer' }),
    width: Type.Optional(
      integer(300, 2400, {
        description: 'The width in pixels of a PNG, 1200 when missing; the height follows 1200:630',
      }),
    ),
    cacheSeconds: cacheLife(86_400),
  }),
  rules: [onlyWith('width', 'format', 'png')],
  example: { title: 'Hello, world', subtitle: 'Cards from a URL', theme: 'aurora' },
  mediaTypes: ['image/svg+xml', 'image/png'],
})

const avatar = asset({
  id: 'avatar',
  path: '/api/transform',
  kind: 'avatar',
  familiar: { service: 'ui-avatars.com', url: '/api/?name=Ada+Lovelace&rounded=true' },
  priceMicros: 10_000,
  summary: 'An avatar with the initials of a name, in every script',
  query: avatarQuery,
  example: { name: 'Ada Lovelace' },
  mediaTypes: ['image/svg+xml', 'image/png', 'application/json'],
})

const badge = asset({
  id: 'badge',
  path: '/api/transform',
  kind: 'badge',
  familiar: { service: 'shields.io', url: '/badge/build-passing-brightgreen?style=flat-square' },
  priceMicros: 10_000,
  summary: 'A badge of two words, readable in every colour',
  query: badgeQuery,
  rules: badgeRules,
  example: { label: 'build', value: 'passing', status: 'success' },
  mediaTypes: ['image/svg+xml', 'image/png', 'application/json'],
})

const preview = asset({
  id: 'preview',
  path: '/api/transform',
  kind: 'preview',
  priceMicros: 1_000_000,
  summary: 'What a page says about itself: title, image, author, dates and more',
  query: previewQuery,
  example: { url: 'https://example.com/' },
  mediaTypes: ['application/json'],
})

const sitemap = asset({
  id: 'sitemap',
  path: '/api/sitemap',
  priceMicros: 10_000,
  summary: 'robots.txt, sitemap.xml and llms.txt of a site',
  query: sitemapQuery,
  rules: [domainRule, notBoth('file', 'format', 'zip')],
  example: { domain: 'example.com' },
  mediaTypes: ['application/json', 'application/zip', 'text/plain', 'application/xml'],
})

const stats = asset({
  id: 'stats',
  path: '/api/transform',
  kind: 'stats',
  summary: 'How busy the service is',
  query: statsQuery,
  rules: [logoRule],
  example: {},
  mediaTypes: ['application/json', 'image/svg+xml', 'text/plain'],
})

/** Every asset by its id. Prices and limits live here and nowhere else. */
export const assets = { og, sitemap, avatar, badge, preview, stats } as const

/** The assets that cost something, as rows. */
export const pricedAssets: readonly Asset[] = Object.values(assets).filter(
  (row: Asset) => row.priceMicros !== undefined,
)

function asset<Query extends TObject>(row: Asset<Query>): Asset<Query> {
  return row
}

function notBoth(parameter: string, other: string, value: string): Rule {
  return (query) =>
    query[parameter] !== undefined && query[other] === value
      ? { parameter, message: `is not for ${other}=${value}` }
      : undefined
}

/** `other` has a default: where it is missing it is wrong, and the rule cannot say anything. */
function onlyWith(parameter: string, other: string, value: string): Rule {
  return (query) =>
    query[parameter] === undefined || query[other] === undefined || query[other] === value
      ? undefined
      : { parameter, message: `is only for ${other}=${value}` }
}
