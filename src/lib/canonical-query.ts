import { utf8 } from './utf8.ts'

export type QueryPair = readonly [name: string, value: string]

/**
 * The one spelling of a query that embed signatures cover. Pairs are sorted by name in code-point order (equal names
 * keep their order); everything but RFC 3986's unreserved characters is an upper-case %XX.
 */
export function canonicalQuery(pairs: readonly QueryPair[]): string {
  return (
    pairs
      // The bytes of UTF-8 sort as code points do; JavaScript's own order puts U+10000 before U+E000.
      .map(
        ([name, value]) => [String.fromCharCode(...utf8(name)), `${encode(name)}=${encode(value)}`] as const,
      )
      .sort(([one], [other]) => (one < other ? -1 : one > other ? 1 : 0))
      .map(([, text]) => text)
      .join('&')
  )
}

/** `encodeURIComponent` leaves five characters that RFC 3986 reserves, and throws at half a surrogate pair. */
function encode(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}
