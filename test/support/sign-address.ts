import { createHmac } from 'node:crypto'
import type { KeyPair } from '../../src/client/types.ts'
import { addressText, payloadOf } from '../../src/lib/query-pairs.ts'

interface AddressOptions {
  readonly asset?: string
  readonly extension?: string
  readonly payload?: string
}

/** A signed address in the path, made without the client and its checks. */
export function signAddress(
  { key, secret }: KeyPair,
  parameters: Readonly<Record<string, string>>,
  { asset = 'og', extension = 'svg', payload = payloadOf(Object.entries(parameters)) }: AddressOptions = {},
): string {
  const text = addressText({ asset, key, payload, extension })
  const sig = createHmac('sha256', secret).update(text).digest('hex').slice(0, 32)
  return `/i/${asset}/${key}/${payload}/${sig}.${extension}`
}
