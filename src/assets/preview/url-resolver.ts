import { addressLiteral, hasPrivateHost } from '../../web/url-rules.ts'
import { isPlaceholderUrl } from './page-text.ts'

/** Undefined for what is no public http or https URL, because readers of a preview may follow its links. */
export type ResolveUrl = (raw: string | undefined) => string | undefined

export function createUrlResolver(
  pageUrl: string,
  base: string | undefined,
  allowsAddress: (address: string) => boolean = () => false,
  onPrivate?: () => void,
): ResolveUrl {
  // A base on a private host still counts, as it does in a browser: links below it are private, too.
  const baseUrl = absolute(base, pageUrl)?.href ?? pageUrl
  const ownHost = URL.parse(pageUrl)?.hostname
  return (raw) => {
    const url = absolute(raw, baseUrl)
    if (url === undefined) return undefined
    if (url.hostname === ownHost || !hasPrivateHost(url) || allowsAddress(addressOf(url))) return url.href
    onPrivate?.()
    return undefined
  }
}

function addressOf(url: URL): string {
  return url.hostname === 'localhost' ? '127.0.0.1' : (addressLiteral(url) ?? url.hostname)
}

const urlCharsMax = 4_096

function absolute(raw: string | undefined, base: string): URL | undefined {
  const text = raw?.trim() ?? ''
  const isUrl = text !== '' && text.length <= urlCharsMax && !isPlaceholderUrl(text)
  const url = isUrl ? URL.parse(text, base) : null
  if (url === null) return undefined
  const isWeb = (url.protocol === 'https:' || url.protocol === 'http:') && url.hostname !== ''
  return isWeb && url.username === '' && url.password === '' ? url : undefined
}
