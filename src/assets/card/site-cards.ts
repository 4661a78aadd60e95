import { type ParameterError, Problem, rateLimited } from '../../errors.ts'
import { createWindowLimit } from '../../lib/window-limit.ts'
import { FetchFailure } from '../../web/fetch-failure.ts'
import type { Requester } from '../../web/slot-table.ts'
import type { Grant, ProduceContext, ResolvedQuery } from '../kit/producer.ts'
import type { CardBrands } from '../og/brand/card-brands.ts'
import { requesterOf } from '../unpaid-fetch.ts'
import type { CardFacts } from './card-facts.ts'
import type { CardSite, CardSites } from './card-sites.ts'
import { pageUrl } from './page-url.ts'
import type { CardQuery } from './query.ts'
import {
  type CardCall,
  type CardSources,
  hostCard,
  ofBrand,
  resolveCard,
  resolveFailure,
} from './resolve-card.ts'

interface SiteCardsDeps {
  readonly sites: CardSites
  readonly sources: CardSources
  readonly brands: Pick<CardBrands, 'resolve'>
}

/** How many unknown addresses are read a minute for one site. */
const readsPerMinute = 30
/** How many known pages of one host are read again a minute. */
const refreshesPerMinute = 3

/** A call with `site`, whose address lies on a host of the site. */
interface SiteCall extends CardCall {
  readonly site: CardSite
  /** The host that the site names. */
  readonly host: string
}

/**
 * Resolves calls that the public id of a site grants. Whoever reads a page can make such calls, so pages alone are told
 * apart: each has one card in one look, and addresses of which nothing is known are read rarely.
 */
