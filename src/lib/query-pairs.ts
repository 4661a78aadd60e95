/** One `name=value` of a query, still percent-encoded. */
export interface QueryPair {
  readonly name: string
  /** Empty where there is no `=`. */
  readonly value: string
}

let last: { readonly rawQuery: string; readonly pairs: readonly QueryPair[] } | undefined

/** The pairs of a raw query in their order. Remembers the last query: several readers look at each. */
export function queryPairs(rawQuery: string): readonly QueryPair[] {
  if (last?.rawQuery !== rawQuery) last = { rawQuery, pairs: split(rawQuery) }
  return last.pairs
}

function split(rawQuery: string): QueryPair[] {
  return rawQuery.split('&').map((pair) => {
    const equals = pair.indexOf('=')
    return equals < 0
      ? { name: pair, value: '' }
      : { name: pair.slice(0, equals), value: pair.slice(equals + 1) }
  })
}
