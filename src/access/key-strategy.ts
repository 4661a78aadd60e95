import { LRUCache } from 'lru-cache'
import type { Clock } from '../lib/clock.ts'
import type { KeyRow, KeyTable } from '../store/keys.ts'
import { type Meter, MeterUnavailable } from '../store/meter.ts'
import type { ReservationRequest } from '../store/quota-reservation.ts'
import type { Authorization, AuthorizationRequest, AuthStrategy, Refusal } from './authorization.ts'
import type { SignatureParameters } from './credentials.ts'
import { dailyLimitOf } from './key-quota.ts'
import { callsToCount, grantByQuota } from './quota-grant.ts'
import { createSignatureVerifier, type SignatureFault, type SignatureRules } from './signature-verifier.ts'

export interface KeyStrategyDeps extends SignatureRules {
  readonly meter: Meter
  readonly keys: Pick<KeyTable, 'find'>
  readonly clock: Clock
  /** For keys without a quota of their own. */
  readonly dailyQuota: number
}

const cachedKeysMax = 10_000
const attemptsMax = 5

/** Authenticates `key` and `sig` with `t` or `exp`: the key has a quota of its own. */
export function createKeyStrategy(deps: KeyStrategyDeps): AuthStrategy {
  const { meter, keys, clock, dailyQuota } = deps
  const verify = createSignatureVerifier(deps)
  // A cached row grants nothing by itself: the meter compares its revision within the transaction that counts the
  // call, so a change made by any process holds from the next call on.
  const cache = new LRUCache<string, KeyRow>({ max: cachedKeysMax })

  async function readKey(id: string): Promise<KeyRow | undefined> {
    const key = await keys.find(id)
    if (key !== undefined) cache.set(id, key)
    return key
  }

  async function authorize(
    request: AuthorizationRequest,
    signature: SignatureParameters,
  ): Promise<Authorization | Refusal> {
    for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
      const isFresh = attempt > 0
      const key = isFresh ? await readKey(signature.keyId) : cache.get(signature.keyId)
      const nowMs = clock.now()
      const fault = verify(key, signature, request, nowMs)
      if (key !== undefined && fault === undefined) {
        const limit = dailyLimitOf(key, dailyQuota, nowMs)
        const reservation = await meter.reserve(reservationFor(request, signature, key, limit))
        if (reservation.granted) return { ...grantByQuota('key', meter, reservation), keyId: key.id }
        if (!reservation.stale) return { ...quotaExhausted, quota: reservation }
      } else if (isFresh) {
        return refusals[fault ?? 'invalid_key']
      }
    }
    throw new MeterUnavailable('The key changes faster than it can be read.')
  }

  return (request, { signature }) => (signature === undefined ? undefined : authorize(request, signature))
}

function reservationFor(
  request: AuthorizationRequest,
  { kind, sig }: SignatureParameters,
  key: KeyRow,
  limit: number | null,
): ReservationRequest {
  return {
    bucket: `key:${key.id}`,
    limit,
    n: callsToCount(request),
    endpoint: request.endpoint,
    auth: 'key',
    expectedRevision: { keyId: key.id, revision: key.revision },
    // Half of the signature names the URL as well as all of it would, and signs nothing.
    dedupKey: kind === 'exp' ? sig.slice(0, 32) : undefined,
  }
}

const quotaExhausted: Refusal = {
  code: 'quota_exhausted',
  detail: 'The quota of this key is used up for today; it starts again at 00:00 UTC.',
}

const refusals: Readonly<Record<SignatureFault, Refusal>> = {
  invalid_key: { code: 'invalid_key', detail: 'There is no such key, or it was revoked.' },
  invalid_signature: {
    code: 'invalid_signature',
    detail:
      'The signature does not fit this key and this request. An embed URL must not be changed in any way.',
  },
  stale_signature: {
    code: 'stale_signature',
    detail:
      'The signature is good and its time is not: t must be now, exp in the future and at most ten years away.',
  },
}
