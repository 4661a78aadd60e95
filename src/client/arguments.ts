import type { Address, KeyPair } from './types.ts'

/** Returns the URL. Throws a TypeError for what is none. */
export function readUrl(address: Address): URL {
  const text = `${address}`
  if (!/^https?:\/\/./.test(text)) refuse(`not an absolute URL: ${text}`)
  return new URL(text)
}

/** Returns the pair. Throws a TypeError for one without a key or a secret. */
export function readPair(pair: KeyPair): KeyPair {
  for (const name of ['key', 'secret'] as const) if (!pair?.[name]) refuse(`no ${name}`)
  return pair
}

export function refuse(message: string): never {
  throw new TypeError(`mintmark: ${message}`)
}
