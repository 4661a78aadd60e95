import { percentDecode } from './percent-decode.ts'

/** One `name=value` of a query. */
export interface RawQueryPair {
  /** Decoded, or raw where it is not well-formed percent-encoding. */
  readonly name: string
  /** Still percent-encoded; empty where there is no `=`. */
  readonly value: string
}

let last: { readonly rawQuery: string; readonly pairs: readonly RawQueryPair[] } | undefined

/**
 * The pairs of a raw query in their order. A name that begins with `amp;`, as in an address that was escaped for HTML once or
 * twice too often, is the name behind it where the query does not have that name by itself. The last query is cached,
 * since each is read by several parsers.
 */
export function queryPairs(rawQuery: string): readonly RawQueryPair[] {
  if (last?.rawQuery !== rawQuery) last = { rawQuery, pairs: unescapeNames(queryPairsAsSent(rawQuery)) }
  return last.pairs
}

const escapedName = /^amp;(?:amp;)?/

function unescapeNames(pairs: readonly RawQueryPair[]): readonly RawQueryPair[] {
  if (!pairs.some(({ name }) => name.startsWith('amp;'))) return pairs
  const plainNames = new Set(pairs.map(({ name }) => name))
  return pairs.map((pair) => {
    const name = unescapedName(pair.name)
    return plainNames.has(name) ? pair : { ...pair, name }
  })
}

/** The name as it was before it was escaped for HTML once or twice too often. */
export function unescapedName(name: string): string {
  return name.replace(escapedName, '')
}

/** The pairs of a raw query in their order, with the names that they were sent with. */
export function queryPairsAsSent(rawQuery: string): readonly RawQueryPair[] {
  const pairs: RawQueryPair[] = []
  // Searched again only after it was passed: otherwise a query of ampersands would take quadratic time.
  let equals = rawQuery.indexOf('=')
  for (let start = 0; start <= rawQuery.length; ) {
    if (equals >= 0 && equals < start) equals = rawQuery.indexOf('=', start)
    const ampersand = rawQuery.indexOf('&', start)
    const end = ampersand < 0 ? rawQuery.length : ampersand
    const nameEnd = equals < 0 || equals > end ? end : equals
    const name = rawQuery.slice(start, nameEnd)
    pairs.push({ name: formDecode(name) ?? name, value: rawQuery.slice(nameEnd + 1, end) })
    start = end + 1
  }
  return pairs
}

/** Decodes form encoding; undefined where the text is not well-formed percent-encoded UTF-8. */
export function formDecode(text: string): string | undefined {
  return percentDecode(text.includes('+') ? text.replaceAll('+', ' ') : text)
}
