import { Problem } from '../../src/errors.ts'
import type { RequestContext } from '../../src/http/request-context.ts'

/** Throws `cross_site` for a write that another site's page sent. */
export function requireSameOrigin({ request }: RequestContext): void {
  if (!isSameOrigin(request.headers))
    throw new Problem('cross_site', 'Writes are accepted from the pages of this service only.')
}

/**
 * Whether a write comes from our own pages. Browsers send `Sec-Fetch-Site`; older ones send only `Origin`, whose host
 * must equal the requested one. A request with neither header comes from no form of ours.
 */
export function isSameOrigin(headers: Headers): boolean {
  const site = headers.get('sec-fetch-site')
  if (site !== null) return site === 'same-origin'
  const origin = headers.get('origin') ?? ''
  return URL.canParse(origin) && new URL(origin).host === hostOf(headers)
}

/** The requested host as `URL` writes it, without http's default port; empty if the header is malformed. */
export function hostOf(headers: Headers): string {
  const host = headers.get('host') ?? ''
  return URL.canParse(`http://${host}`) ? new URL(`http://${host}`).host : ''
}
