import { addressText, canonicalQuery, payloadOf, type QueryPair } from '../lib/query-pairs.ts'
import {
  asText,
  entryOf,
  readPair,
  readUrl,
  refuseArgument,
  refuseUnknown,
  signedPath,
  subtleHmacHex,
} from './arguments.ts'
import { type Endpoint, fitParameters, readEndpoint } from './fit-parameters.ts'
import { parameterRules } from './parameter-rules.ts'
import type { Address, EmbedOptions, KeyPair, ParametersOf } from './types.ts'

/** The service refuses longer addresses, and so do programs on the way. */
const addressCharsMax = 8_000

/**
 * A signed address for public pages, for exactly these parameters: `/i/og/…png`, or with `{ form: 'query' }`
 * `/api/og.png?…`. It is valid until `exp`, or for as long as the key. Rejects with a TypeError that names every argument
 * and parameter that the service would refuse.
 *
 * @example
 * await embedUrl('https://mintmark.example/api/og.png', { title: 'Hello' }, { key: 'mk_…', secret: '…' })
 */
export async function embedUrl<const Called extends Address>(
  endpoint: Called,
  parameters: ParametersOf<Called>,
  pair: KeyPair,
  options: EmbedOptions = {},
): Promise<string> {
  const url = readUrl(endpoint)
  const { key, secret } = readPair(pair)
  refuseUnknown(options, ['exp', 'form', 'check'])
  const given = Object.entries(parameters).flatMap(([name, value]) =>
    [value ?? []].flat().map((one): QueryPair => [name, asText(name, one)]),
  )
  const all = [...url.searchParams, ...given]
  const called = readEndpoint(url.pathname, all)
  const pairs = fitParameters(url.pathname, called, all, parameters, options.check !== false)
  const extension = extensionOf(called, pairs)
  const form = options.form ?? (extension ? 'path' : 'query')
  const exp = readExp(options.exp ?? (form === 'query' ? usualEnd() : undefined))
  const address =
    form === 'query'
      ? await queryAddress(url, [...pairs, ['key', key], ...exp], secret)
      : form === 'path' && extension
        ? await pathAddress({ ...called, key, extension }, [...pairs, ...exp], secret)
        : refuseArgument(
            'form must be path or query, and query for what is no picture or has a parameter twice',
          )
  const { length } = url.origin + address
  if (length > addressCharsMax)
    refuseArgument(`the address has ${length} characters; at most ${addressCharsMax}`)
  return url.origin + address
}

/** The extension of an address in the path; undefined for what has no such address. */
function extensionOf({ asset, format = '' }: Endpoint, pairs: readonly QueryPair[]): string | undefined {
  const hasPath =
    entryOf(parameterRules, asset) &&
    new Map(pairs).size === pairs.length &&
    /^(svg|png|jpeg|webp)$/.test(format)
  return hasPath ? format.replace('jpeg', 'jpg') : undefined
}

async function pathAddress(
  { base, asset, key, extension }: Endpoint & { readonly key: string; readonly extension: string },
  pairs: readonly QueryPair[],
  secret: string,
): Promise<string> {
  const payload = payloadOf(
    pairs
      .filter(([name]) => name !== 'kind' && name !== 'format')
      // One order of parameters, because each address counts by itself.
      .sort(([one], [other]) => (one < other ? -1 : 1)),
  )
  const sig = await subtleHmacHex(secret, addressText({ asset, key, payload, extension }))
  return `${base}/i/${asset}/${key}/${payload}/${sig.slice(0, 32)}.${extension}`
}

async function queryAddress(url: URL, pairs: readonly QueryPair[], secret: string): Promise<string> {
  const query = canonicalQuery(pairs)
  return `${url.pathname}?${query}&sig=${await subtleHmacHex(secret, `GET ${signedPath(url)}?${query}`)}`
}

/** The start of the year after next: builds of one year give the same address, so caches keep what they have. */
function usualEnd(): number {
  return Date.UTC(new Date().getUTCFullYear() + 2, 0) / 1000
}

function readExp(exp: number | undefined): QueryPair[] {
  if (exp === undefined) return []
  const aheadSeconds = exp - Date.now() / 1000
  // Ten years have at least 3,652 days.
  if (!(aheadSeconds > 0 && aheadSeconds < 315_532_800) || exp % 1)
    refuseArgument(`exp must be unix seconds within 10 years, not ${exp}`)
  return [['exp', `${exp}`]]
}
