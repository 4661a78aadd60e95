import type { Clock } from '../lib/clock.ts'
import type { ChangeWatch } from '../store/change-watch.ts'
import type { KeyReading, KeyRow, KeyTable } from '../store/keys.ts'
import {
  type Meter,
  MeterUnavailable,
  type QuotaReservation,
  type ReservationRequest,
} from '../store/meter.ts'
import type { SignedAddressTable } from '../store/signed-addresses.ts'
import { findStoreError } from '../store/store-error.ts'
import type { UsageTable } from '../store/usage.ts'
import { type AddressViewsDeps, createAddressViews } from './address-views.ts'
import {
  type Authorization,
  type AuthorizationRequest,
  type AuthStrategy,
  type Granted,
  notAllowed,
  type Refusal,
} from './authorization.ts'
import type { SignatureParameters } from './credentials.ts'
import { absenceMsMax, changesMsMax, createEmbedMemory } from './embed-memory.ts'
import { assetNotAllowed, mayCall } from './key-assets.ts'
import { createKeyCache } from './key-cache.ts'
import { dailyLimitOf } from './key-quota.ts'
import { createOverQuota, type OverQuotaDeps } from './over-quota.ts'
import { addressGrant, callsToCount, grantByQuota } from './quota-grant.ts'
import { createRevalidation } from './revalidation.ts'
import { signatureRefusals } from './signature-refusals.ts'
import {
  createSignatureVerifier,
  formerNameOf,
  type SignatureRules,
  secondsLeftOf,
  type Verified,
} from './signature-verifier.ts'
import type { TrafficLog } from './traffic-log.ts'

export interface KeyStrategyDeps extends SignatureRules, AddressViewsDeps, Pick<OverQuotaDeps, 'isDivided'> {
  readonly signedAddresses: Pick<SignedAddressTable, 'findVersion' | 'setView'>
  readonly meter: Meter
  readonly changes: ChangeWatch
  /** Counts the calls that are granted without the meter. */
  readonly traffic: Pick<TrafficLog, 'record'>
  readonly keys: Pick<KeyTable, 'read'>
  readonly usage: Pick<UsageTable, 'history'>
  readonly clock: Clock
  /** For keys without a quota of their own. */
  readonly dailyQuota: number
}

const attemptsMax = 5

/** Authenticates calls signed with `t` and signed addresses: the key has a quota of its own. */
export function createKeyStrategy(deps: KeyStrategyDeps): AuthStrategy {
  const { meter, clock, dailyQuota, changes } = deps
  const verifier = createSignatureVerifier(deps)
  const cache = createKeyCache(deps.keys, changes)
  const memory = createEmbedMemory({ ...deps, cache, verifier })
  const revalidate = createRevalidation({ cache, verifier, views: createAddressViews(deps), clock })
  const granted = createGranting({ meter, memory, changes })
  const reserveOver = createOverQuota(deps)

  async function authorize(
    request: AuthorizationRequest,
    signature: SignatureParameters,
  ): Promise<Authorization | Refusal> {
    for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
      const isFresh = attempt > 0
      const epoch = changes.epoch()
      const key = isFresh ? await cache.read(signature.keyId) : cache.get(signature.keyId)
      const nowMs = clock.now()
      const verification = verifier.verify(key?.row, signature, request, nowMs)
      if (key !== undefined && verification.fault === undefined) {
        if (!mayCall(key.row, request.endpoint)) {
          if (isFresh) return assetNotAllowed(key.row, request.endpoint)
          continue
        }
        if (request.onlyKeyIds?.has(key.row.id) === false) return notAllowed
        const limit = dailyLimitOf(key.row, dailyQuota, nowMs)
        // The meter compares the key's revision within the transaction that counts the call, so a change made by any
        // process holds from the next call on.
        const reservation = await meter.reserve(
          reservationFor(request, signature, key.row, limit, verification),
        )
        key.used = reservation.used
        if (reservation.granted)
          return granted(signature, key.row, withLimit(reservation, limit), epoch, nowMs)
        if (!reservation.stale) {
          if (verification.isEarlier) return signatureRefusals.invalid_signature
          const over = await reserveOver({ request, key: key.row, refused: reservation.request })
          if (over !== undefined)
            return grantOver(meter, signature, key.row, { quota: reservation, over, nowMs })
          return { ...quotaExhausted, quota: reservation }
        }
        // Known now, before the next look for changes.
        changes.note()
      } else if (isFresh) {
        const fault = verification.fault ?? 'unknown_key'
        const mayBeEarlier = key !== undefined && fault === 'invalid_signature'
        if (!mayBeEarlier || !(await verifier.recallEarlier(key.row, signature, request)))
          return signatureRefusals[fault]
      }
    }
    throw new MeterUnavailable('The key changes faster than it can be read.')
  }

  /** While the database cannot be asked, what it granted in the last minutes goes on being granted. */
  async function authorizeOrRemember(request: AuthorizationRequest, signature: SignatureParameters) {
    try {
      return await authorize(request, signature)
    } catch (error) {
      const isAway = error instanceof MeterUnavailable || findStoreError(error) !== undefined
      const grant = isAway ? memory.grant(request, signature, absenceMsMax) : undefined
      if (grant === undefined) throw error
      return grant
    }
  }

  return (request, { signature }) => {
    if (signature === undefined) return undefined
    if (request.isRevalidation === true) return revalidate(request, signature)
    if (signature.kind === 't') return authorize(request, signature)
    return memory.grant(request, signature, changesMsMax) ?? authorizeOrRemember(request, signature)
  }
}

