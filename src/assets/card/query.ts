import { type Static, Type } from '@sinclair/typebox'
import { cacheLife, choice, formatted, text } from '../../lib/fields.ts'
import { ogQuery } from '../og/query.ts'

/** Everything that a card of texts has, besides what the page says. A longer text always ends with an ellipsis. */
const { title: _title, subtitle: _subtitle, author, url, overflow: _, ...looks } = ogQuery.properties

export const usualCardSeconds = 3_600

/** The parameters of the card of a page. */
export const cardQuery = Type.Object({
  page: formatted('page-url', {
    description: 'The URL of the page whose card is drawn',
    example: 'https://example.com/',
  }),
  title: Type.Optional(text(1, 300, { description: 'Replaces the title of the page' })),
  subtitle: Type.Optional(text(0, 500, { description: 'Replaces the description of the page' })),
  author: Type.Optional({ ...author, description: 'Replaces the author of the page' }),
  url: Type.Optional({ ...url, description: 'Replaces the domain of the page' }),
  picture: choice(['none', 'page'], {
    default: 'none',
    description:
      'Whether the picture of the page is on its card: what it names for previews, else the first large one of its text',
  }),
  fallback: choice(['card', 'error'], {
    default: 'card',
    description:
      'When the page cannot be read: what is known of it from before, or a card of its host name, free of charge; or an error',
  }),
  site: Type.Optional(
    formatted('site-id', {
      description: 'The id of a key that names hosts. Not taken yet: sign the address, or use demo=1',
    }),
  ),
  ...looks,
  cacheSeconds: cacheLife(usualCardSeconds),
})

export type CardQuery = Static<typeof cardQuery>
