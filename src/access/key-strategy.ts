import { LRUCache } from 'lru-cache'
import type { Clock } from '../lib/clock.ts'
import type { KeyRow, KeyTable } from '../store/keys.ts'
import { type AuthStrategy, callsToCount, once, quotaOf } from './auth-strategy.ts'
import type { Authorization, AuthorizationRequest, Refusal } from './authorization.ts'
import type { SignatureParameters } from './credentials.ts'
import { dailyLimitOf } from './key-quota.ts'
import { type Meter, MeterUnavailable } from './meter.ts'
import type { QuotaReservation } from './quota-reservation.ts'
import { createSignatureVerifier, type SignatureFault, type SignatureRules } from './signature-verifier.ts'

export interface KeyStrategyDeps extends SignatureRules {
  readonly meter: Meter
  readonly keys: Pick<KeyTable, 'find'>
  readonly clock: Clock
  /** For keys without a quota of their own. */
  readonly dailyQuota: number
}

const rememberedKeys = 10_000
const attemptsMax = 5

/** `key` and `sig` with `t` or `exp`: the key's own quota. */
export function createKeyStrategy(deps: KeyStrategyDeps): AuthStrategy {
  const { meter, keys, clock, dailyQuota } = deps
  const judge = createSignatureVerifier(deps)
  // A remembered row may grant nothing by itself: the meter compares its revision within the transaction that
  // counts the call, so that a change made by any process holds from the next call on.
  const remembered = new LRUCache<string, KeyRow>({ max: rememberedKeys })

  function read(id: string): KeyRow | undefined {
    const key = keys.find(id)
    if (key !== undefined) remembered.set(id, key)
    return key
  }

  function count(
    request: AuthorizationRequest,
    { kind, sig }: SignatureParameters,
    key: KeyRow,
  ): Promise<QuotaReservation> {
    return meter.reserve({
      bucket: `key:${key.id}`,
      limit: dailyLimitOf(key, dailyQuota, clock.now()),
      n: callsToCount(request),
      endpoint: request.endpoint,
      auth: 'key',
      expectedRevision: { keyId: key.id, revision: key.revision },
      // Half of the signature names the URL as well as all of it would, and signs nothing.
      dedupKey: kind === 'exp' ? sig.slice(0, 32) : undefined,
    })
  }

  async function draw(
    request: AuthorizationRequest,
    signature: SignatureParameters,
  ): Promise<Authorization | Refusal> {
    for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
      const isFresh = attempt > 0
      const key = isFresh ? read(signature.keyId) : remembered.get(signature.keyId)
      const fault = judge(key, signature, request, clock.now())
      if (key !== undefined && fault === undefined) {
        const reservation = await count(request, signature, key)
        if (!reservation.stale) return answerOf(reservation, key.id)
      } else if (isFresh) {
        return refusals[fault ?? 'invalid_key']
      }
    }
    throw new MeterUnavailable('The key changes faster than it can be read.')
  }

  return (request, { signature }) => (signature === undefined ? undefined : draw(request, signature))

  function answerOf(reservation: QuotaReservation, keyId: string): Authorization | Refusal {
    const quota = quotaOf(reservation)
    if (reservation.granted)
      return { granted: true, mode: 'key', keyId, quota, refund: once(() => meter.release(reservation)) }
    return {
      code: 'quota_exhausted',
      detail: 'The quota of this key is used up for today; see /api/upgrade.',
      quota,
    }
  }
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
