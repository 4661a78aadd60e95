/**
 * Whether a write comes from our own pages. Browsers say so in `Sec-Fetch-Site`, older ones in `Origin`, whose host
 * must be the one that was asked; what says neither is no form of ours.
 */
export function isSameOrigin(headers: Headers): boolean {
  const site = headers.get('sec-fetch-site')
  if (site !== null) return site === 'same-origin'
  const origin = headers.get('origin') ?? ''
  return URL.canParse(origin) && new URL(origin).host === hostOf(headers)
}

/** The host that was asked, as URLs write it: without the default port of http. */
export function hostOf(headers: Headers): string {
  const host = headers.get('host') ?? ''
  return URL.canParse(`http://${host}`) ? new URL(`http://${host}`).host : ''
}
