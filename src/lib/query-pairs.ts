import { percentDecode } from './percent-decode.ts'

/** One `name=value` of a query. */
export interface QueryPair {
  /** Decoded; as it stands where it is not well encoded. */
  readonly name: string
  /** Still percent-encoded; empty where there is no `=`. */
  readonly value: string
}

let last: { readonly rawQuery: string; readonly pairs: readonly QueryPair[] } | undefined

/** The pairs of a raw query in their order. Remembers the last query: several readers look at each. */
export function queryPairs(rawQuery: string): readonly QueryPair[] {
  if (last?.rawQuery !== rawQuery) last = { rawQuery, pairs: split(rawQuery) }
  return last.pairs
}

function split(rawQuery: string): QueryPair[] {
  const pairs: QueryPair[] = []
  // Looked for again only once it is passed: a query of nothing but ampersands is read once, not once for each.
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

/** Text as a form encodes it, decoded; undefined where it is not well-formed percent-encoded UTF-8. */
export function formDecode(text: string): string | undefined {
  return percentDecode(text.includes('+') ? text.replaceAll('+', ' ') : text)
}
