export type QueryPair = readonly [name: string, value: string]

/**
 * The one spelling of a query that embed signatures cover. Pairs are sorted by name in code-point order (equal names
 * keep their order); everything but RFC 3986's unreserved characters is an upper-case %XX.
 */
export function canonicalQuery(pairs: readonly QueryPair[]): string {
  return pairs
    .map(([name, value]) => [utf8Units(name), `${encode(name)}=${encode(value)}`] as const)
    .sort(([one], [other]) => (one < other ? -1 : Number(one > other)))
    .map(([, text]) => text)
    .join('&')
}

/** The bytes of UTF-8 as characters. They sort as code points do; JavaScript's own order puts U+10000 before U+E000. */
function utf8Units(text: string): string {
  return String.fromCharCode(...new TextEncoder().encode(text))
}

/** `encodeURIComponent` leaves five characters that RFC 3986 reserves, and throws at half a surrogate pair. */
function encode(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}
