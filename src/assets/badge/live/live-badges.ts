import type { ParameterError } from '../../../errors.ts'
import { addressBlock } from '../../../lib/client-addresses.ts'
import { withinCharacters } from '../../../lib/human-format.ts'
import { loadedOnce } from '../../../lib/memo.ts'
import { cleanText } from '../../../text/clean-text.ts'
import { type FailureCode, FetchFailure, fetchProblem } from '../../../web/fetch-failure.ts'
import type { AssetParts } from '../../asset-parts.ts'
import { type Grant, type ProduceContext, type ResolvedQuery, unchanged } from '../../kit/producer.ts'
import { limitUnpaidFetch, requesterOf } from '../../unpaid-fetch.ts'
import { colorByValue, palette } from '../color-names.ts'
import type { BadgeQuery } from '../query.ts'
import type { DocumentFacts, Documents, FoundFacts } from './documents.ts'
import { type DocumentSource, documentSourceOf, liveNames, messageCharsMax } from './source.ts'

/** Returns a function that tells what a live badge shows at the moment; undefined for a badge that is complete. */
export function createLiveBadges({
  livePages,
  documentList,
}: Pick<AssetParts, 'livePages' | 'documentList'>) {
  const { unpaid, now } = livePages
  let reader: Documents | undefined
  const withReader = loadedOnce(async () => {
    const { createDocuments } = await import('./documents.ts')
    reader = createDocuments(await livePages.documentFetcher(), now, documentList)
    return reader
  })

  function found(query: BadgeQuery, source: DocumentSource, { facts, ttlSeconds }: FoundFacts) {
    return {
      ...unread,
      key: 'live',
      replaced: completeBadge(query, facts),
      isCurrent: () => reader?.fresh(source)?.facts === facts,
      use: () => reader?.use(source),
      freshness: { seconds: ttlSeconds, staleSeconds: 86_400 },
    }
  }

  return (given: Partial<BadgeQuery>): ResolvedQuery | ParameterError | undefined => {
    const source = documentSourceOf(given)
    if (source === undefined) return undefined
    const query = given as BadgeQuery
    const document = source
    async function find(context: ProduceContext, grant: Grant): Promise<ResolvedQuery> {
      try {
        const { read } = await withReader((loaded) => loaded)
        const requester = requesterOf(context, grant)
        // A signed call is counted for its key, because proxies of pictures ask for badges of many pages from one address.
        const client = grant.keyId ?? addressBlock(context.clientAddress)
        const beforeRead = limitUnpaidFetch(unpaid, client, grant, 'address or key', 'documents')
        return found(query, document, await read(document, { requester, beforeRead }))
      } catch (error) {
        return fallbackFor(error, query, document)
      }
    }
    if (reader === undefined)
      return { ...unread, find, recheck: async () => void (await withReader(() => {})) }
    const mistake = source.path === undefined ? undefined : reader.pathMistake(source)
    if (mistake?.isPattern === true && query.fallback !== undefined) return fallback(query, 'no result')
    if (mistake !== undefined) return { parameter: 'query', message: mistake.message }
    const fresh = reader.fresh(source)
    return fresh === undefined ? { ...unread, find } : found(query, source, fresh)
  }
}

/** The meaning of a live badge until its document was read. */
const unread: ResolvedQuery = { ...unchanged, key: 'unread', isCurrent: () => false }

/** A badge that is complete names no document. */
const withoutSource = Object.fromEntries(liveNames.map((name) => [name, undefined]))

/** Failures that are the document's or its site's. */
const fallbackCodes: ReadonlySet<FailureCode> = new Set([
  ...(['upstream_failed', 'upstream_timeout', 'self_request'] as const),
  ...(['blocked_address', 'blocked_host', 'blocked_port'] as const),
])

/** The badge that the caller wants instead of this failure; else throws the problem. */
function fallbackFor(error: unknown, query: BadgeQuery, { parameter }: DocumentSource): ResolvedQuery {
  if (query.fallback === undefined || !(error instanceof FetchFailure) || !fallbackCodes.has(error.code))
    throw fetchProblem(error, parameter)
  return fallback(query, error.reason === 'no_value' ? 'no result' : 'inaccessible')
}

const fallbackLabelCharsMax = 40

/** The flat grey badge in place of one whose document has no answer. */
function fallback({ label, format }: BadgeQuery, message: string): ResolvedQuery {
  const plainQuery = { value: message, color: palette.lightgrey, scale: 1, format }
  const labelled = label && { label: withinCharacters(label, fallbackLabelCharsMax) }
  const free = { plainQuery, query: { ...labelled, ...plainQuery } }
  return { ...unread, key: 'fallback', freshness: { seconds: 60, staleSeconds: 0 }, free }
}

/** The parameters of the caller win over the document, as at shields.io. */
function completeBadge(query: BadgeQuery, facts: DocumentFacts): BadgeQuery {
  const { prefix = '', suffix = '' } = query
  const { logoColor, number, isError, ...look } = facts
  const given: Partial<BadgeQuery> = { ...query, ...withoutSource }
  const value =
    given.value ?? withinCharacters(cleanText(`${prefix}${facts.value}${suffix}`), messageCharsMax)
  return {
    ...look,
    // A logo of the caller's does not have the colour of the document's.
    ...(given.logo === undefined && logoColor !== undefined && { logoColor }),
    ...given,
    value,
    ...(isError === true
      ? { color: facts.color ?? palette.lightgrey, labelColor: facts.labelColor }
      : { color: colorOf(given, facts) }),
  } as BadgeQuery
}

/** The caller's colour, which may depend on the value; else the document's, unless a status word chooses one. */
function colorOf({ color, status }: Partial<BadgeQuery>, { color: said, value, number }: DocumentFacts) {
  if (color !== undefined) return colorByValue(color, number ?? value)
  return status === undefined ? said : undefined
}
