import { rateLimited } from '../errors.ts'
import { addressBlock } from '../lib/client-blocks.ts'
import type { RateLimit } from '../lib/rate-limit.ts'
import type { Requester } from '../web/requester.ts'
import type { Grant, ProduceContext } from './kit/producer.ts'

/** Returns the check that runs before a site is fetched: it throws a 429 if the address has had too much fetched without paying. */
export function limitUnpaidFetch(
  limit: RateLimit,
  { clientAddress }: Pick<ProduceContext, 'clientAddress'>,
  { mode }: Pick<Grant, 'mode'>,
): () => void {
  return () => {
    const waitSeconds = mode === 'payment' ? 0 : limit.acquire(clientAddress)
    if (waitSeconds === 0) return
    throw rateLimited('Your address has had many pages fetched just now.', waitSeconds)
  }
}

/**
 * For whom a page is fetched, where slots are shared: a client address, and the key that was used from there. Callers
 * who pay share no slots with callers who do not, even from one address.
 */
export function requesterOf(
  { clientAddress }: Pick<ProduceContext, 'clientAddress'>,
  { mode, keyId }: Pick<Grant, 'mode' | 'keyId'>,
): Requester {
  const address = addressBlock(clientAddress)
  if (mode === 'payment') return [`paying ${address}`]
  return keyId === undefined ? [`address ${address}`] : [`address ${address}`, `key ${keyId}`]
}
