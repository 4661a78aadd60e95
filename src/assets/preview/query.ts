import { type Static, Type } from '@sinclair/typebox'
import { choice, formatted, toggle } from '../../lib/fields.ts'

/** The parameters of a preview. */
export const previewQuery = Type.Object({
  url: formatted('page-url', { description: 'The page', example: 'https://example.com/' }),
  lang: Type.Optional(
    formatted('language-tag', { description: 'The language to ask the site for; sent as Accept-Language' }),
  ),
  format: choice(['json', 'oembed', 'microlink'], {
    default: 'json',
    description: 'The shape of the answer: ours, oEmbed 1.0 or that of Microlink',
  }),
  fresh: toggle({ default: false, description: 'Fetches the page anew; not with demo=1' }),
})

export type PreviewQuery = Static<typeof previewQuery>
