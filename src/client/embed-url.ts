import { canonicalQuery, type QueryPair } from '../lib/canonical-query.ts'
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
  const query = canonicalQuery([
    ...url.searchParams,
    ...pairsOf(parameters),
    ['key', pair.key],
    ['exp', String(exp)],
  ])
  const sig = await hmacHex(pair.secret, `GET ${url.pathname}?${query}`)
  return `${url.origin}${url.pathname}?${query}&sig=${sig}`
}

/** Numbers and booleans become strings; `undefined` is left out; a list repeats its name. */
export type EmbedParameters = Readonly<Record<string, Value | readonly Value[] | undefined>>
type Value = string | number | boolean

export interface EmbedOptions {
  /** Unix seconds, at most ten years from now; a year from now unless given. */
  readonly exp?: number
}

const yearSeconds = 31_536_000

function pairsOf(parameters: EmbedParameters): QueryPair[] {
  return Object.entries(parameters).flatMap(([name, value]) =>
    value === undefined ? [] : [value].flat().map((one): QueryPair => [name, String(one)]),
  )
}
