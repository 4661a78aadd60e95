import { domainToUnicode } from 'node:url'

const scheme = /^\s*(?:[a-z][a-z\d+.-]*:)?\/\//i
const queryAndFragment = /(?<![?#])[?#].*$/s
const user = /^.*@/s
const usualPort = /:(?:80|443)?$/
const www = /^www\.(?=.)/i
const lastSlashes = /(?<!\/)\/+$/
const nameOnly = /^[^:\s]+$/
const encoded = /(?:^|\.)xn--/

/**
 * A URL as a card shows it: without scheme, user, `www.`, port 80 or 443, query, fragment and trailing slashes, with the host in its
 * own script. A text that is not a URL is shown unchanged.
 */
export function shownDomain(url: string): string {
  const bare = url.replace(scheme, '').replace(queryAndFragment, '')
  const slash = bare.indexOf('/')
  const authority = slash < 0 ? bare : bare.slice(0, slash)
  const path = slash < 0 ? '' : readablePath(bare.slice(slash)).replace(lastSlashes, '')
  const shown = readableHost(authority) + path
  return shown === '' ? url.trim() : shown
}

function readableHost(authority: string): string {
  const host = authority.replace(user, '').replace(usualPort, '').replace(www, '')
  const isName = nameOnly.test(host) && host.slice(1, -1).includes('.')
  const name = isName ? host.toLowerCase() : host
  return encoded.test(name) ? domainToUnicode(name) || name : name
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