interface GrantingDeps extends Pick<KeyStrategyDeps, 'meter' | 'changes'> {
  readonly memory: Pick<ReturnType<typeof createEmbedMemory>, 'add' | 'remove'>
}

/** Returns a function that makes the grant of what was reserved. An address is remembered, until it is refunded. */
function createGranting({ meter, memory, changes }: GrantingDeps) {
  return (
    signature: SignatureParameters,
    key: KeyRow,
    reservation: QuotaReservation,
    epoch: number,
    nowMs: number,
  ): Granted => {
    const { keyId } = signature
    const secondsLeft = secondsLeftOf(signature, key, nowMs)
    const { address, n } = reservation.request
    const addressDigest = address?.digest
    const grant = { ...grantByQuota('key', meter, reservation), keyId, secondsLeft, addressDigest }
    if (address === undefined || n === 0) return grant
    memory.add(reservation.day, address, epoch)
    return addressGrant(grant, reservation, changes, () => memory.remove(address))
  }
}

/** The grant of a link preview over the quota: the address is not counted by it, and its next view is decided anew. */
function grantOver(
  meter: Meter,
  signature: SignatureParameters,
  key: KeyRow,
  { quota, over, nowMs }: { quota: QuotaReservation; over: QuotaReservation; nowMs: number },
): Granted {
  const secondsLeft = secondsLeftOf(signature, key, nowMs)
  const addressDigest = quota.request.address?.digest
  return { ...grantByQuota('key', meter, over), quota, keyId: key.id, secondsLeft, addressDigest }
}

function reservationFor(
  request: AuthorizationRequest,
  signature: SignatureParameters,
  key: KeyReading,
  limit: number | null,
  { address, isEarlier }: Verified,
): ReservationRequest {
  return {
    bucket: `key:${key.id}`,
    // Under an earlier secret nothing is counted anew, nor is what an earlier version drew.
    limit: isEarlier || request.unlessAnswered !== undefined ? 0 : limit,
    n: callsToCount(request),
    endpoint: request.endpoint,
    auth: 'key',
    expectedRevision: { keyId: key.id, revision: key.revision, generation: key.generation },
    dedupKey: formerNameOf(signature),
    address,
  }
}

/** The reservation as the quota of the key has it, also where it was asked for with another limit. */
function withLimit(reservation: QuotaReservation, limit: number | null): QuotaReservation {
  if (reservation.limit === limit) return reservation
  return { ...reservation, limit, remaining: limit === null ? null : Math.max(0, limit - reservation.used) }
}

const quotaExhausted: Refusal = {
  code: 'quota_exhausted',
  detail: 'This key’s quota for today is used up; it resets at 00:00 UTC.',
}
