import { canonicalQuery, type QueryPair } from '../lib/canonical-query.ts'
import { readPair, readUrl, refuse } from './arguments.ts'
import { fitTexts } from './fit-texts.ts'
import { hmacHex } from './hmac.ts'
import type { Address, EmbedOptions, EmbedParameters, KeyPair } from './types.ts'

/**
 * A signed URL for public pages, valid until `exp` for exactly these parameters. Put it into the page unchanged (escaped
 * for HTML): a changed, added or reordered parameter invalidates the signature. Rejects with a TypeError that names the
 * argument, or the text, that the service would refuse.
 *
 * @example
 * await embedUrl('https://mintmark.example/api/og', { title: 'Hello' }, { key: 'mk_…', secret: '…' })
 */
export async function embedUrl(
  endpoint: Address,
  parameters: EmbedParameters,
  pair: KeyPair,
  options: EmbedOptions = {},
): Promise<string> {
  const url = readUrl(endpoint)
  const { key, secret } = readPair(pair)
  const exp = options.exp ?? Date.UTC(new Date().getUTCFullYear() + 2, 0) / 1000
  const aheadSeconds = exp - Date.now() / 1000
  // No ten years have fewer days than 3,652.
  if (!(aheadSeconds > 0 && aheadSeconds < 315_532_800) || exp % 1)
    refuse(`exp must be unix seconds within 10 years, not ${exp}`)
  const given = Object.entries(parameters).flatMap(([name, value]) =>
    [value ?? []].flat().map((one): QueryPair => [name, `${one}`]),
  )
  const pairs = fitTexts(url.pathname, [...url.searchParams, ...given], parameters)
  const query = canonicalQuery([...pairs, ['key', key], ['exp', `${exp}`]])
  const sig = await hmacHex(secret, `GET ${url.pathname}?${query}`)
  return `${url.origin}${url.pathname}?${query}&sig=${sig}`
}
