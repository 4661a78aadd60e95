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

/**
 * Pairs sorted by name in code-point order (equal names keep their order), everything but RFC 3986's unreserved
 * characters as upper-case %XX.
 */
export function canonicalQuery(pairs: readonly Pair[]): string {
  return (
    [...pairs]
      // UTF-8 sorts as code points do; JavaScript's own order puts U+10000 before U+E000.
      .sort(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
      .map(([name, value]) => `${encode(name)}=${encode(value)}`)
      .join('&')
  )
}

type Pair = readonly [name: string, value: string]

/** Percent-decoded pairs; undefined if they are not well encoded. A bare `+` is never canonical. */
function parsePairs(rawQuery: string): Pair[] | undefined {
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

/** encodeURIComponent leaves five characters that RFC 3986 reserves. */
function encode(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)
}
