import type { ParameterError } from '../../errors.ts'
import type { AssetParts } from '../asset-parts.ts'
import type { Producer, ResolvedQuery } from '../kit/producer.ts'
import { mayNeedManyFonts, withFontCount } from '../og/font-bound.ts'
import { createOgProducer } from '../og/produce.ts'
import type { OgQuery } from '../og/query.ts'
import { limitUnpaidFetch, requesterOf } from '../unpaid-fetch.ts'
import { isPictureUrl, notByDemo, pictureParameters } from '../web-pictures.ts'
import type { CardQuery, cardQuery } from './query.ts'
import {
  type CardCall,
  factsOf,
  ofBrand,
  resolveCard,
  resolveFailure,
  unknown,
  wantedPictures,
} from './resolve-card.ts'
import { cardPageUrl, createSiteCards } from './site-cards.ts'

export function createCardProducer(parts: AssetParts): Producer<typeof cardQuery> {
  const { brands, livePages, cardPages: pages, webPictures: pictures } = parts
  const sources = { pages, pictures }
  const siteCards = createSiteCards(parts.cardSites, sources, brands, livePages)
  const og = createOgProducer(parts)
  function resolveSigned(given: Partial<CardQuery>): ResolvedQuery | ParameterError | undefined {
    const brand = given.brand === undefined ? undefined : brands.resolve(given.brand)
    if (typeof brand === 'string') return { parameter: 'brand', message: brand }
    if (given.page === undefined) return brand && { ...unknown, ...ofBrand(brand), key: brand.key }
    const url = cardPageUrl(given.page)
    const call = { query: given as CardQuery, url, brand }
    const page = pages.peek(url)
    const unreadCard = unread(call)
    if (page === undefined) return { ...unreadCard, recheck: () => pages.load(url) }
    try {
      const known = resolveCard(call, page, sources)
      if (known !== undefined) return known
      const facts = factsOf(page, pages)
      const wanted = facts ? wantedPictures(call.query, facts, pictures) : {}
      return { ...unreadCard, recheck: () => pictures.loading(wanted) ?? unreadCard.recheck() }
    } catch (problem) {
      return { ...unknown, ...ofBrand(brand), find: () => Promise.reject(problem) }
    }
  }

  /** The meaning of a page that has to be read. */
  function unread(call: CardCall): ResolvedQuery {
    return {
      ...unknown,
      ...ofBrand(call.brand),
      async find(context, grant) {
        try {
          const page = await pages.read(call.url, {
            requester: requesterOf(context, grant),
            beforeRead: limitUnpaidFetch(livePages.unpaid, context.clientAddress, grant),
          })
          const facts = factsOf(page, pages)
          if (facts) await pictures.read(wantedPictures(call.query, facts, pictures), context, grant)
          const resolved = resolveCard(call, page, sources, true)
          if (resolved !== undefined) return resolved
          throw new Error('The page was read, and nothing is known of it.')
        } catch (error) {
          return resolveFailure(call, error, grant.addressDigest !== undefined)
        }
      },
    }
  }

  return {
    describe: (query) => og.describe(ogQueryOf(query)),
    resolve({ site, ...given }) {
      if (site !== undefined) return siteCards.resolve(given, site)
      const byUrl = pictureParameters.filter((name) => isPictureUrl(given[name]))
      for (const name of byUrl) pictures.named(name, given[name] ?? '')
      const resolved = resolveSigned(given)
      return resolved && byUrl.length > 0 ? { ...resolved, notByDemo: byUrl.map(notByDemo) } : resolved
    },
    produce(query, context) {
      const card = ogQueryOf(query)
      if (!mayNeedManyFonts(card)) return og.produce(card, context)
      return withFontCount(({ cutToFonts }) => og.produce(cutToFonts(card), context))
    },
  }
}

/** A template is resolved with its page, and the card of no page is a usual one. */
function ogQueryOf({ page: _p, fallback: _f, site: _s, template, ...query }: CardQuery): OgQuery {
  const own = template === undefined || template === 'auto' ? {} : { template }
  return { ...query, ...own, title: query.title ?? 'card', overflow: 'ellipsis' }
}
