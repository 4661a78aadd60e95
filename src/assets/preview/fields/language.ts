import { memo } from '../../../lib/memo.ts'
import { canonicalTag } from '../../kit/formats.ts'
import { type FieldRule, meta } from '../rule.ts'

/** `Intl` takes longer than all other rules of a field. */
const languageTag = memo((raw: string): string => {
  const tag = raw.length > 100 ? '' : (raw.split(/[,;]/)[0]?.trim().replaceAll('_', '-') ?? '')
  return tag === '' || tag.length > 35 ? '' : (canonicalTag(tag) ?? '')
})

const places: readonly FieldRule<string>[] = [
  { source: 'html:lang', find: ({ metadata }) => metadata.lang },
  meta('og:locale'),
  {
    source: 'meta:content-language',
    find: ({ metadata }) => metadata.metas.find(({ key }) => key === 'content-language')?.content,
  },
  meta('dc.language'),
  { source: 'header:content-language', find: ({ headers }) => headers['content-language'] },
]

export const languageRules: readonly FieldRule<string>[] = places.map(({ source, find }) => ({
  source,
  find: (page) => languageTag(find(page) ?? '') || undefined,
}))

/** The direction that a page declares, or else that of the script of its language. */
export function pageDirection(declared: string | undefined, language: string | null): 'ltr' | 'rtl' | null {
  const value = declared?.trim().toLowerCase()
  if (value === 'rtl' || value === 'ltr') return value
  if (language === null) return null
  return rightToLeft.has(scriptOf(language)) ? 'rtl' : 'ltr'
}

const scriptOf = memo((language: string): string => {
  try {
    return new Intl.Locale(language).maximize().script ?? ''
  } catch {
    return ''
  }
})
const rightToLeft: ReadonlySet<string> = new Set(['Arab', 'Hebr', 'Syrc', 'Thaa', 'Nkoo', 'Adlm', 'Rohg'])
