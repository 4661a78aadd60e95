import { LRUCache } from 'lru-cache'
import { type ParameterError, Problem, rateLimited } from '../../errors.ts'
import { isWithin } from '../../lib/clock.ts'
import { createDividedLimit, type DividedLimit, partOf } from '../../lib/rate-limit.ts'
import type { Requester } from '../../web/requester.ts'
import type { Grant, ProduceContext, ResolvedQuery } from '../kit/producer.ts'
import type { LivePages } from '../live-pages.ts'
import type { CardBrands } from '../og/brand/card-brand.ts'
import { usualTemplate } from '../og/templates.ts'
import { requesterOf, siteRequester } from '../unpaid-fetch.ts'
import type { CardFacts } from './card-facts.ts'
import type { CardPage, CardPages } from './card-pages.ts'
import { type CardSites, type HostSite, unnamedPart } from './card-sites.ts'
import type { CardQuery } from './query.ts'
import {
  type CardCall,
  type CardSources,
  factsOf,
  hostCard,
  ofBrand,
  resolveCard,
  resolveFailure,
  unknown,
  wantedPictures,
} from './resolve-card.ts'

const readsPerMinute = 30

/** Known pages of one host that are read again a minute. */
const refreshesPerMinute = 3

/** Resolves calls that a public site id grants. Every visitor can make them: a page has one card in one look, and unknown ones are read rarely. */
export function createSiteCards(
  sites: CardSites,
  sources: CardSources,
  brands: Pick<CardBrands, 'resolve'>,
  livePages: Pick<LivePages, 'load' | 'now' | 'isDivided' | 'processes'>,
) {
  const { pages } = sources
  const refreshes = createDividedLimit({ max: refreshesPerMinute, now: pages.now, isDivided: () => false })
  const max = partOf(readsPerMinute, livePages.processes)
  const reads = createDividedLimit({ max, ...livePages })
  const names = createSiteNames(livePages)
  const find = createFinder(sources, names, reads)

  /** Returns the call for a page in the look of its site. Throws the Problem where the page lies on no host of the site. */
  function callOf(site: HostSite, given: Partial<CardQuery> & Pick<CardQuery, 'page'>): SiteCardCall {
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
    return { site, host, query, url, brand, mayRefresh: () => refreshes.acquire(host, '') }
  }

  async function comesFirst(site: HostSite, url: string): Promise<boolean> {
    names.renew(site, url)
    if (!names.has(url)) await names.reading(url)
    return names.has(url)
  }

  function meaning(call: SiteCardCall, card: ResolvedQuery): ResolvedQuery {
    const { site } = call
    const { brand: _, template: _t, ...look } = site.look
    const { page } = card.replaced
    const isCounted = card.free === undefined && typeof page === 'string'
    return {
      ...card,
      replaced: { ...look, ...card.replaced },
      isCurrent: () => card.isCurrent() && sites.isCurrent(site),
      recheck: () => sites.recheck(),
      site: {
        siteId: site.id,
        keyId: site.keyId,
        comesFirst: () => comesFirst(site, isCounted ? page : call.url),
        ...(isCounted && { page }),
      },
    }
  }

  async function prepare(given: Partial<CardQuery>, siteId: string): Promise<void> {
    await sites.recheck()
    if (sites.peek(siteId) === undefined) await sites.load(siteId)
    const site = sites.peek(siteId)
    const { page } = given
    if (site == null || page === undefined) return
    const call = callOf(site, { ...given, page })
    const facts = factsOf(await pages.at(call.url), pages)
    if (facts !== undefined) await pages.load(siteNameOf(call, facts))
  }

  return {
    resolve(given: Partial<CardQuery>, siteId: string): ResolvedQuery | ParameterError {
      const site = sites.peek(siteId)
      if (site === null)
        return { parameter: 'site', message: 'must be the site id of a key that names hosts' }
      const { page } = given
      const recheck = () => prepare(given, siteId)
      if (site === undefined || page === undefined) return { ...unknown, ...ofBrand(undefined), recheck }
      const call = callOf(site, { ...given, page })
      const card = cardOf(call, sources)
      if (card !== undefined) return meaning(call, card)
      const isLoaded = pages.peek(call.url) !== undefined
      const unread: ResolvedQuery = {
        ...unknown,
        ...ofBrand(call.brand),
        ...knownName(call, pages),
        find: async (context, grant) => meaning(call, await find(call, context, grant)),
      }
      return { ...meaning(call, unread), ...(!isLoaded && { recheck }) }
    },
  }
}

