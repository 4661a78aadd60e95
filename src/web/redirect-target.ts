import { FetchFailure } from './fetch-failure.ts'
import { checkParsedUrl } from './url-rules.ts'

/** The URL that a response redirects to, checked like any other. Returns undefined if it is no redirect. */
export function redirectTarget(
  from: URL,
  status: number,
  location: string | undefined,
  allowPorts: readonly number[],
): URL | undefined {
  if (!redirectStatuses.has(status) || location === undefined) return undefined
  try {
    const target = decodeLocation(location)
    if (!URL.canParse(target, from.href)) throw new FetchFailure('invalid_url')
    return checkParsedUrl(new URL(target, from.href), allowPorts)
  } catch (failure) {
    // The site wrote this URL, not the caller: the caller's query is valid.
    if (failure instanceof FetchFailure && failure.code === 'invalid_query') {
      throw new FetchFailure(failure.reason, { code: 'upstream_failed' })
    }
    throw failure
  }
}

const redirectStatuses: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

/** Header bytes arrive as latin1, but many sites send UTF-8. */
function decodeLocation(location: string): string {
  const bytes = Buffer.from(location, 'latin1')
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return location
  }
}
