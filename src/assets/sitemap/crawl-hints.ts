/** Returns how often a page changes, as the protocol of sitemaps spells it, or undefined for any other text. */
export function changefreqOf(raw: string): string | undefined {
  const text = raw.trim().toLowerCase()
  return frequencies.has(text) ? text : undefined
}

/** Returns a priority from 0.0 to 1.0, with the digits that it has. Undefined for any other text. */
export function priorityOf(raw: string): string | undefined {
  const text = raw.trim()
  if (!decimal.test(text) || Number(text) > 1) return undefined
  return text.startsWith('.') ? `0${text}` : text
}

const frequencies: ReadonlySet<string> = new Set([
  'always',
  'hourly',
  'daily',
  'weekly',
  'monthly',
  'yearly',
  'never',
])
const decimal = /^(?:[01](?:\.\d{1,6})?|\.\d{1,6})$/
