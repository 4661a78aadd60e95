import { linkedData, meta, type Rule } from '../rule.ts'

function languageTag(raw: string | null | undefined): string | null {
  const tag = raw?.split(/[,;]/)[0]?.trim().replaceAll('_', '-') ?? ''
  if (tag === '' || tag.length > 35) return null
  try {
    return Intl.getCanonicalLocales(tag)[0] ?? null
  } catch {
    return null
  }
}

const places: readonly Rule<string>[] = [
  { source: 'html:lang', find: ({ metadata: facts }) => facts.lang },
  meta('og:locale'),
  {
    source: 'meta:content-language',
    find: ({ metadata: facts }) => facts.metas.find(({ key }) => key === 'content-language')?.content ?? null,
  },
  meta('dc.language'),
  linkedData('inLanguage'),
  { source: 'header:content-language', find: ({ headers }) => headers['content-language'] ?? null },
]

export const languageRules: readonly Rule<string>[] = places.map(({ source, find }) => ({
  source,
  find: (page) => languageTag(find(page)),
}))
