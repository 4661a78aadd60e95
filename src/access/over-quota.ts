import { LRUCache } from 'lru-cache'
import { unnamedPart } from '../assets/card/card-sites.ts'
import { type ClientBlock, clientBlocks } from '../lib/client-addresses.ts'
import { type Clock, dayMs, isWithin, utcDay } from '../lib/clock.ts'
import { newcomerPart, usualPart } from '../lib/rate-limit.ts'
import { createCoalescer } from '../lib/waiter.ts'
import type { KeyRow } from '../store/keys.ts'
import type { QuotaReservation, ReservationRequest } from '../store/meter.ts'
import type { Store } from '../store/open.ts'
import type { UsageTable } from '../store/usage.ts'
import type { AuthorizationRequest } from './authorization.ts'
import { crawlerOf } from './crawlers.ts'
import { isStrangers } from './key-quota.ts'

export interface OverQuotaDeps {
  readonly store: Pick<Store, 'meter' | 'usage'>
  readonly clock: Clock
  readonly isDivided?: (client: string) => boolean
}

/** Answers over its quota that a key has in any `windowDays`, as a multiple of its quota of one day. */
const quotasPerWindow = 10
/** On the first day of a key that a stranger was issued. */
const quotasOnFirstDay = 2
const windowDays = 30

function overQuotaBucket(keyId: string): string {
  return `over:${keyId}`
}

export function readOverQuota(usage: Pick<UsageTable, 'used'>, keyId: string, day: number) {
  return usage.used(day, overQuotaBucket(keyId))
}

interface OverQuotaCall {
  readonly request: Pick<AuthorizationRequest, 'headers' | 'clientAddress'>
  readonly key: Pick<KeyRow, 'name' | 'notes' | 'dailyQuota' | 'unlimitedUntilMs' | 'createdAtMs'>
  /** The key or the site that answers over the quota are counted for; undefined: there are none. */
  readonly owner: string | undefined
  readonly refused: ReservationRequest
  /** Resolves to true for a page that the site names itself. Undefined for what the owner of the key has signed. */
  readonly comesFirst?: (() => Promise<boolean>) | undefined
}

/** An answer over the quota, which never costs a link preview. Anybody can claim to make one, so addresses share these answers. */
export function createOverQuota({ store, clock, isDivided = () => true }: OverQuotaDeps) {
  const { meter, usage } = store
  const shares = createClientShares(clock)
  // A crowd of crawlers over one quota would otherwise take every connection to the database with the same question.
  const coalesce = createCoalescer<number>()

  return async ({
    request,
    key,
    owner,
    refused: { address: _address, dedupKey: _name, limit: dailyQuota, ...refused },
    comesFirst,
  }: OverQuotaCall): Promise<QuotaReservation | undefined> => {
    if (owner === undefined || dailyQuota === null) return undefined
    if (!crawlerOf(request.headers.get('user-agent') ?? '').isPreviewCrawler) return undefined
    const bucket = overQuotaBucket(owner)
    const day = utcDay(clock.now())
    const isFirstDay = isStrangers(key) && utcDay(key.createdAtMs) === day
    const max = (isFirstDay ? quotasOnFirstDay : quotasPerWindow) * dailyQuota
    const usedBefore = await coalesce(`${bucket} ${day}`, async () => {
      const before = await usage.history(bucket, day - windowDays + 1, day - 1)
      return before.reduce((sum, { used }) => sum + used, 0)
    })

    async function reserve(part: number): Promise<QuotaReservation | undefined> {
      const { clientAddress } = request
      const share = isDivided(clientAddress) ? shares.take(bucket, clientAddress, max * part) : undefined
      const limit = Math.floor(max * part * (share?.part ?? 1)) - usedBefore
      let counted = 0
      try {
        const reservation = await meter.reserve({ ...refused, bucket, limit: Math.max(0, limit) })
        counted = reservation.counted
        return reservation.granted ? reservation : undefined
      } finally {
        if (counted === 0) share?.giveBack()
      }
    }

    const usual = await reserve(comesFirst === undefined ? 1 : unnamedPart)
    const reservation = usual ?? ((await comesFirst?.()) === true ? await reserve(1) : undefined)
    if (reservation === undefined || reservation.day === day) return reservation
    await meter.release(reservation)
    return undefined
  }
}

const blocksMax = 60_000

/** Counts what each client address was given of a budget in a window, in the memory of this server. */
function createClientShares({ now }: Clock) {
  const used = new LRUCache<string, { readonly count: number; readonly sinceMs: number }>({ max: blocksMax })

  /** Changes the count of a block, and returns it. A block without a count is forgotten, so that nobody can fill the memory. */
  function change(name: string, by: 1 | -1): number {
    const existing = used.get(name)
    const isRecent = existing !== undefined && isWithin(existing.sinceMs, now(), windowDays * dayMs)
    const { count, sinceMs } = isRecent ? existing : { count: 0, sinceMs: now() }
    if (count + by > 0) used.set(name, { count: count + by, sinceMs })
    else used.delete(name)
    return count + by
  }

  return {
    /** Counts one more for the client, and returns the part of the budget that it may use together with all others. */
    take(bucket: string, client: string, max: number) {
      const blocks = clientBlocks(client)
      const nameOf = (block: ClientBlock) => `${bucket} ${block.name}`
      const countMax = Math.max(1, max * newcomerPart)
      const counts = blocks.map((block) => change(nameOf(block), 1) / block.weight)
      return {
        part: counts.every((count) => count <= countMax) ? 1 : usualPart,
        giveBack() {
          for (const block of blocks) change(nameOf(block), -1)
        },
      }
    },
  }
}
