import type { SiteCall } from '../assets/kit/producer.ts'
import { dayMs, utcDay } from '../lib/clock.ts'
import { memo, runOnce } from '../lib/memo.ts'
import type { KeyReading, KeyRow } from '../store/keys.ts'
import { MeterUnavailable, type QuotaReservation } from '../store/meter.ts'
import type { Store } from '../store/open.ts'
import { findStoreError } from '../store/store-error.ts'
import type { TrafficKind } from '../store/usage.ts'
import {
  type Authorization,
  type AuthorizationRequest,
  type AuthStrategy,
  callsToCount,
  type Granted,
  grantByQuota,
  type NotAllowed,
  notAllowed,
  nothingToRefund,
  type Refusal,
} from './authorization.ts'
import { createAddressViews, createCountedEmbeds, GrantedView, type GrantParts } from './counted-embeds.ts'
import type { SignatureParameters } from './credentials.ts'
import { absenceMsMax, type CachedKey, changesMsMax, createKeyCache } from './key-cache.ts'
import { assetNotAllowed, mayCall } from './key-limits.ts'
import { dailyLimitOf } from './key-quota.ts'
import { keyFault } from './keys.ts'
import { createOverQuota, type OverQuotaDeps } from './over-quota.ts'
import texts from './refusals.json' with { type: 'json' }
import type { Secrets } from './secrets.ts'
import {
  createSignatureVerifier,
  type SignatureRules,
  type Verification,
  type Verified,
} from './signature-verifier.ts'
import type { TrafficLog } from './traffic-log.ts'

export interface KeyStrategyDeps extends SignatureRules, OverQuotaDeps {
  readonly store: Store
  readonly traffic: TrafficLog
  readonly keyDailyQuota: number
}

/** The part of a call that names its key and shows that it may use it: a signature, or the public site id of a key. */
type KeyProof = SignatureParameters | SiteCall

interface KeyScheme<Proof extends KeyProof> {
  readonly bucket: 'key' | 'site'
  readonly quotaExhausted: Refusal
  verify(key: KeyRow, proof: Proof, request: AuthorizationRequest, nowMs: number): Verification
  /** Looks whether a proof that was found invalid holds after all, so that `verify` says so from now on. */
  recallEarlier?(key: KeyRow, proof: Proof, request: AuthorizationRequest): Promise<boolean>
}

const attemptsMax = 5

/** Strangers make calls by a site id, so these count in a bucket of their own, not in that of what the owner signs. */
export function createKeyStrategies(deps: KeyStrategyDeps): readonly AuthStrategy[] {
  const parts = keyParts(deps)
  const signed = { bucket: 'key', quotaExhausted: texts.key_quota, ...createSignatureVerifier(deps) } as const
  return [
    createKeyStrategy<SignatureParameters>(parts, signed, (_, { signature }) => signature),
    createKeyStrategy(parts, siteScheme(deps.secrets), ({ site }) => site),
  ]
}

type KeyParts = ReturnType<typeof keyParts>

function keyParts(deps: KeyStrategyDeps) {
  return {
    ...deps,
    cache: createKeyCache(deps.store),
    addresses: createCountedEmbeds(),
    reserveOver: createOverQuota(deps),
    views: createAddressViews(deps.store),
  }
}

function createKeyStrategy<Proof extends KeyProof>(
  parts: KeyParts,
  scheme: KeyScheme<Proof>,
  proofOf: (...call: Parameters<AuthStrategy>) => Proof | undefined,
): AuthStrategy {
  const { cache } = parts
  const authorize = createCounted(parts, scheme)
  const grantFromMemory = createMemoryGrants(parts, scheme)
  const { confirm, confirmAnew } = createConfirmation(parts, scheme)

  /** While the database cannot be asked, what it granted in the last minutes goes on being granted. */
  async function authorizeOrRemember(request: AuthorizationRequest, proof: Proof) {
    try {
      return await authorize(request, proof)
    } catch (error) {
      const isAway = error instanceof MeterUnavailable || findStoreError(error) !== undefined
      const grant = isAway ? grantFromMemory(request, proof, absenceMsMax) : undefined
      if (grant === undefined) throw error
      return grant
    }
  }

  return (request, credentials) => {
    const proof = proofOf(request, credentials)
    if (proof === undefined) return undefined
    if (request.isRevalidation !== true)
      return grantFromMemory(request, proof, changesMsMax) ?? authorizeOrRemember(request, proof)
    // A key that has not changed since it was read is not read again, so nearly every answer is no promise.
    const key = cache.current(proof.keyId, changesMsMax)
    const decision = key && confirm(key, request, proof)
    return decision !== undefined && 'granted' in decision ? decision : confirmAnew(request, proof, key)
  }
}

