import { readPair, readUrl, refuseArgument, refuseUnknown, signedPath, subtleHmacHex } from './arguments.ts'
import type { Address, KeyPair, SignOptions } from './types.ts'

/**
 * Signs one call: the URL is valid for five minutes from `t`, and its other parameters may still be changed. Rejects with
 * a TypeError that names a missing key or secret, or a URL that is none.
 *
 * @example
 * await signUrl('https://mintmark.example/api/og?title=Hello', { key: 'mk_…', secret: '…' })
 */
export async function signUrl(url: Address, pair: KeyPair, options: SignOptions = {}): Promise<string> {
  const signed = readUrl(url)
  const { key, secret } = readPair(pair)
  refuseUnknown(options, ['t'])
  const t = options.t ?? Math.floor(Date.now() / 1000)
  if (!/^\d{1,11}$/.test(`${t}`)) refuseArgument(`t must be unix seconds, not ${t}`)
  const sig = await subtleHmacHex(secret, `${t}.GET ${signedPath(signed)}`)
  const { searchParams } = signed
  searchParams.set('key', key)
  searchParams.set('t', `${t}`)
  searchParams.set('sig', sig)
  return signed.href
}
