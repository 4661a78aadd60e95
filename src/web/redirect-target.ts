import { FetchFailure } from './fetch-failure.ts'
import { checkParsedUrl } from './url-rules.ts'

export function redirectTarget(
  from: URL,
  status: number,
  location: string | undefined,
  allowPorts: readonly number[],
): URL | null {
  if (!redirects.has(status) || location === undefined) return null
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

const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

function decodeLocation(location: string): string {
  const bytes = Buffer.from(location, 'latin1')
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return location
  }
}
