import type { AssetParts } from '../asset-parts.ts'
import type { Grant, ProduceContext, Producer, ResolvedQuery } from '../kit/producer.ts'
import { mayNeedManyFonts, withFontCount } from '../og/font-bound.ts'
import { createOgProducer } from '../og/produce.ts'
import type { OgQuery } from '../og/query.ts'
import { limitUnpaidFetch, requesterOf } from '../unpaid-fetch.ts'
import { createPictureCache } from './picture-cache.ts'
import type { CardQuery, cardQuery } from './query.ts'
import {
  type CardCall,
  type CardSources,
  createPageBrands,
  ofBrand,
  resolveCard,
  resolveFailure,
  unknown,
} from './resolve-card.ts'
import { cardPageUrl } from './site-call.ts'
import { createSiteCards } from './site-cards.ts'

type CardParts = Pick<AssetParts, 'raster' | 'brands' | 'pictures' | 'livePages' | 'cardPages' | 'cardSites'>

export function createCardProducer(parts: CardParts): Producer<typeof cardQuery> {
  const { brands, livePages, cardPages: pages } = parts
  const pictures = createPictureCache(livePages, parts.pictures, pages.now)
  const sources = { pages, pictures }
  const siteCards = createSiteCards(parts.cardSites, sources, brands, livePages)
  const og = createOgProducer({ ...parts, brands: createPageBrands(brands, pictures) })
  return {
    describe: (query) => og.describe(ogQueryOf(query)),
    resolve({ page: address, site, ...given }) {
      if (site !== undefined)
        return siteCards.resolve({ ...given, ...(address !== undefined && { page: address }) }, site)
      const brand = given.brand === undefined ? undefined : brands.resolve(given.brand)
      if (typeof brand === 'string') return { parameter: 'brand', message: brand }
      if (address === undefined) return brand && { ...unknown, ...ofBrand(brand), key: brand.key }
      const url = cardPageUrl(address)
      const call = { query: { ...given, page: address } as CardQuery, url, brand }
      const page = pages.peek(url)
      const unreadCard = unread(call, sources, livePages.unpaid)
      if (page === undefined) return { ...unreadCard, recheck: () => pages.load(url) }
      try {
        return resolveCard(call, page, sources) ?? unreadCard
      } catch (problem) {
        return { ...unknown, ...ofBrand(brand), find: () => Promise.reject(problem) }
      }
    },
    produce(query, context) {
      const card = ogQueryOf(query)
      if (!mayNeedManyFonts(card)) return og.produce(card, context)
      return withFontCount(({ cutToFonts }) => og.produce(cutToFonts(card), context))
    },
  }
}

function ogQueryOf({ page: _p, picture: _i, fallback: _f, site: _s, ...query }: CardQuery): OgQuery {
  return { ...query, title: query.title ?? 'card', overflow: 'ellipsis' }
}

function unread(
  call: CardCall,
  sources: CardSources,
  unpaid: AssetParts['livePages']['unpaid'],
): ResolvedQuery {
  const { pages, pictures } = sources
  async function find(context: ProduceContext, grant: Grant): Promise<ResolvedQuery> {
    const requester = requesterOf(context, grant)
    try {
      const page = await pages.read(call.url, {
        requester,
        beforeRead: limitUnpaidFetch(unpaid, context.clientAddress, grant),
      })
      const state = page.state(pages.now())
      if ('facts' in state && call.query.picture === 'page')
        await pictures.load(state.facts.pictures, requester)
      const resolved = resolveCard(call, page, sources, true)
      if (resolved !== undefined) return resolved
      throw new Error('The page was read, and nothing is known of it.')
    } catch (error) {
      return resolveFailure(call, error, grant.addressDigest !== undefined)
    }
  }
  return { ...unknown, ...ofBrand(call.brand), find }
}
