import type { SiteCall } from '../assets/kit/producer.ts'
import { dayMs, utcDay } from '../lib/clock.ts'
import { memo } from '../lib/memo.ts'
import type { KeyReading, KeyRow } from '../store/keys.ts'
import {
  type CountedAddress,
  MeterUnavailable,
  type QuotaReservation,
  type ReservationRequest,
} from '../store/meter.ts'
import { findStoreError } from '../store/store-error.ts'
import type { TrafficKind } from '../store/usage.ts'
import { type AddressViews, createAddressViews } from './address-views.ts'
import {
  type Authorization,
  type AuthorizationRequest,
  type AuthStrategy,
  type Granted,
  notAllowed,
  type Refusal,
} from './authorization.ts'
import { createCountedEmbeds } from './counted-embeds.ts'
import { absenceMsMax, changesMsMax, GrantedView } from './embed-memory.ts'
import { assetNotAllowed, mayCall } from './key-assets.ts'
import { createKeyCache } from './key-cache.ts'
import { dailyLimitOf } from './key-quota.ts'
import type { KeyStrategyDeps } from './key-strategy.ts'
import { keyFault } from './key-validity.ts'
import { createOverQuota } from './over-quota.ts'
import { addressGrant, callsToCount, grantByQuota, nothingToRefund } from './quota-grant.ts'
import type { Secrets } from './secrets.ts'
import { signatureRefusals } from './signature-refusals.ts'

export interface SiteStrategyDeps extends Omit<KeyStrategyDeps, 'secrets'> {
  readonly secrets: Pick<Secrets, 'digestOf'>
}

const attemptsMax = 5

/**
 * Authenticates calls by the public site id of a key. Each page counts once, as a signed address does, but in a bucket of its
 * own: strangers make such calls, and must not use up what the owner signs with.
 */
export function createSiteStrategy(deps: SiteStrategyDeps): AuthStrategy {
  const { meter, clock, dailyQuota, changes } = deps
  const cache = createKeyCache(deps.keys, changes)
  const views = createAddressViews(deps)
  const addressOf = createAddresses(deps.secrets)
  const memory = createSiteMemory({ ...deps, cache })
  const { granted, overQuota } = createSiteGrants(deps, memory)

  async function authorize(request: AuthorizationRequest, site: SiteCall): Promise<Authorization | Refusal> {
    const address = addressOf(site)
    for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
      const epoch = changes.epoch()
      const key = attempt > 0 ? await cache.read(site.keyId) : cache.get(site.keyId)
      const nowMs = clock.now()
      const fault = faultOf(key?.row, site, nowMs)
      if (key === undefined || fault !== undefined) {
        if (attempt > 0) return signatureRefusals[fault ?? 'unknown_key']
        continue
      }
      if (!mayCall(key.row, request.endpoint)) {
        if (attempt > 0) return assetNotAllowed(key.row, request.endpoint)
        continue
      }
      if (request.onlyKeyIds?.has(key.row.id) === false) return notAllowed
      const limit = dailyLimitOf(key.row, dailyQuota, nowMs)
      const reservation = await meter.reserve(reservationFor(request, key.row, limit, address))
      key.used = reservation.used
      if (reservation.granted) {
        if (address !== undefined && reservation.request.n !== 0) memory.add(reservation, address, epoch)
        return granted(site, key.row, reservation)
      }
      if (!reservation.stale) return overQuota(request, site, key.row, reservation)
      changes.note()
    }
    throw new MeterUnavailable('The key changes faster than it can be read.')
  }

  async function authorizeOrRemember(request: AuthorizationRequest, site: SiteCall) {
    try {
      return await authorize(request, site)
    } catch (error) {
      const isAway = error instanceof MeterUnavailable || findStoreError(error) !== undefined
      const grant = isAway ? memory.grant(request, site, addressOf(site), absenceMsMax) : undefined
      if (grant === undefined) throw error
      return grant
    }
  }

  const revalidate = createSiteRevalidation({ cache, views, clock })

  return (request) => {
    const { site } = request
    if (site === undefined) return undefined
    const address = addressOf(site)
    if (request.isRevalidation === true) return revalidate(request, site, address)
    return memory.grant(request, site, address, changesMsMax) ?? authorizeOrRemember(request, site)
  }
}

/** Returns what makes the grants of reservations. */
function createSiteGrants(deps: SiteStrategyDeps, memory: Pick<SiteMemory, 'remove'>) {
  const { meter, clock, changes } = deps
  const reserveOver = createOverQuota(deps)
  return {
    granted(site: SiteCall, key: KeyRow, reservation: QuotaReservation): Granted {
      const { address } = reservation.request
      const parts = { ...partsOf(site, key, clock.now()), addressDigest: address?.digest }
      const grant = { ...grantByQuota('key', meter, reservation), ...parts }
      if (address === undefined) return grant
      return addressGrant(grant, reservation, changes, () => memory.remove(address))
    },
    /** A quota costs no link preview, within a bound of the site's own. */
    async overQuota(
      request: AuthorizationRequest,
      site: SiteCall,
      key: KeyRow,
      quota: QuotaReservation,
    ): Promise<Authorization | Refusal> {
      const { address } = quota.request
      const refused = { ...quota.request, address: { ...(address ?? unknownPage), keyId: site.siteId } }
      const over = await reserveOver({ request, key, refused, comesFirst: site.comesFirst })
      if (over === undefined) return { ...quotaExhausted, quota }
      const parts = { ...partsOf(site, key, clock.now()), addressDigest: address?.digest }
      return { ...grantByQuota('key', meter, over), ...parts, quota }
    },
  }
}

