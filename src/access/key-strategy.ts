import type { Clock } from '../lib/clock.ts'
import { runOnce } from '../lib/run-once.ts'
import type { ChangeWatch } from '../store/change-watch.ts'
import type { KeyReading, KeyRow, KeyTable } from '../store/keys.ts'
import { type Meter, MeterUnavailable } from '../store/meter.ts'
import type { QuotaReservation, ReservationRequest } from '../store/quota-reservation.ts'
import { findStoreError } from '../store/store-error.ts'
import {
  type Authorization,
  type AuthorizationRequest,
  type AuthStrategy,
  type Granted,
  notAllowed,
  type Refusal,
} from './authorization.ts'
import type { SignatureParameters } from './credentials.ts'
import { absenceMsMax, changesMsMax, createEmbedMemory, dedupKeyOf } from './embed-memory.ts'
import { createKeyCache } from './key-cache.ts'
import { dailyLimitOf } from './key-quota.ts'
import { callsToCount, grantByQuota } from './quota-grant.ts'
import { createRevalidation } from './revalidation.ts'
import { signatureRefusals } from './signature-refusals.ts'
import { createSignatureVerifier, type SignatureRules, secondsLeftOf } from './signature-verifier.ts'
import type { TrafficLog } from './traffic-log.ts'

export interface KeyStrategyDeps extends SignatureRules {
  readonly meter: Meter
  readonly changes: ChangeWatch
  /** Counts the calls that are granted without the meter. */
  readonly traffic: Pick<TrafficLog, 'record'>
  readonly keys: Pick<KeyTable, 'read'>
  readonly clock: Clock
  /** For keys without a quota of their own. */
  readonly dailyQuota: number
}

const attemptsMax = 5

/** Authenticates `key` and `sig` with `t` or `exp`: the key has a quota of its own. */
export function createKeyStrategy(deps: KeyStrategyDeps): AuthStrategy {
  const { meter, clock, dailyQuota, changes } = deps
  const verify = createSignatureVerifier(deps)
  const cache = createKeyCache(deps.keys, changes)
  const memory = createEmbedMemory({ ...deps, cache, verify })
  const revalidate = createRevalidation({ cache, verify, clock })

  async function authorize(
    request: AuthorizationRequest,
    signature: SignatureParameters,
  ): Promise<Authorization | Refusal> {
    for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
      const isFresh = attempt > 0
      const epoch = changes.epoch()
      const key = isFresh ? await cache.read(signature.keyId) : cache.get(signature.keyId)
      const nowMs = clock.now()
      const fault = verify(key?.row, signature, request, nowMs)
      if (key !== undefined && fault === undefined) {
        if (request.onlyKeyIds?.has(key.row.id) === false) return notAllowed
        const limit = dailyLimitOf(key.row, dailyQuota, nowMs)
        // The meter compares the key's revision within the transaction that counts the call, so a change made by any
        // process holds from the next call on.
        const reservation = await meter.reserve(reservationFor(request, signature, key.row, limit))
        key.used = reservation.used
        if (reservation.granted) return granted(signature, key.row, reservation, epoch, nowMs)
        if (!reservation.stale) return { ...quotaExhausted, quota: reservation }
        // Known now, before the next look for changes.
        changes.note()
      } else if (isFresh) {
        return signatureRefusals[fault ?? 'unknown_key']
      }
    }
    throw new MeterUnavailable('The key changes faster than it can be read.')
  }

  function granted(
    signature: SignatureParameters,
    key: KeyRow,
    reservation: QuotaReservation,
    epoch: number,
    nowMs: number,
  ): Granted {
    const { keyId } = signature
    const secondsLeft = secondsLeftOf(signature, key, nowMs)
    const grant = { ...grantByQuota('key', meter, reservation), keyId, secondsLeft }
    if (reservation.request.dedupKey === undefined || reservation.request.n === 0) return grant
    memory.add(reservation.day, signature, epoch)
    if (reservation.counted === 0) return grant
    const refund = runOnce(async () => {
      memory.remove(signature)
      await grant.refund()
      // Whoever was granted the URL meanwhile was granted it by a count that is gone.
      changes.note()
    })
    return { ...grant, refund }
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

function reservationFor(
  request: AuthorizationRequest,
  signature: SignatureParameters,
  key: KeyReading,
  limit: number | null,
): ReservationRequest {
  return {
    bucket: `key:${key.id}`,
    limit,
    n: callsToCount(request),
    endpoint: request.endpoint,
    auth: 'key',
    expectedRevision: { keyId: key.id, revision: key.revision, generation: key.generation },
    dedupKey: signature.kind === 't' ? undefined : dedupKeyOf(signature),
  }
}

const quotaExhausted: Refusal = {
  code: 'quota_exhausted',
  detail: 'The quota of this key is used up for today; it starts again at 00:00 UTC.',
}
