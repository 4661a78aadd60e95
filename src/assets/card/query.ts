import { type Static, Type } from '@sinclair/typebox'
import { cacheLife, choice, formatted, optional, text } from '../../lib/fields.ts'
import type { RawQueryPair } from '../../lib/query-pairs.ts'
import { lookFields, ogQuery } from '../og/query.ts'
import { templateNames, usualTemplate } from '../og/templates.ts'

export const templateChoices = ['auto', ...templateNames] as const

const { author, eyebrow, url } = ogQuery.properties

export const usualCardSeconds = 3_600

export const cardQuery = Type.Object({
  page: formatted('page-url', {
    description: 'The URL of the page whose card is drawn',
    example: 'https://example.com/',
  }),
  ...optional({
    title: text(1, 300, { description: 'Replaces the title of the page', example: 'Hello, world' }),
    subtitle: text(0, 500, {
      description: 'Replaces the description of the page',
      example: 'Cards from a URL',
    }),
    author: { ...author, description: 'Replaces the author of the page' },
    url: { ...url, description: 'Replaces the domain of the page' },
    picture: formatted('page-picture', {
      description:
        'page: the picture that the page names for previews, else the first large one of its text; or a picture by https URL, not with demo=1',
      whenMissing: 'none',
      example: 'page',
    }),
    face: formatted('page-picture', {
      description:
        'In templates that show one: the face of the author or person that the page names, or one by https URL, not with demo=1; none: initials',
      whenMissing: 'page',
      example: 'none',
    }),
  }),
  fallback: choice(['card', 'error'], {
    default: 'card',
    description:
      'When the page cannot be read: what is known of it from before, or a card of its host name, free of charge; or an error',
  }),
  site: Type.Optional(
    formatted('site-id', {
      description:
        'The public id of a key that names hosts, for pages of these hosts, in place of a signature; beside it only page, size, format and a width of 600, 800 or 1200 count, because the look is that of the key',
    }),
  ),
  eyebrow,
  ...lookFields,
  ...optional({
    template: choice(templateChoices, {
      description:
        'The subject of the card, with what the page says of it: auto is the first that fits the page; standard where the page lacks what a template needs',
      whenMissing: usualTemplate,
    }),
  }),
  cacheSeconds: cacheLife(usualCardSeconds),
})

/** Parameters that count beside `site`: strangers may not choose among more pictures than these. */
const siteNames: ReadonlySet<string> = new Set(['site', 'page', 'size', 'format'])
const siteWidths: ReadonlySet<string> = new Set(['600', '800', '1200'])

/** The pairs of a query that count: with `site` a few, without it all of them. */
export function countedWithSite(pairs: readonly RawQueryPair[]): readonly RawQueryPair[] {
  if (!pairs.some(({ name }) => name === 'site')) return pairs
  return pairs.filter(({ name, value }) => siteNames.has(name) || (name === 'width' && siteWidths.has(value)))
}

export type CardQuery = Static<typeof cardQuery>
