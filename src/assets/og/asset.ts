import { lossyFormatNames, pixelFormatNames } from '../../raster/picture-formats.ts'
import { type Asset, mediaTypesOf, onlyWith, pathsOfFormats, type Rule } from '../kit/asset.ts'
import { logoRule } from '../logo-rule.ts'
import { cardLayoutSchema } from './card-layout.ts'
import { logoDataMistake, pictureRule } from './own-pictures.ts'
import playground from './playground.json' with { type: 'json' }
import { cardFormats, ogQuery } from './query.ts'
import { templateOf, usualTemplate } from './templates.ts'

export const ogRules: readonly Rule[] = [
  onlyWith('width', 'format', ...pixelFormatNames),
  onlyWith('quality', 'format', ...lossyFormatNames),
  logoRule(logoDataMistake),
  pictureRule('picture'),
  pictureRule('face'),
]

const templateRule: Rule = (query) => {
  const { template } = query
  const { required: parameter, rule } = templateOf(template) ?? {}
  return parameter !== undefined && query[parameter] === undefined
    ? { parameter, message: `is required with template=${template}` }
    : rule?.(query)
}

export const og: Asset<typeof ogQuery> = {
  id: 'og',
  title: 'Share card',
  path: '/api/og',
  variants: pathsOfFormats('/api/og', [...pixelFormatNames, 'json']),
  priceMicros: 10_000,
  summary: 'An Open Graph card from your text, in the size of each network',
  query: ogQuery,
  rules: [...ogRules, templateRule, onlyWith('picture', 'template', usualTemplate, 'photo')],
  example: { title: 'Hello, world', subtitle: 'Cards from a URL', theme: 'aurora' },
  mediaTypes: mediaTypesOf(cardFormats),
  answers: { CardLayout: cardLayoutSchema },
  revision: 19,
  metric: { name: 'og_today', label: 'cards today' },
  playground,
  errorPicture: {
    words: ['og', 'card', 'cards', 'opengraph'],
    draw: async (size, text) => (await import('../kit/error-picture.ts')).errorCard(size, text),
  },
  createProducer: async (parts) => (await import('./produce.ts')).createOgProducer(parts),
}
