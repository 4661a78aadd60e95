import { type Clock, dayMs, utcDay } from '../lib/clock.ts'
import { memo } from '../lib/memo.ts'
import type { ChangeWatch } from '../store/change-watch.ts'
import type { CountedAddress } from '../store/meter.ts'
import type { TrafficKind } from '../store/usage.ts'
import type { AuthorizationRequest, Granted, Quota } from './authorization.ts'
import { createCountedEmbeds } from './counted-embeds.ts'
import type { SignatureParameters } from './credentials.ts'
import { mayCall } from './key-assets.ts'
import type { KeyCache } from './key-cache.ts'
import { dailyLimitOf } from './key-quota.ts'
import { callsToCount } from './quota-grant.ts'
import { type SignatureVerifier, secondsLeftOf } from './signature-verifier.ts'
import type { TrafficLog } from './traffic-log.ts'

interface EmbedMemoryDeps {
  readonly cache: KeyCache
  readonly verifier: Pick<SignatureVerifier, 'verify'>
  readonly changes: ChangeWatch
  readonly traffic: Pick<TrafficLog, 'record'>
  readonly clock: Clock
  readonly dailyQuota: number
}

/** How old the last look for changes by others may be where something is granted from memory. */
export const changesMsMax = 1_000
/** Maximum age of that look while the database cannot be asked. */
export const absenceMsMax = 300_000

/**
 * Grants views of signed addresses that the database has granted today already. Such a view is free, so it needs no
 * transaction: it is part of the traffic statistics, which are stored a moment later.
 */
export function createEmbedMemory({ cache, verifier, changes, traffic, clock, dailyQuota }: EmbedMemoryDeps) {
  const embeds = createCountedEmbeds()
  const kindOf = memo((endpoint: string): TrafficKind => ({ endpoint, auth: 'key', status: '2xx' }))

  return {
    /** Remembers that the database granted the address. `epoch` is the one in which it was asked. */
    add: (day: number, { digest }: CountedAddress, epoch: number): void => embeds.add(day, digest, epoch),
    remove: ({ digest }: CountedAddress): void => embeds.remove(digest),
    /**
     * Grants the view of an address that was granted today, if nothing has changed since and the last look for changes
     * by others is at most `ageMsMax` old. Undefined: the database has to be asked.
     */
    grant(
      request: AuthorizationRequest,
      signature: SignatureParameters,
      ageMsMax: number,
    ): Granted | undefined {
      if (signature.kind === 't' || changes.ageMs() > ageMsMax) return undefined
      const nowMs = clock.now()
      const day = utcDay(nowMs)
      const key = cache.get(signature.keyId)
      if (key === undefined) return undefined
      const verification = verifier.verify(key.row, signature, request, nowMs)
      if (verification.fault !== undefined || verification.address === undefined) return undefined
      if (!embeds.has(day, verification.address.digest, changes.epoch())) return undefined
      if (request.onlyKeyIds?.has(key.row.id) === false) return undefined
      if (!mayCall(key.row, request.endpoint)) return undefined
      const limit = dailyLimitOf(key.row, dailyQuota, nowMs)
      const remaining = limit === null ? null : Math.max(0, limit - key.used)
      const quota = { limit, remaining, resetsAtMs: (day + 1) * dayMs }
      const secondsLeft = secondsLeftOf(signature, key.row, nowMs)
      const grant = new GrantedView(
        verification.address,
        quota,
        secondsLeft,
        traffic,
        kindOf(request.endpoint),
        day,
      )
      grant.count(callsToCount(request))
      return grant
    },
  }
}

/** The grant of one view. A class, because a `refund` of its own would be a function for each view. */
export class GrantedView implements Granted {
  readonly granted = true
  readonly mode = 'key'
  readonly isView = true
  readonly keyId: string
  readonly addressDigest: string
  readonly quota: Quota
  readonly secondsLeft: number | undefined
  readonly siteId?: string
  readonly #traffic: Pick<TrafficLog, 'record'>
  readonly #kind: TrafficKind
  readonly #day: number
  #views = 0

  constructor(
    { keyId, digest }: CountedAddress,
    quota: Quota,
    secondsLeft: number | undefined,
    traffic: Pick<TrafficLog, 'record'>,
    kind: TrafficKind,
    day: number,
    siteId?: string,
  ) {
    if (siteId !== undefined) this.siteId = siteId
    this.keyId = keyId
    this.addressDigest = digest
    this.quota = quota
    this.secondsLeft = secondsLeft
    this.#traffic = traffic
    this.#kind = kind
    this.#day = day
  }

  count(views: number): void {
    this.#views = views
    if (views > 0) this.#traffic.record(this.#kind, views, this.#day)
  }

  async refund(): Promise<void> {
    const views = this.#views
    this.#views = 0
    if (views > 0) this.#traffic.record(this.#kind, -views, this.#day)
  }
}
