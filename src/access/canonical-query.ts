/**
 * What an embed signature covers of a raw query: all of it but `sig`. Undefined when the query is not written in the
 * canonical form, so that nobody can write a signed URL in another way: `sig` stands last or in its sorted place.
 */
export function signedQuery(rawQuery: string): string | undefined {
  const pairs = parsePairs(rawQuery)
  if (pairs === undefined) return undefined
  const signed = canonicalQuery(pairs.filter(([name]) => name !== 'sig'))
  const [sig] = pairs.filter(([name]) => name === 'sig')
  const written = rawQuery === `${signed}&sig=${sig?.[1]}` || rawQuery === canonicalQuery(pairs)
  return written ? signed : undefined
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

/** Percent-decoded; a bare `+` is not canonical however it is read. Undefined: not well encoded. */
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
