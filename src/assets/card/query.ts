import { type Static, Type } from '@sinclair/typebox'
import { cacheLife, choice, formatted, optional, text } from '../../lib/fields.ts'
import type { RawQueryPair } from '../../lib/query-pairs.ts'
import { lookFields, ogQuery } from '../og/query.ts'
import { templateNames, usualTemplate } from '../og/templates.ts'
import texts from './parameter-texts.json' with { type: 'json' }

export const templateChoices = ['auto', ...templateNames] as const

const { author, eyebrow, url } = ogQuery.properties

export const usualFreshness = { seconds: 3_600, staleSeconds: 86_400 }
export const soonAgain = { seconds: 60, staleSeconds: 0 }

export const cardQuery = Type.Object({
  page: formatted('page-url', texts.page),
  ...optional({
    title: text(1, 300, texts.title),
    subtitle: text(0, 500, texts.subtitle),
    author: { ...author, description: 'Replaces the author of the page' },
    url: { ...url, description: 'Replaces the domain of the page' },
    picture: formatted('page-picture', texts.picture),
    face: formatted('page-picture', texts.face),
  }),
  fallback: choice(['card', 'error'], { default: 'card', ...texts.fallback }),
  site: Type.Optional(formatted('site-id', texts.site)),
  eyebrow,
  ...lookFields,
  template: Type.Optional(choice(templateChoices, { ...texts.template, whenMissing: usualTemplate })),
  cacheSeconds: cacheLife(usualFreshness.seconds),
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
