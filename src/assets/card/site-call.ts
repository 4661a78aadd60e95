import { Problem } from '../../errors.ts'
import type { CardBrands } from '../og/brand/card-brand.ts'
import { usualTemplate } from '../og/templates.ts'
import type { CardFacts } from './card-facts.ts'
import type { HostSite } from './card-sites.ts'
import type { CardQuery } from './query.ts'
import type { CardCall } from './resolve-card.ts'

export interface SiteCardCall extends CardCall {
  readonly site: HostSite
  readonly host: string
  readonly mayRefresh: () => boolean
}

export type SiteQuery = Partial<CardQuery> & Pick<CardQuery, 'page'>

/** Returns the call for a page in the look of its site. Throws the Problem where the page lies on no host of the site. */
export function siteCall(
  site: HostSite,
  given: SiteQuery,
  brands: Pick<CardBrands, 'resolve'>,
  mayRefresh: (host: string) => boolean,
): SiteCardCall {
  const url = cardPageUrl(given.page)
  const host = site.hostOf(new URL(url))
  if (host === undefined) throw notOnHosts()
  const { brand: slug, template, ...look } = site.look
  const found = slug === undefined ? undefined : brands.resolve(slug)
  // Cards of a site go on without a brand that has been archived.
  const brand = typeof found === 'string' ? undefined : found
  const query = {
    ...given,
    ...look,
    // The usual card is the default, over which the page's own word holds.
    ...(template !== usualTemplate && { template }),
    ...(brand && { brand: brand.reference }),
    fallback: 'card',
  } as CardQuery
  return { site, host, query, url, brand, mayRefresh: () => mayRefresh(host) }
}

/** The canonical address of a page, else the last one, bare. Throws the Problem where it led to no host of the site. */
export function siteNameOf({ site }: SiteCardCall, { canonical, finalUrl }: CardFacts): string {
  const final = new URL(finalUrl)
  if (site.hostOf(final) === undefined) throw notOnHosts()
  if (canonical !== undefined && URL.canParse(canonical) && site.hostOf(new URL(canonical)) !== undefined)
    return cardPageUrl(canonical)
  final.search = ''
  final.hash = ''
  return final.href
}

/** An address is kept if what it says is what its page says. */
export function isOwnPage(call: SiteCardCall, facts: CardFacts | undefined): boolean {
  if (facts === undefined || call.site.hostOf(new URL(facts.finalUrl)) === undefined) return false
  return siteNameOf(call, facts) === call.url
}

function notOnHosts(): Problem {
  return new Problem(
    'host_not_allowed',
    'The page lies on none of the hosts that the key of this site names.',
    { errors: [{ parameter: 'page', message: 'must be on a host of the site, also after redirects' }] },
  )
}

export function cardPageUrl(address: string): string {
  const url = new URL(address)
  url.hash = ''
  return url.href
}
