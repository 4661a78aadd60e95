import { createHash } from 'node:crypto'
import type { Granted } from '../access/authorization.ts'
import { type ClientReservation, reserveForClient } from '../access/client-quota.ts'
import { Problem, rateLimited } from '../errors.ts'
import type { ParsedRequest } from '../http/parsed-request.ts'
import type { RequestContext } from '../http/request-context.ts'
import { setAwakeTimeout } from '../lib/awake-time.ts'
import { type Clock, dayMs, secondsUntil } from '../lib/clock.ts'
import { type Meter, MeterUnavailable } from '../store/meter.ts'

export interface PreviewQuotaDeps {
  readonly meter: Meter
  readonly clock: Clock
  /** Previews per client address and UTC day. */
  readonly perAddressDaily: number
}

/** A preview of a live asset counts like so many pictures, because it fetches from somebody's site. */
const liveAssetWeight = 20

/**
 * How long a page waits for its preview to be counted. While another process holds a lock of the database, a reservation
 * waits for seconds, but the rest of the page needs no database. A database far away takes half a second.
 */
const patienceMs = 700

/** The daily quota of a client address for previews. Equal requests count once a day. */
export function createPreviewQuota({ meter, clock, perAddressDaily }: PreviewQuotaDeps) {
  async function reserve(parsed: ParsedRequest, { clientAddress, method }: RequestContext) {
    const weight = 'answer' in parsed.producer ? liveAssetWeight : 1
    const n = method === 'HEAD' ? 0 : weight
    const dedupKey = createHash('sha256').update(parsed.key).digest('base64url').slice(0, 22)
    const request = { name: 'playground', limit: perAddressDaily, n, dedupKey }
    const reservation = await reserveSoon(reserveForClient(meter, clientAddress, request))
    if (reservation.granted) return reservation
    const seconds = secondsUntil(reservation.resetsAtMs, clock.now(), dayMs)
    throw rateLimited('Your address has had its previews for today. The snippets still work.', seconds)
  }

  /** Throws `busy` when the answer takes too long, and releases what is granted afterwards. */
  async function reserveSoon(coming: Promise<ClientReservation>): Promise<ClientReservation> {
    const tooLate = Promise.withResolvers<undefined>()
    const timeout = setAwakeTimeout(() => tooLate.resolve(undefined), patienceMs)
    try {
      const reservation = await Promise.race([coming, tooLate.promise])
      if (reservation !== undefined) return reservation
      coming.then((late) => late.release()).catch(() => {})
      throw busy()
    } catch (error) {
      throw error instanceof MeterUnavailable ? busy(error) : error
    } finally {
      timeout.clear()
    }
  }

  /**
   * Runs `work` on a reservation, and releases it if `work` fails. `isCounted`: the quota pays for a drawing, which it does
   * not where the request was counted before. Throws `rate_limited` or `busy`.
   */
  return async function withReservation<Result>(
    parsed: ParsedRequest,
    context: RequestContext,
    work: (granted: Granted, isCounted: boolean) => Promise<Result>,
  ): Promise<Result> {
    const reservation = await reserve(parsed, context)
    try {
      const granted = { granted: true, mode: 'demo', refund: reservation.release } as const
      return await work(granted, reservation.isCounted)
    } catch (error) {
      await reservation.release()
      throw error
    }
  }
}

function busy(cause?: unknown): Problem {
  return new Problem('busy', 'The preview could not be counted just now.', {
    headers: { 'retry-after': '1' },
    cause,
  })
}
