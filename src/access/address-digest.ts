import type { Secrets } from './secrets.ts'

/**
 * Returns 32 hex digits that name a signed address. `text` is what was signed, without the signature: an address that is
 * signed with the key's next secret keeps its name.
 */
export function addressDigest({ digestOf }: Pick<Secrets, 'digestOf'>, text: string): string {
  return digestOf(text).slice(0, 32)
}
