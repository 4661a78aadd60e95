/** Makes a link of a page absolute. Only http and https URLs come out; anything else is null. */
export type ResolveUrl = (raw: string | null | undefined) => string | null

/** @param base the page's own URL, or its `<base>` when that leads to the web */
export const createUrlResolver = (pageUrl: string, base: string | null): ResolveUrl => {
  const from = absolute(base, pageUrl) ?? pageUrl
  return (raw) => absolute(raw, from)
}

const absolute = (raw: string | null | undefined, base: string): string | null => {
  const text = raw?.trim() ?? ''
  if (text === '' || text.length > URL_CHARS_MAX || !URL.canParse(text, base)) return null
  const url = new URL(text, base)
  const isWeb = (url.protocol === 'https:' || url.protocol === 'http:') && url.hostname !== ''
  return isWeb && url.username === '' && url.password === '' ? url.href : null
}

const URL_CHARS_MAX = 4_096
