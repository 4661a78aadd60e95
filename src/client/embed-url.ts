import { hmacHex, type KeyPair } from './hmac.ts'

/**
 * A signed URL for public pages, valid until `exp` for exactly these parameters. Put it into the page unchanged (escaped
 * for HTML): a changed, added or reordered parameter invalidates the signature.
 *
 * @example
 * await embedUrl('https://mintmark.example/api/og', { title: 'Hello' }, { key: 'mk_…', secret: '…' })
 */
export async function embedUrl(
  endpoint: string | URL,
  parameters: EmbedParameters,
  pair: KeyPair,
  options: EmbedOptions = {},
): Promise<string> {
  const url = new URL(endpoint)
  const exp = options.exp ?? Math.floor(Date.now() / 1000) + yearSeconds
  const pairs = [
    ...url.searchParams,
    ...pairsOf(parameters),
    ['key', pair.key],
    ['exp', String(exp)],
  ] as Pair[]
  const query = canonicalQuery(pairs)
  const sig = await hmacHex(pair.secret, `GET ${url.pathname}?${query}`)
  return `${url.origin}${url.pathname}?${query}&sig=${sig}`
}

/** Numbers and booleans become strings; `undefined` is left out; a list repeats its name. */
export type EmbedParameters = Readonly<Record<string, Value | readonly Value[] | undefined>>
type Value = string | number | boolean
type Pair = readonly [name: string, value: string]

export interface EmbedOptions {
  /** Unix seconds, at most ten years from now; a year from now unless given. */
  readonly exp?: number
}

const yearSeconds = 31_536_000

function pairsOf(parameters: EmbedParameters): Pair[] {
  return Object.entries(parameters).flatMap(([name, value]) =>
    value === undefined ? [] : [value].flat().map((one): Pair => [name, String(one)]),
  )
}

/** Sorted by name in code point order, and percent-encoded by RFC 3986. */
function canonicalQuery(pairs: readonly Pair[]): string {
  return pairs
    .map(([name, value]) => ({ order: codePoints(name), text: `${encode(name)}=${encode(value)}` }))
    .sort((a, b) => (a.order < b.order ? -1 : Number(a.order > b.order)))
    .map(({ text }) => text)
    .join('&')
}

function codePoints(text: string): string {
  return Array.from(text, (c) => c.codePointAt(0)?.toString(16).padStart(6, '0')).join()
}

function encode(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replace(
    /[!'()*]/g,
    (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}
