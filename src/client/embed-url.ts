import { canonicalQuery, type QueryPair } from '../lib/canonical-query.ts'
import { asText, readPair, readUrl, refuse, refuseUnknown } from './arguments.ts'
import { fitParameters } from './fit-parameters.ts'
import { hmacHex } from './hmac.ts'
import type { Address, EmbedOptions, KeyPair, ParametersOf } from './types.ts'

/** The service refuses longer addresses, and so do programs on the way. */
const addressCharsMax = 8_000

/**
 * A signed URL for public pages, valid until `exp` for exactly these parameters. Put it into the page unchanged (escaped
 * for HTML): a changed, added or reordered parameter invalidates the signature. Rejects with a TypeError that names every
 * argument and parameter that the service would refuse.
 *
 * @example
 * await embedUrl('https://mintmark.example/api/og', { title: 'Hello' }, { key: 'mk_…', secret: '…' })
 */
export async function embedUrl<const Endpoint extends Address>(
  endpoint: Endpoint,
  parameters: ParametersOf<Endpoint>,
  pair: KeyPair,
  options: EmbedOptions = {},
): Promise<string> {
  const url = readUrl(endpoint)
  const { key, secret } = readPair(pair)
  refuseUnknown(options, ['exp', 'check'])
  const exp = options.exp ?? Date.UTC(new Date().getUTCFullYear() + 2, 0) / 1000
  const aheadSeconds = exp - Date.now() / 1000
  // Ten years have at least 3,652 days.
  if (!(aheadSeconds > 0 && aheadSeconds < 315_532_800) || exp % 1)
    refuse(`exp must be unix seconds within 10 years, not ${exp}`)
  const given = Object.entries(parameters).flatMap(([name, value]) =>
    [value ?? []].flat().map((one): QueryPair => [name, asText(name, one)]),
  )
  const pairs = fitParameters(
    url.pathname,
    [...url.searchParams, ...given],
    parameters,
    options.check !== false,
  )
  const query = canonicalQuery([...pairs, ['key', key], ['exp', `${exp}`]])
  const sig = await hmacHex(secret, `GET ${url.pathname}?${query}`)
  const address = `${url.origin}${url.pathname}?${query}&sig=${sig}`
  if (address.length > addressCharsMax)
    refuse(`the address has ${address.length} characters; at most ${addressCharsMax} are taken`)
  return address
}