function createCounted<Proof extends KeyProof>(parts: KeyParts, scheme: KeyScheme<Proof>) {
  const { clock, cache, addresses, reserveOver, keyDailyQuota } = parts
  const { meter, changes } = parts.store

  function reserve(
    request: AuthorizationRequest,
    proof: Proof,
    key: KeyReading,
    { address, isEarlier, formerName }: Verified,
    limit: number | null,
  ): Promise<QuotaReservation> {
    return meter.reserve({
      bucket: `${scheme.bucket}:${key.id}`,
      // Under an earlier secret nothing is counted anew, nor is what an earlier version drew.
      limit: isEarlier || request.unlessAnswered !== undefined ? 0 : limit,
      // Before the page is known, a call by a site id only asks whether one more would be granted.
      n: address === undefined && siteOf(proof) !== undefined ? 0 : callsToCount(request),
      endpoint: request.endpoint,
      auth: 'key',
      // The meter compares the revision in the transaction that counts, so any process's change holds from the next call on.
      expectedRevision: { keyId: key.id, revision: key.revision, generation: key.generation },
      dedupKey: formerName,
      address,
    })
  }

  /** A refund makes an address unknown again. Grants given since rest on the count just refunded, so they are asked for again. */
  function granted(reservation: QuotaReservation, grantParts: GrantParts, epoch: number): Granted {
    const { address, n } = reservation.request
    const grant = { ...grantByQuota('key', meter, reservation), ...grantParts }
    if (address === undefined || n === 0) return grant
    addresses.add(reservation.day, address.digest, epoch)
    if (reservation.counted === 0) return { ...grant, isView: true }
    const refund = runOnce(async () => {
      addresses.remove(address.digest)
      await grant.refund()
      changes.note()
    })
    return { ...grant, refund }
  }

  /** A quota costs no link preview. The address is not counted by it, and its next view is decided anew. */
  async function overQuota(
    request: AuthorizationRequest,
    key: KeyRow,
    proof: Proof,
    quota: QuotaReservation,
    grantParts: GrantParts,
  ): Promise<Authorization | Refusal> {
    const { siteId, comesFirst } = siteOf(proof) ?? {}
    const owner = siteId ?? quota.request.address?.keyId
    const over = await reserveOver({ request, key, owner, refused: quota.request, comesFirst })
    if (over === undefined) return { ...scheme.quotaExhausted, quota }
    return { ...grantByQuota('key', meter, over), quota, ...grantParts }
  }

  return async (request: AuthorizationRequest, proof: Proof): Promise<Authorization | Refusal> => {
    for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
      const isFresh = attempt > 0
      const epoch = changes.epoch()
      const key = isFresh ? await cache.read(proof.keyId) : cache.get(proof.keyId)
      if (key === undefined) {
        if (isFresh) return texts.unknown_key
        continue
      }
      const nowMs = clock.now()
      const verified = judge(scheme, key.row, proof, request, nowMs)
      if (!('fault' in verified)) {
        if (verified === notAllowed) return verified
        if (isFresh && !(await isRecalled(verified, scheme, key.row, proof, request))) return verified
        continue
      }
      const limit = dailyLimitOf(key.row, keyDailyQuota, nowMs)
      const reservation = await reserve(request, proof, key.row, verified, limit)
      key.used = reservation.used
      const grantParts = partsOf(key.row, proof, verified, nowMs)
      if (reservation.granted) {
        // The quota of the key, also where another limit was asked for.
        const remaining = limit === null ? null : Math.max(0, limit - reservation.used)
        return granted({ ...reservation, limit, remaining }, grantParts, epoch)
      }
      if (!reservation.stale) {
        if (verified.isEarlier) return texts.invalid_signature
        return overQuota(request, key.row, proof, reservation, grantParts)
      }
      // Known now, before the next look for changes.
      changes.note()
    }
    throw new MeterUnavailable('The key changes faster than it can be read.')
  }
}

