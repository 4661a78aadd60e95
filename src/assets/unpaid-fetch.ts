import { rateLimited } from '../errors.ts'
import { addressBlock } from '../lib/client-addresses.ts'
import type { RateLimit } from '../lib/rate-limit.ts'
import type { Requester } from '../web/requester.ts'
import type { Grant, ProduceContext } from './kit/producer.ts'

/** Returns the check before a fetch: it throws a 429 if the address has had too much fetched without paying. */
export function limitUnpaidFetch(
  limit: RateLimit,
  client: string,
  { mode }: Pick<Grant, 'mode'>,
  whose = 'address',
  what = 'pages',
): () => void {
  return () => {
    const waitSeconds = mode === 'payment' ? 0 : limit.acquire(client)
    if (waitSeconds === 0) return
    const message = `Your ${whose} has had as many ${what} fetched as it may in a minute (FETCH_UNPAID_PER_MINUTE, which the operator can raise).`
    throw rateLimited(message, waitSeconds)
  }
}

/** The requester of a page: an address, and the key used from there. Callers who pay share no slots with others, visitors of a site none with its key. */
export function requesterOf(
  { clientAddress, waiter }: Pick<ProduceContext, 'clientAddress' | 'waiter'>,
  grant: Standing,
): Requester {
  const { mode, keyId, siteId } = grant
  const address = addressBlock(clientAddress)
  if (mode === 'payment') return { names: [`paying ${address}`], kind: 'paid', id: 'payment', waiter }
  if (keyId === undefined) return { names: [`address ${address}`], kind: 'unpaid', id: clientAddress, waiter }
  const id = siteId ?? keyId
  const names = [`address ${address}`, `key ${id}`]
  return isBacked(grant)
    ? { names, kind: 'key', id, waiter }
    : { names, kind: 'unpaid', id: clientAddress, waiter }
}

type Standing = Pick<Grant, 'mode' | 'keyId' | 'siteId' | 'addressDigest'>

/** A key or a payment stands behind the call. Nothing is counted for a page of a site that is not known yet. */
export function isBacked({ mode, keyId, siteId, addressDigest }: Standing): boolean {
  if (mode === 'payment') return true
  return keyId !== undefined && (siteId === undefined || addressDigest !== undefined)
}

/** The requester who learns which pages a site names: all who ask for its pages. */
export function siteRequester(siteId: string): Requester {
  return { names: [`key ${siteId}`], kind: 'unpaid', id: siteId }
}
