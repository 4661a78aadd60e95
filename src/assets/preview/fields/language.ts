import { canonicalTag } from '../../kit/formats.ts'
import { type FieldRule, meta } from '../rule.ts'

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
  { source: 'header:content-language', find: ({ headers }) => headers['content-language'] },
]

export const languageRules: readonly FieldRule<string>[] = places.map(({ source, find }) => ({
  source,
  find: (page) => languageTag(find(page)),
}))

/** The direction that a page declares, or else that of the script of its language. */
export function pageDirection(declared: string | undefined, language: string | null): 'ltr' | 'rtl' | null {
  const value = declared?.trim().toLowerCase()
  if (value === 'rtl' || value === 'ltr') return value
  if (language === null) return null
  return rightToLeft.has(scriptOf(language) ?? '') ? 'rtl' : 'ltr'
}

function scriptOf(language: string): string | undefined {
  if (!scripts.has(language) && scripts.size < tagsMax) scripts.set(language, likelyScript(language))
  return scripts.get(language)
}

function likelyScript(language: string): string | undefined {
  try {
    return new Intl.Locale(language).maximize().script
  } catch {
    return undefined
  }
}

const scripts = new Map<string, string | undefined>()
const rightToLeft: ReadonlySet<string> = new Set(['Arab', 'Hebr', 'Syrc', 'Thaa', 'Nkoo', 'Adlm', 'Rohg'])
