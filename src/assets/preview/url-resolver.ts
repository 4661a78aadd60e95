/** Makes a link of a page absolute. Only http and https URLs come out; anything else is null. */
export type ResolveUrl = (raw: string | null | undefined) => string | null

export function createUrlResolver(pageUrl: string, base: string | null): ResolveUrl {
  const from = absolute(base, pageUrl) ?? pageUrl
  return (raw) => absolute(raw, from)
}

function absolute(raw: string | null | undefined, base: string): string | null {
  const text = raw?.trim() ?? ''
  if (text === '' || text.length > urlCharsMax || !URL.canParse(text, base)) return null
  const url = new URL(text, base)
  const isWeb = (url.protocol === 'https:' || url.protocol === 'http:') && url.hostname !== ''
  return isWeb && url.username === '' && url.password === '' ? url.href : null
}

const urlCharsMax = 4_096
