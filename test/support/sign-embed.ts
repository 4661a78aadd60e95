import { subtleHmacHex } from '../../src/client/arguments.ts'
import type { KeyPair } from '../../src/client/types.ts'
import { canonicalQuery } from '../../src/lib/query-pairs.ts'

/** An embed URL as the client makes it, but without its checks: for signatures that are past or else refused. */
export async function signEmbed(
  endpoint: string,
  parameters: Readonly<Record<string, string>>,
  { key, secret }: KeyPair,
  exp: number,
): Promise<string> {
  const query = canonicalQuery(Object.entries({ ...parameters, key, exp: String(exp) }))
  const sig = await subtleHmacHex(secret, `GET ${new URL(endpoint).pathname}?${query}`)
  return `${endpoint}?${query}&sig=${sig}`
}
