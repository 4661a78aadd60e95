import { canonicalQuery, type QueryPair } from '../lib/canonical-query.ts'

/**
 * The part of a raw query that an embed signature covers: all of it but `sig`, which stands last or in its sorted place.
 * Returns undefined if the query is not in canonical form, so that a signed URL can be written in no other way.
 */
export function signedQuery(rawQuery: string): string | undefined {
  const pairs = parsePairs(rawQuery)
  if (pairs === undefined) return undefined
  const signed = canonicalQuery(pairs.filter(([name]) => name !== 'sig'))
  const [sig] = pairs.filter(([name]) => name === 'sig')
  const isCanonical = rawQuery === `${signed}&sig=${sig?.[1]}` || rawQuery === canonicalQuery(pairs)
  return isCanonical ? signed : undefined
}

/** Percent-decoded pairs; undefined if they are not well encoded. A bare `+` is never canonical. */
function parsePairs(rawQuery: string): QueryPair[] | undefined {
  try {
    return rawQuery.split('&').map((pair) => {
      const equals = pair.indexOf('=')
      const [name, value] = equals < 0 ? [pair, ''] : [pair.slice(0, equals), pair.slice(equals + 1)]
      return [decodeURIComponent(name), decodeURIComponent(value)]
    })
  } catch {
    return undefined
  }
}
