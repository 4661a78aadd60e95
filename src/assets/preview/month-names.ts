import vocabulary from './data/date-words.json' with { type: 'json' }

/**
 * The number of a month, 1 to 12, by its name in the language of the page or, failing that, in another one. Accents,
 * capitals and points do not count.
 */
export function monthNumber(name: string, language: string | undefined): number | undefined {
  const key = keyOf(name)
  const own = language?.split('-')[0]?.toLowerCase() ?? ''
  return (
    monthsOf(own).get(key) ??
    Object.keys(names)
      .map((other) => monthsOf(other).get(key))
      .find(Boolean)
  )
}

function monthsOf(language: string): ReadonlyMap<string, number> {
  const known = cached.get(language)
  if (known !== undefined) return known
  const entries = (names[language] ?? '')
    .split(' ')
    .flatMap((forms, index) => forms.split('|').map((form) => [form, index + 1] as const))
  const months = new Map(names[language] === undefined ? [] : entries)
  if (names[language] !== undefined) cached.set(language, months)
  return months
}

const cached = new Map<string, ReadonlyMap<string, number>>()

function keyOf(name: string): string {
  return name
    .normalize('NFKD')
    .replace(/\p{M}|\./gu, '')
    .toLowerCase()
}

/** By language, from the Unicode locale data; a name of two months counts in the first language. */
const names: Readonly<Record<string, string>> = vocabulary.months
