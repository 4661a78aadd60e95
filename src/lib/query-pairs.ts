export interface RawQueryPair {
  /** Decoded, or raw where it is not well-formed percent-encoding. */
  readonly name: string
  /** Still percent-encoded; empty where there is no `=`. */
  readonly value: string
}

let last: { readonly rawQuery: string; readonly pairs: readonly RawQueryPair[] } | undefined

/** A name behind `amp;`, escaped for HTML too often, counts unless the query has it by itself. Several parsers read the last. */
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

/** Decodes percent-encoding; undefined where the text is not well-formed percent-encoded UTF-8. */
export function percentDecode(text: string): string | undefined {
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

export type QueryPair = readonly [name: string, value: string]

/** The one spelling that signatures cover: pairs by name in code-point order, all but RFC 3986's unreserved as upper-case %XX. */
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

/** The parts of a signed address in the path, `/i/<asset>/<key>/<payload>/<sig>.<extension>`, without its signature. */
export interface SignedAddress {
  readonly asset: string
  readonly key: string
  readonly payload: string
  readonly extension: string
}

/** The text that is signed. It is the address itself, so there is no canonical form to agree on. */
export function addressText({ asset, key, payload, extension }: SignedAddress): string {
  return `GET /i/${asset}/${key}/${payload}.${extension}`
}

/** Form encoding as base64url. Only what it needs is percent-encoded: a Hindi title would be three times as long. */
export function payloadOf(pairs: readonly QueryPair[]): string {
  const form = pairs.map((pair) => pair.map(formEncode).join('=')).join('&')
  const binary = Array.from(utf8(form), (byte) => String.fromCharCode(byte)).join('')
  return btoa(binary).replaceAll('=', '').replaceAll('+', '-').replaceAll('/', '_')
}

function formEncode(text: string): string {
  return text.replace(/[%&+=]/g, encodeURIComponent).replaceAll(' ', '+')
}

export function utf8(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text)
}
