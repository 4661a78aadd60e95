import { type Static, Type } from '@sinclair/typebox'
import { choice, formatted, toggle } from '../../lib/fields.ts'

export const previewQuery = Type.Object({
  url: formatted('page-url', { description: 'The URL of the page', example: 'https://example.com/' }),
  lang: Type.Optional(
    formatted('language-tag', { description: 'The language to ask the site for; sent as Accept-Language' }),
  ),
  format: choice(['json', 'oembed', 'microlink'], {
    default: 'json',
    description: 'The response format: ours, oEmbed 1.0 or Microlink’s',
  }),
  fresh: toggle({ default: false, description: 'Fetches the page again; not with demo=1' }),
})

export type PreviewQuery = Static<typeof previewQuery>