/** Grants views of what the database granted today, unless that has changed. They are free, so they need no transaction. */
function createMemoryGrants<Proof extends KeyProof>(parts: KeyParts, scheme: KeyScheme<Proof>) {
  const { cache, addresses, clock, traffic, keyDailyQuota } = parts
  const { changes } = parts.store
  const kindOf = memo((endpoint: string): TrafficKind => ({ endpoint, auth: 'key', status: '2xx' }))

  return (request: AuthorizationRequest, proof: Proof, ageMsMax: number): Granted | undefined => {
    if (changes.ageMs() > ageMsMax) return undefined
    const key = cache.get(proof.keyId)
    if (key === undefined) return undefined
    const nowMs = clock.now()
    const verified = judge(scheme, key.row, proof, request, nowMs)
    if (!('fault' in verified) || verified.address === undefined) return undefined
    const day = utcDay(nowMs)
    if (!addresses.has(day, verified.address.digest, changes.epoch())) return undefined
    const limit = dailyLimitOf(key.row, keyDailyQuota, nowMs)
    const remaining = limit === null ? null : Math.max(0, limit - key.used)
    const quota = { limit, remaining, resetsAtMs: (day + 1) * dayMs }
    const grantParts = partsOf(key.row, proof, verified, nowMs)
    const kind = kindOf(request.endpoint)
    return new GrantedView(grantParts, quota, traffic, kind, day, callsToCount(request))
  }
}

function createConfirmation<Proof extends KeyProof>(parts: KeyParts, scheme: KeyScheme<Proof>) {
  const { cache, views, clock } = parts

  function confirm(key: CachedKey | undefined, request: AuthorizationRequest, proof: Proof) {
    if (key === undefined) return texts.unknown_key
    const nowMs = clock.now()
    const verified = judge(scheme, key.row, proof, request, nowMs)
    if (!('fault' in verified)) return verified
    if (verified.address !== undefined) views.note(verified.address, utcDay(nowMs))
    const grantParts = partsOf(key.row, proof, verified, nowMs)
    return { granted: true, mode: 'key', ...grantParts, refund: nothingToRefund } as const
  }

  return {
    confirm,
    async confirmAnew(request: AuthorizationRequest, proof: Proof, known: CachedKey | undefined) {
      const key = known ?? (await cache.readShared(proof.keyId))
      const decision = confirm(key, request, proof)
      if (key === undefined || 'granted' in decision) return decision
      return (await isRecalled(decision, scheme, key.row, proof, request))
        ? confirm(key, request, proof)
        : decision
    },
  }
}

function judge<Proof extends KeyProof>(
  scheme: KeyScheme<Proof>,
  key: KeyRow,
  proof: Proof,
  request: AuthorizationRequest,
  nowMs: number,
): Verified | Refusal | NotAllowed {
  const verification = scheme.verify(key, proof, request, nowMs)
  if (verification.fault !== undefined) return texts[verification.fault]
  if (!mayCall(key, request.endpoint)) return assetNotAllowed(key, request.endpoint)
  return request.onlyKeyIds?.has(key.id) === false ? notAllowed : verification
}

/** Tells whether a signature that was found invalid is that of an address which an earlier secret signed. */
async function isRecalled<Proof extends KeyProof>(
  refusal: Refusal | NotAllowed,
  { recallEarlier }: KeyScheme<Proof>,
  key: KeyRow,
  proof: Proof,
  request: AuthorizationRequest,
): Promise<boolean> {
  if (refusal !== texts.invalid_signature) return false
  return (await recallEarlier?.(key, proof, request)) === true
}

function siteOf(proof: KeyProof): SiteCall | undefined {
  return 'siteId' in proof ? proof : undefined
}

function siteScheme({ digestOf }: Pick<Secrets, 'digestOf'>): KeyScheme<SiteCall> {
  const verifiedCalls = new WeakMap<SiteCall, Verified>()

  /** Names the page as signed addresses are named. No version of a secret is 0, so none that leaks ends it. */
  function verified(site: SiteCall): Verified {
    const { keyId, page } = site
    const digest = page === undefined ? undefined : digestOf(`site ${keyId} ${page}`)
    const address = digest === undefined ? undefined : { keyId, digest, version: 0 }
    const result = { fault: undefined, address, isEarlier: false }
    verifiedCalls.set(site, result)
    return result
  }

  return {
    bucket: 'site',
    quotaExhausted: texts.site_quota,
    verify(key, site, _, nowMs) {
      const fault = key.siteId === site.siteId ? keyFault(key, nowMs) : 'unknown_key'
      return fault === undefined ? (verifiedCalls.get(site) ?? verified(site)) : { fault }
    },
  }
}

function partsOf(
  { id: keyId, expiresAtMs }: KeyRow,
  proof: KeyProof,
  { address, endSeconds = Number.POSITIVE_INFINITY }: Verified,
  nowMs: number,
): GrantParts {
  const keyEndSeconds = expiresAtMs === null ? Number.POSITIVE_INFINITY : Math.floor(expiresAtMs / 1000)
  const end = Math.min(endSeconds, keyEndSeconds)
  return {
    keyId,
    siteId: siteOf(proof)?.siteId,
    secondsLeft: Number.isFinite(end) ? Math.max(0, end - nowMs / 1000) : undefined,
    addressDigest: address?.digest,
  }
}
