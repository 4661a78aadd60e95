import { FetchFailure } from './failure.ts'
import { checkParsedUrl } from './url-rules.ts'

/**
 * The next URL of a redirect, checked like the first one, or null when the answer is final.
 * @throws FetchFailure when the target is not to be fetched; a URL that is wrong is then the site's fault, not the caller's
 */
export const followRedirect = (
  from: URL,
  status: number,
  location: string | undefined,
  allowPorts: readonly number[],
): URL | null => {
  if (!REDIRECTS.has(status) || location === undefined) return null
  try {
    const target = decodeLocation(location)
    if (!URL.canParse(target, from.href)) throw new FetchFailure('invalid_url')
    return checkParsedUrl(new URL(target, from.href), allowPorts)
  } catch (failure) {
    if (failure instanceof FetchFailure && failure.code === 'invalid_query') {
      throw new FetchFailure(failure.reason, { code: 'upstream_failed' })
    }
    throw failure
  }
}

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

/** Header bytes reach us as Latin-1; sites write raw UTF-8 into Location. */
const decodeLocation = (location: string): string => {
  const bytes = Buffer.from(location, 'latin1')
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return location
  }
}
