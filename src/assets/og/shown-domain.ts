import { domainToUnicode } from 'node:url'

/**
 * What a card shows of a URL: scheme, user, `www.`, port 80 or 443, query, fragment and trailing slashes dropped,
 * the host in its own script. A text that is no URL is shown as it is.
 */
export function shownDomain(url: string): string {
  const bare = url.replace(/^\s*(?:[a-z][a-z\d+.-]*:)?\/\//i, '').replace(/(?<![?#])[?#].*$/s, '')
  const slash = bare.indexOf('/')
  const authority = slash < 0 ? bare : bare.slice(0, slash)
  const path = slash < 0 ? '' : readablePath(bare.slice(slash)).replace(/(?<!\/)\/+$/, '')
  const shown = readableHost(authority) + path
  return shown === '' ? url.trim() : shown
}

function readableHost(authority: string): string {
  const host = authority
    .replace(/^.*@/s, '')
    .replace(/:(?:80|443)?$/, '')
    .replace(/^www\.(?=.)/i, '')
  const isName = /^[^:\s]+$/.test(host) && host.slice(1, -1).includes('.')
  const name = isName ? host.toLowerCase() : host
  return /(?:^|\.)xn--/.test(name) ? domainToUnicode(name) || name : name
}

/** Percent signs decoded when the result is plain text; anything else stays as it was written. */
function readablePath(path: string): string {
  try {
    const decoded = decodeURI(path)
    return /[\p{C}\p{Z}]/u.test(decoded) ? path : decoded
  } catch {
    return path
  }
}
