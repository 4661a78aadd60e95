import { type Clock, utcDay } from '../lib/clock.ts'
import { findStoreError } from '../store/store-error.ts'
import type { AddressViews } from './address-views.ts'
import {
  type Authorization,
  type AuthorizationRequest,
  type Granted,
  notAllowed,
  type Refusal,
} from './authorization.ts'
import type { SignatureParameters } from './credentials.ts'
import { absenceMsMax, changesMsMax } from './embed-memory.ts'
import { assetNotAllowed, mayCall } from './key-assets.ts'
import type { CachedKey, KeyCache } from './key-cache.ts'
import { nothingToRefund } from './quota-grant.ts'
import { signatureRefusals } from './signature-refusals.ts'
import { type SignatureVerifier, secondsLeftOf } from './signature-verifier.ts'

interface RevalidationDeps {
  readonly cache: KeyCache
  readonly verifier: SignatureVerifier
  readonly views: AddressViews
  readonly clock: Clock
}

/**
 * Returns a function that decides whether a signed call whose caller has a copy of the answer may go on using it. It checks
 * the signature, its time and the key, and counts nothing. A key that has not changed since it was read is not read again,
 * so nearly every answer is no promise.
 */
export function createRevalidation({ cache, verifier, views, clock }: RevalidationDeps) {
  function decide(
    key: CachedKey | undefined,
    request: AuthorizationRequest,
    signature: SignatureParameters,
  ): Authorization | Refusal {
    const nowMs = clock.now()
    const verification = verifier.verify(key?.row, signature, request, nowMs)
    if (verification.fault !== undefined) return signatureRefusals[verification.fault]
    if (key === undefined) return signatureRefusals.unknown_key
    if (!mayCall(key.row, request.endpoint)) return assetNotAllowed(key.row, request.endpoint)
    if (request.onlyKeyIds?.has(key.row.id) === false) return notAllowed
    if (verification.address !== undefined) views.note(verification.address, utcDay(nowMs))
    return granted(key.row.id, secondsLeftOf(signature, key.row, nowMs), verification.address?.digest)
  }

  /** Decides once more where the signature may be that of an address which an earlier secret signed. */
  async function decideAgain(
    key: CachedKey | undefined,
    request: AuthorizationRequest,
    signature: SignatureParameters,
  ): Promise<Authorization | Refusal> {
    const decision = decide(key, request, signature)
    if (key === undefined || 'granted' in decision || decision !== signatureRefusals.invalid_signature)
      return decision
    const isEarlier = await verifier.recallEarlier(key.row, signature, request)
    return isEarlier ? decide(key, request, signature) : decision
  }

  /** While the database cannot be asked, a key that was good in the last minutes goes on being so. */
  async function read(id: string): Promise<CachedKey | undefined> {
    try {
      return await cache.readShared(id)
    } catch (error) {
      const key = findStoreError(error) === undefined ? undefined : cache.current(id, absenceMsMax)
      if (key === undefined) throw error
      return key
    }
  }

  return (
    request: AuthorizationRequest,
    signature: SignatureParameters,
  ): Authorization | Promise<Authorization | Refusal> => {
    const key = cache.current(signature.keyId, changesMsMax)
    if (key === undefined)
      return read(signature.keyId).then((current) => decideAgain(current, request, signature))
    const decision = decide(key, request, signature)
    return 'granted' in decision ? decision : decideAgain(key, request, signature)
  }
}

function granted(keyId: string, secondsLeft: number | undefined, addressDigest: string | undefined): Granted {
  return { granted: true, mode: 'key', keyId, secondsLeft, addressDigest, refund: nothingToRefund }
}