interface SiteCardCall extends CardCall {
  readonly site: HostSite
  readonly host: string
  readonly mayRefresh: () => boolean
}

/** The canonical address of a page, else the last one, bare. Throws the Problem where it led to no host of the site. */
function siteNameOf({ site }: SiteCardCall, { canonical, finalUrl }: CardFacts): string {
  const final = new URL(finalUrl)
  if (site.hostOf(final) === undefined) throw notOnHosts()
  if (canonical !== undefined && URL.canParse(canonical) && site.hostOf(new URL(canonical)) !== undefined)
    return cardPageUrl(canonical)
  final.search = ''
  final.hash = ''
  return final.href
}

/** An address is kept if what it says is what its page says. */
function isOwnPage(call: SiteCardCall, facts: CardFacts | undefined): boolean {
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

/** The card as far as it is known; undefined if something has to be read, or loaded from the store. */
function cardOf(
  call: SiteCardCall,
  sources: CardSources,
  find = sources.pages.peek,
  wasRead = false,
  isLedTo = false,
): ResolvedQuery | undefined {
  const { pages } = sources
  const page = find(call.url)
  const state = page?.state(pages.now())
  if (state?.kind === 'failed') return hostCard(atHost(call))
  if (page === undefined || state === undefined || !('facts' in state)) return undefined
  const url = pageNameOf(call, page, state.facts, pages)
  if (isLedTo || url === call.url) return resolveCard(call, page, sources, wasRead)
  const card = cardOf({ ...call, url }, sources, find, wasRead, true)
  return card?.use === undefined ? card : ledTo(card, call, page, pages)
}

/** Names the page where that is known, though something else has to be read: then it may have been counted before. */
function knownName(call: SiteCardCall, pages: CardPages): Pick<ResolvedQuery, 'replaced'> | undefined {
  const facts = factsOf(pages.peek(call.url), pages)
  return facts && { replaced: { ...ofBrand(call.brand).replaced, page: siteNameOf(call, facts) } }
}

/** The address of the page. One that has left the site is read again now and then, because it may be back. */
function pageNameOf(call: SiteCardCall, page: CardPage, facts: CardFacts, pages: CardPages): string {
  if (call.site.hostOf(new URL(facts.finalUrl)) === undefined) refreshLeading(call, page, pages)
  return siteNameOf(call, facts)
}

/** The card of a page that another address leads to. That is looked at again, too: it may lead elsewhere. */
function ledTo(card: ResolvedQuery, call: SiteCardCall, asked: CardPage, pages: CardPages): ResolvedQuery {
  const { stateName } = asked
  return {
    ...card,
    isCurrent: () => card.isCurrent() && asked.stateName === stateName,
    use(context, grant) {
      card.use?.(context, grant)
      refreshLeading(call, asked, pages)
    },
  }
}

function refreshLeading(call: SiteCardCall, page: CardPage, pages: CardPages): void {
  const { id } = call.site
  pages.refreshIfDue(page, {
    // Nothing is counted for what only leads to a page.
    requester: () => siteRequester(id),
    mayRefresh: call.mayRefresh,
    isKept: (facts) => isOwnPage(call, facts),
  })
}

/** One picture for each host, wherever on it the page would be. */
function atHost(call: SiteCardCall): SiteCardCall {
  return { ...call, url: `https://${call.host}/` }
}

function createFinder(
  { pages, pictures }: CardSources,
  names: ReturnType<typeof createSiteNames>,
  reads: DividedLimit,
) {
  async function read(call: SiteCardCall, context: ProduceContext, grant: Grant): Promise<ResolvedQuery> {
    const { site } = call
    const { id } = site
    const requester = requesterOf(context, grant)
    const client = context.clientAddress

    /** A read that finds no page is given back to the site, but not to the client. */
    async function readPage(url: string, isKept: (facts: CardFacts | undefined) => boolean) {
      let isTaken = false
      function beforeRead(): void {
        names.renew(site, url)
        isTaken = reads.acquire(id, client, 1, names.has(url) ? 1 : unnamedPart)
        if (!isTaken) throw rateLimited('Many pages of this site were read just now.', reads.waitSeconds(id))
      }
      let isFound = false
      try {
        const page = await pages.read(url, { requester, beforeRead, isKept })
        const facts = factsOf(page, pages)
        isFound = facts !== undefined && site.hostOf(new URL(facts.finalUrl)) !== undefined
        return page
      } finally {
        if (isTaken && !isFound) reads.giveBack(id, client)
      }
    }

    const asked = await readPage(call.url, (facts) => isOwnPage(call, facts))
    const facts = factsOf(asked, pages)
    if (facts === undefined) return hostCard(atHost(call))
    const url = siteNameOf(call, facts)
    // The page is read at its own address, because another one may repeat a stranger's words, as a search does.
    const page = url === call.url ? asked : await readPage(url, (facts) => facts !== undefined)
    const pageFacts = factsOf(page, pages)
    if (pageFacts) await pictures.read(wantedPictures(call.query, pageFacts, pictures), context, grant)
    // Both may have left the memory meanwhile.
    const read = new Map([[call.url, asked] as const, [url, page] as const])
    return cardOf(call, { pages, pictures }, (address) => read.get(address), true) ?? hostCard(atHost(call))
  }

  return async (call: SiteCardCall, context: ProduceContext, grant: Grant): Promise<ResolvedQuery> => {
    const readOnce = () => read(call, context, grant)
    try {
      return await readOnce().catch(async (error: unknown) => {
        // The page may come first, once it is known what the site names.
        const reading = isRateLimited(error) ? names.reading(call.url) : undefined
        if (reading === undefined) throw error
        await reading
        return readOnce()
      })
    } catch (error) {
      return resolveFailure(atHost(call), error, true)
    }
  }
}

function isRateLimited(error: unknown): boolean {
  return error instanceof Problem && error.code === 'rate_limited'
}

/** A list is good enough for so long for a page that it does not have. */
const renewMs = 300_000
const readingsMax = 256
const charsMax = 16 * 1_048_576

/** The pages that sites name themselves, which come first in a shared budget. A list is read for a page that is not in it. */
function createSiteNames({ load, now }: Pick<LivePages, 'load' | 'now'>) {
  const lists = new LRUCache<string, ReadonlySet<string>>({
    maxSize: charsMax,
    sizeCalculation: (paths) => [...paths].reduce((sum, path) => sum + path.length + 50, 1_000),
  })
  /** Apart from the lists, because a site whose list has left the memory is read no more often for that. */
  const readAtMs = new LRUCache<string, number>({ max: 10_000 })
  const readings = new Map<string, Promise<void>>()

  async function read(origin: string, requester: Requester): Promise<void> {
    try {
      const paths = await (await load()).readSiteNames(origin, requester)
      lists.set(origin, paths)
      readAtMs.set(origin, now())
    } catch {
      // There was no slot for it. The next page that is not known tries again.
    } finally {
      readings.delete(origin)
    }
  }

  function has(address: string): boolean {
    const { origin, pathname, search } = new URL(address)
    return lists.get(origin)?.has(pathname + search) === true
  }

  return {
    has,
    /** Has the list of a site read, if it is old and does not have the page. Anybody can make subdomains up, so they have no list. */
    renew({ id, isOwnHost }: HostSite, address: string): void {
      const url = new URL(address)
      const { origin } = url
      if (!isOwnHost(url) || has(address) || readings.has(origin) || readings.size >= readingsMax) return
      const atMs = readAtMs.get(origin)
      if (atMs !== undefined && isWithin(atMs, now(), renewMs)) return
      readings.set(origin, read(origin, siteRequester(id)))
    },
    reading: (address: string): Promise<void> | undefined => readings.get(new URL(address).origin),
  }
}
