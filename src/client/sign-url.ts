import { hmacHex, type KeyPair } from './hmac.ts'

/**
 * Signs one call: the URL is valid for five minutes from `t`, and its other parameters may still be changed.
 *
 * @example
 * await signUrl('https://mintmark.example/api/og?title=Hello', { key: 'mk_…', secret: '…' })
 */
export async function signUrl(url: string | URL, pair: KeyPair, options: SignOptions = {}): Promise<string> {
  const signed = new URL(url)
  const t = options.t ?? Math.floor(Date.now() / 1000)
  const sig = await hmacHex(pair.secret, `${t}.GET ${signed.pathname}`)
  for (const [name, value] of Object.entries({ key: pair.key, t: String(t), sig })) {
    signed.searchParams.set(name, value)
  }
  return signed.href
}

export interface SignOptions {
  /** Unix seconds; now unless given. */
  readonly t?: number
}
