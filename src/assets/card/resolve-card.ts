import type { TSchema } from '@sinclair/typebox'
import { Problem } from '../../errors.ts'
import { mapValues } from '../../lib/json.ts'
import { FetchFailure, fetchProblem } from '../../web/fetch-failure.ts'
import type { Grant, ProduceContext, ResolvedQuery } from '../kit/producer.ts'
import type { ResolvedBrand } from '../og/brand/card-brand.ts'
import { templateOf } from '../og/templates.ts'
import { isBacked, requesterOf } from '../unpaid-fetch.ts'
import { cardHeaders, isPictureUrl, type Wanted, type WebPictures } from '../web-pictures.ts'
import { type CardFacts, chosenTemplate, valueIn } from './card-facts.ts'
import type { CardPage, CardPages } from './card-pages.ts'
import { type CardQuery, soonAgain, usualFreshness } from './query.ts'

export interface CardCall {
  readonly query: CardQuery
  /** The page without its fragment. */
  readonly url: string
  readonly brand: ResolvedBrand | undefined
  readonly mayRefresh?: () => boolean
}

export interface CardSources {
  readonly pages: CardPages
  readonly pictures: WebPictures
}

/** A card as far as it is known; undefined if something has to be read, unless that was just tried. @throws Problem where no card is wanted then */
export function resolveCard(
  call: CardCall,
  page: CardPage,
  sources: CardSources,
  wasRead = false,
): ResolvedQuery | undefined {
  const { pages, pictures } = sources
  const { query, url, brand, mayRefresh } = call
  const { key, stateName } = page
  const state = page.state(pages.now())
  if (state.kind === 'unread') return undefined
  const common = {
    isCurrent: () =>
      pages.peek(key) === page &&
      page.stateName === stateName &&
      pages.now() < state.untilMs &&
      brand?.isCurrent() !== false,
    use(context: ProduceContext, grant: Grant): void {
      const requester = () => requesterOf(context, grant)
      pages.use(page, { requester, isBacked: state.kind !== 'failed' && isBacked(grant), mayRefresh })
    },
  }
  if (state.kind === 'failed') {
    if (query.fallback === 'error' || !isUnreadable(state.failure)) throw fetchProblem(state.failure, 'page')
    return { ...hostCard(call), ...common }
  }
  const { facts, kind, tag } = state
  const wanted = wantedPictures(query, facts, pictures)
  const hasPicture = wanted.picture !== undefined && pictures.peek(wanted.picture) != null
  const { template, texts } = chosenTemplate(facts, query.template, hasPicture)
  const drawn: ResolvedQuery = {
    ...ofBrand(brand),
    replaced: {
      ...saidByPage(query, template, texts),
      ...(template !== undefined && { template }),
      face: undefined,
      page: url,
      ...(brand !== undefined && { brand: brand.reference }),
    },
    key: `${tag} ${brand?.key ?? ''}`,
    headers: cardHeaders(kind, template),
    freshness: usualFreshness,
    ...common,
  }
  return pictures.meaning(wanted, drawn, wasRead)
}

export function factsOf(page: CardPage | undefined, pages: CardPages): CardFacts | undefined {
  const state = page?.state(pages.now())
  return state !== undefined && 'facts' in state ? state.facts : undefined
}

/** The pictures of a card that lie on other sites: those that the caller names, or the page. */
export function wantedPictures(query: CardQuery, facts: CardFacts, { named, peek }: WebPictures): Wanted {
  const picture = isPictureUrl(query.picture)
    ? named('picture', query.picture)
    : query.picture === 'page' && { urls: facts.pictures, isOfPage: true }
  // One that is not known yet may be had.
  const hasPicture = picture !== false && peek(picture) !== null
  const { template } = chosenTemplate(facts, query.template, hasPicture)
  const showsFace = templateOf(template)?.parameters['face'] !== undefined
  const face = showsFace && faceOf(query, facts, named)
  return { ...(picture && { picture }), ...(face && { face }) }
}

function faceOf({ face = 'page' }: CardQuery, facts: CardFacts, named: WebPictures['named']) {
  if (isPictureUrl(face)) return named('face', face)
  return face === 'page' && facts.face !== undefined && { urls: [facts.face], isOfPage: true, isExtra: true }
}

/** The meaning of a query until its page was looked for. */
export const unknown = { key: 'unknown', isCurrent: () => false, freshness: usualFreshness }

/** The parameters that the page answers for. What the caller gives holds; a brand has a colour of its own. */
function saidByPage(query: CardQuery, template: string | undefined, texts: CardFacts['texts']) {
  const given: Readonly<Record<string, unknown>> = query
  const own: Readonly<Record<string, TSchema>> = templateOf(template)?.parameters ?? {}
  return mapValues(texts, (text, name) => {
    if (text === '' || given[name] !== undefined) return undefined
    if (query.brand !== undefined && brandNames.has(name)) return undefined
    const field = own[name]
    return field === undefined ? text : valueIn(field, text)
  })
}

const brandNames: ReadonlySet<string> = new Set(['accent', 'theme', 'scheme', 'align'])

/** A fault of the page, or our want of time: not one of the caller. */
function isUnreadable({ code }: FetchFailure): boolean {
  return code === 'upstream_failed' || code === 'upstream_timeout' || code === 'busy'
}

/** The card of the host alone, free, and with nothing of the caller's: a page that does not exist would make any card free. */
export function hostCard({ url, brand, query }: CardCall): ResolvedQuery {
  const { size, format } = query
  const { host, hostname } = new URL(url)
  const look = { size, format, picture: 'none', fallback: 'card' } as const
  return {
    ...ofBrand(brand),
    replaced: {},
    count() {},
    key: 'fallback',
    isCurrent: () => false,
    headers: cardHeaders('fallback'),
    freshness: soonAgain,
    free: {
      query: { ...look, page: `https://${host}/`, title: hostname.replace(/^www\./, '') },
      plainQuery: { ...look, page: '', title: 'No preview' },
    },
  }
}

/** Returns the card in place of one whose page cannot be read now. Throws the error where that is no fault of the page. */
export function resolveFailure(call: CardCall, error: unknown, isSigned: boolean): ResolvedQuery {
  const isOverLimit = error instanceof Problem && error.code === 'rate_limited' && isSigned
  const isFailure = error instanceof FetchFailure && isUnreadable(error)
  if (call.query.fallback === 'card' && (isOverLimit || isFailure)) return hostCard(call)
  throw fetchProblem(error, 'page')
}

export function ofBrand(brand: ResolvedBrand | undefined) {
  return {
    replaced: brand === undefined ? {} : { brand: brand.reference },
    keyIds: brand?.keyIds,
    recheck: () => brand?.recheck(),
    count: (grant: Parameters<ResolvedQuery['count']>[0]) => brand?.count(grant),
  }
}
