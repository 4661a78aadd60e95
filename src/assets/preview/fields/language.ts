import { canonicalTag } from '../../language-tag.ts'
import { type FieldRule, linkedData, meta } from '../rule.ts'

function languageTag(raw = ''): string | undefined {
  const cached = tags.get(raw)
  if (cached !== undefined) return cached
  const tag = firstTag(raw)
  if (tag !== undefined && tags.size < tagsMax) tags.set(raw, tag)
  return tag
}

/** `Intl` takes longer than all other rules of a field. */
const tags = new Map<string, string>()
const tagsMax = 500

function firstTag(raw: string): string | undefined {
  if (raw.length > 100) return undefined
  const tag = raw.split(/[,;]/)[0]?.trim().replaceAll('_', '-') ?? ''
  return tag === '' || tag.length > 35 ? undefined : canonicalTag(tag)
}

const places: readonly FieldRule<string>[] = [
  { source: 'html:lang', find: ({ metadata }) => metadata.lang },
  meta('og:locale'),
  {
    source: 'meta:content-language',
    find: ({ metadata }) => metadata.metas.find(({ key }) => key === 'content-language')?.content,
  },
  meta('dc.language'),
  linkedData('inLanguage'),
  { source: 'header:content-language', find: ({ headers }) => headers['content-language'] },
]

export const languageRules: readonly FieldRule<string>[] = places.map(({ source, find }) => ({
  source,
  find: (page) => languageTag(find(page)),
}))
