/** Makes a link of a page absolute. Returns undefined for anything but an http or https URL. */
export type ResolveUrl = (raw: string | undefined) => string | undefined

export function createUrlResolver(pageUrl: string, base: string | undefined): ResolveUrl {
  const baseUrl = absolute(base, pageUrl) ?? pageUrl
  return (raw) => absolute(raw, baseUrl)
}

function absolute(raw: string | undefined, base: string): string | undefined {
  const text = raw?.trim() ?? ''
  const url = text === '' || text.length > urlCharsMax ? null : URL.parse(text, base)
  if (url === null) return undefined
  const isWeb = (url.protocol === 'https:' || url.protocol === 'http:') && url.hostname !== ''
  return isWeb && url.username === '' && url.password === '' ? url.href : undefined
}

const urlCharsMax = 4_096
