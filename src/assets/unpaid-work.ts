import type { Granted } from '../access/authorization.ts'
import { Problem } from '../errors.ts'
import type { RequestContext } from '../http/request-context.ts'
import { addressBlock } from '../lib/address-block.ts'
import type { RateLimit } from '../lib/rate-limit.ts'
import type { Requester } from '../web/slot-table.ts'

/** Called before a site is asked: refuses an address that has had too much fetched without paying. */
export function unpaidWork(
  limit: RateLimit,
  { clientAddress }: RequestContext,
  { mode }: Granted,
): () => void {
  return () => {
    const waitSeconds = mode === 'payment' ? 0 : limit.acquire(addressBlock(clientAddress))
    if (waitSeconds === 0) return
    throw new Problem('rate_limited', 'Your address has had many pages fetched just now.', {
      headers: { 'retry-after': String(waitSeconds) },
    })
  }
}

/**
 * Whom a fetch is for, where slots are shared: a client address, and the key that was used from there. Who pays does
 * not share with who does not, though they come from one address.
 */
export function requesterOf({ clientAddress }: RequestContext, { mode, keyId }: Granted): Requester {
  const address = addressBlock(clientAddress)
  if (mode === 'payment') return [`paying ${address}`]
  return keyId === undefined ? [`address ${address}`] : [`address ${address}`, `key ${keyId}`]
}