/** Stands for the page of an address that was not read yet. */
const unknownPage = { digest: '', version: 0 } as const

/** Names of pages in the table of signed addresses. No version of a secret is 0, so none that leaks ends them. */
function createAddresses({ digestOf }: Pick<Secrets, 'digestOf'>) {
  const known = new WeakMap<SiteCall, CountedAddress>()
  return (site: SiteCall): CountedAddress | undefined => {
    const { keyId, page } = site
    if (page === undefined) return undefined
    const address = known.get(site) ?? { keyId, digest: digestOf(`site ${keyId} ${page}`), version: 0 }
    known.set(site, address)
    return address
  }
}

type SiteMemory = ReturnType<typeof createSiteMemory>

interface SiteMemoryDeps extends Pick<SiteStrategyDeps, 'changes' | 'traffic' | 'clock' | 'dailyQuota'> {
  readonly cache: ReturnType<typeof createKeyCache>
}

/** Grants views of pages that the database has granted today already. */
function createSiteMemory({ cache, changes, traffic, clock, dailyQuota }: SiteMemoryDeps) {
  const pages = createCountedEmbeds()
  const kindOf = memo((endpoint: string): TrafficKind => ({ endpoint, auth: 'key', status: '2xx' }))
  return {
    add: ({ day }: QuotaReservation, { digest }: CountedAddress, epoch: number) =>
      pages.add(day, digest, epoch),
    remove: ({ digest }: CountedAddress) => pages.remove(digest),
    grant(
      request: AuthorizationRequest,
      site: SiteCall,
      address: CountedAddress | undefined,
      ageMsMax: number,
    ): Granted | undefined {
      if (address === undefined || changes.ageMs() > ageMsMax) return undefined
      const nowMs = clock.now()
      const day = utcDay(nowMs)
      const key = cache.get(site.keyId)
      if (key === undefined || faultOf(key.row, site, nowMs) !== undefined) return undefined
      if (!pages.has(day, address.digest, changes.epoch())) return undefined
      if (request.onlyKeyIds?.has(key.row.id) === false) return undefined
      if (!mayCall(key.row, request.endpoint)) return undefined
      const limit = dailyLimitOf(key.row, dailyQuota, nowMs)
      const remaining = limit === null ? null : Math.max(0, limit - key.used)
      const quota = { limit, remaining, resetsAtMs: (day + 1) * dayMs }
      const { secondsLeft } = partsOf(site, key.row, nowMs)
      const view = new GrantedView(
        address,
        quota,
        secondsLeft,
        traffic,
        kindOf(request.endpoint),
        day,
        site.siteId,
      )
      view.count(callsToCount(request))
      return view
    },
  }
}

interface SiteRevalidationDeps extends Pick<SiteMemoryDeps, 'cache' | 'clock'> {
  readonly views: AddressViews
}

/** Returns a function that decides whether a caller who has a copy of the answer may go on using it. Nothing is counted. */
function createSiteRevalidation({ cache, views, clock }: SiteRevalidationDeps) {
  function decide(
    key: KeyReading | undefined,
    request: AuthorizationRequest,
    site: SiteCall,
    address: CountedAddress | undefined,
  ): Authorization | Refusal {
    const nowMs = clock.now()
    const fault = faultOf(key, site, nowMs)
    if (key === undefined || fault !== undefined) return signatureRefusals[fault ?? 'unknown_key']
    if (!mayCall(key, request.endpoint)) return assetNotAllowed(key, request.endpoint)
    if (request.onlyKeyIds?.has(key.id) === false) return notAllowed
    if (address !== undefined) views.note(address, utcDay(nowMs))
    const parts = partsOf(site, key, nowMs)
    return { granted: true, mode: 'key', ...parts, addressDigest: address?.digest, refund: nothingToRefund }
  }
  return (
    request: AuthorizationRequest,
    site: SiteCall,
    address: CountedAddress | undefined,
  ): Authorization | Promise<Authorization | Refusal> => {
    const key = cache.current(site.keyId, changesMsMax)
    const decision = key && decide(key.row, request, site, address)
    if (decision !== undefined && 'granted' in decision) return decision
    return cache.readShared(site.keyId).then((read) => decide(read?.row, request, site, address))
  }
}

function faultOf(key: KeyRow | undefined, { siteId }: SiteCall, nowMs: number) {
  return key !== undefined && key.siteId !== siteId ? 'unknown_key' : keyFault(key, nowMs)
}

function partsOf({ siteId }: SiteCall, { id: keyId, expiresAtMs }: KeyRow, nowMs: number) {
  const secondsLeft = expiresAtMs === null ? undefined : (expiresAtMs - nowMs) / 1000
  return { keyId, siteId, secondsLeft }
}

/** A call whose page is not known yet only asks whether one more would be granted. */
function reservationFor(
  request: AuthorizationRequest,
  key: KeyReading,
  limit: number | null,
  address: CountedAddress | undefined,
): ReservationRequest {
  return {
    bucket: `site:${key.id}`,
    limit,
    n: address === undefined ? 0 : callsToCount(request),
    endpoint: request.endpoint,
    auth: 'key',
    expectedRevision: { keyId: key.id, revision: key.revision, generation: key.generation },
    address,
  }
}

const quotaExhausted: Refusal = {
  code: 'quota_exhausted',
  detail: 'The pages of this site have used up today’s quota; it resets at 00:00 UTC.',
}