export function createSiteCards({ sites, sources, brands }: SiteCardsDeps) {
  const { pages, pictures } = sources
  const reads = createWindowLimit({ perMinute: readsPerMinute, now: pages.now })
  const refreshes = createWindowLimit({ perMinute: refreshesPerMinute, now: pages.now })

  function callOf(site: CardSite, given: Partial<CardQuery> & { readonly page: string }): SiteCall {
    const url = pageUrl(given.page)
    const host = site.hostOf(new URL(url))
    if (host === undefined) throw notOnHosts('page')
    const found = site.look['brand'] === undefined ? undefined : brands.resolve(site.look['brand'])
    // Cards of a site go on without a brand that has been archived.
    const brand = typeof found === 'string' ? undefined : found
    const { brand: _, ...look } = site.look
    const query = {
      ...given,
      ...look,
      ...(brand && { brand: brand.reference }),
      fallback: 'card',
    } as CardQuery
    return { site, host, query, url, brand, mayRefresh: () => refreshes.acquire(host) }
  }

  /** The card as far as it is known; undefined if something has to be read, or loaded from the store. */
  function known(call: SiteCall): ResolvedQuery | undefined {
    const asked = pages.peek(call.url)
    const state = asked?.state(pages.now())
    if (asked === undefined || state === undefined || state.kind === 'unread') return undefined
    if (state.kind === 'failed') return fallback(call)
    const url = nameOf(call, state.facts)
    if (url === call.url) return resolveCard(call, asked, sources)
    const page = pages.peek(url)
    const pageState = page?.state(pages.now())
    if (page === undefined || pageState === undefined) return undefined
    if (pageState.kind === 'failed') return fallback(call)
    if ('facts' in pageState) nameOf(call, pageState.facts)
    return resolveCard({ ...call, url }, page, sources)
  }

  function meaning(call: SiteCall, card: ResolvedQuery): ResolvedQuery {
    const { site, brand } = call
    const { look, id: siteId, keyId } = site
    const { page } = card.replaced
    const { brand: _, ...looks } = look
    return {
      ...card,
      ...(brand !== undefined && { keyIds: brand.keyIds }),
      replaced: { ...looks, ...card.replaced },
      isCurrent: () => card.isCurrent() && sites.isCurrent(site),
      recheck: () => sites.recheck(),
      site: { siteId, keyId, ...(card.isFree !== true && page !== undefined && { page }) },
    }
  }

  /** One picture for each host, wherever on it the page would be. */
  function fallback(call: SiteCall): ResolvedQuery {
    return hostCard({ ...call, url: `https://${call.host}/` })
  }

  async function read(call: SiteCall, requester: Requester): Promise<ResolvedQuery> {
    function beforeRead(): void {
      if (!reads.acquire(call.site.id)) throw rateLimited('Many pages of this site were read just now.', 60)
    }
    function isPage(facts: CardFacts | undefined): boolean {
      return facts !== undefined && isOn(call, facts) && nameOf(call, facts) === call.url
    }
    const asked = await pages.read(call.url, requester, beforeRead, isPage)
    const state = asked.state(pages.now())
    if (!('facts' in state)) return fallback(call)
    const url = nameOf(call, state.facts)
    // What another address says is not what its page says: a search may repeat a stranger's words.
    const page =
      url === call.url ? asked : await pages.read(url, requester, beforeRead, (facts) => facts !== undefined)
    const pageState = page.state(pages.now())
    if ('facts' in pageState && call.query.picture === 'page')
      await pictures.load(pageState.facts.pictures, requester)
    return known(call) ?? fallback(call)
  }

  async function find(call: SiteCall, context: ProduceContext, grant: Grant): Promise<ResolvedQuery> {
    const requester = requesterOf(context, { ...grant, keyId: call.site.id })
    try {
      return meaning(call, await read(call, requester))
    } catch (error) {
      const isKnownProblem =
        error instanceof FetchFailure || (error instanceof Problem && error.code === 'rate_limited')
      if (!isKnownProblem) throw error
      return meaning(call, resolveFailure({ ...call, url: `https://${call.host}/` }, error, true))
    }
  }

  /** Loads from the store what is known of the call. */
  async function prepare(given: Partial<CardQuery>, siteId: string): Promise<void> {
    await sites.recheck()
    if (sites.peek(siteId) === undefined) await sites.load(siteId)
    const site = sites.peek(siteId)
    if (site == null || given.page === undefined) return
    const call = callOf(site, { ...given, page: given.page })
    if (pages.peek(call.url) === undefined) await pages.load(call.url)
    const state = pages.peek(call.url)?.state(pages.now())
    if (state === undefined || !('facts' in state)) return
    const url = nameOf(call, state.facts)
    if (pages.peek(url) === undefined) await pages.load(url)
  }

  return {
    /** Throws the Problem where the page lies on no host of the site. */
    resolve(given: Partial<CardQuery>, siteId: string): ResolvedQuery | ParameterError {
      const site = sites.peek(siteId)
      if (site === null)
        return { parameter: 'site', message: 'must be the site id of a key that names hosts' }
      const { page } = given
      const recheck = () => prepare(given, siteId)
      if (site === undefined || page === undefined) return { ...unknown, recheck }
      const call = callOf(site, { ...given, page })
      const card = known(call)
      if (card !== undefined) return meaning(call, card)
      const isLoaded = pages.peek(call.url) !== undefined
      const unread = { ...unknown, ...ofBrand(call.brand), find: find.bind(undefined, call) }
      return { ...meaning(call, unread), ...(!isLoaded && { recheck }), site: { siteId, keyId: site.keyId } }
    },
  }
}

/** The address of the page that an address leads to. Throws the Problem where that lies on no host of the site. */
function nameOf({ site }: SiteCall, { canonical, finalUrl }: CardFacts): string {
  const final = new URL(finalUrl)
  if (site.hostOf(final) === undefined) throw notOnHosts('page')
  if (canonical !== undefined && URL.canParse(canonical) && site.hostOf(new URL(canonical)) !== undefined)
    return pageUrl(canonical)
  final.search = ''
  final.hash = ''
  return final.href
}

function isOn({ site }: SiteCall, { finalUrl }: CardFacts): boolean {
  return site.hostOf(new URL(finalUrl)) !== undefined
}

function notOnHosts(parameter: string): Problem {
  return new Problem(
    'host_not_allowed',
    'The page lies on none of the hosts that the key of this site names.',
    {
      errors: [{ parameter, message: 'must be on a host of the site, also after redirects' }],
    },
  )
}

/** The meaning of a query until its page was looked for. */
const unknown = {
  ...ofBrand(undefined),
  key: 'unknown',
  isCurrent: () => false,
} as const
