import { createHash } from 'node:crypto'
import { type ClientReservation, reserveForClient } from '../../access/key-quota.ts'
import type { AssetHead } from '../../assets/kit/producer.ts'
import { Problem, rateLimited } from '../../errors.ts'
import type { DrawingService, DrawnAsset, DrawnFor } from '../../http/drawing-service.ts'
import type { ParsedRequest, RequestContext } from '../../http/request-context.ts'
import type { Body } from '../../lib/body.ts'
import { type Clock, dayMs, secondsUntil, setAwakeTimeout } from '../../lib/clock.ts'
import { hmacHex, isSameMac } from '../../lib/password.ts'
import { type Meter, MeterUnavailable } from '../../store/meter.ts'

export interface VisitorQuota {
  readonly meter: Meter
  readonly clock: Clock
  /** Drawings per client address and UTC day. */
  readonly perAddressDaily: number
}

/** A live asset counts like so many pictures, because it fetches from somebody's site. */
const liveAssetWeight = 20

/**
 * A page waits so long for its preview to be counted. While another process holds a lock of the database, a reservation
 * waits for seconds, but the rest of the page needs no database. A database far away takes half a second.
 */
const patienceMs = 700

export type VisitorDrawings = ReturnType<typeof createVisitorDrawings>

/** Draws a visitor's input on the daily quota of their address. Equal requests count once a day. */
export function createVisitorDrawings(
  drawings: DrawingService,
  { meter, clock, perAddressDaily }: VisitorQuota,
) {
  async function reserve({ producer, key }: ParsedRequest, clientAddress: string, isFree: boolean) {
    const weight = 'answer' in producer ? liveAssetWeight : 1
    const n = isFree ? 0 : weight
    const dedupKey = createHash('sha256').update(key).digest('base64url').slice(0, 22)
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

  /** Runs `work` on a reservation, and releases it if `work` fails. Throws `rate_limited` or `busy`. */
  async function counted<Result>(
    parsed: ParsedRequest,
    client: string,
    work: (who: Extract<DrawnFor, { for: 'visitor' }>) => Promise<Result>,
    isFree = false,
  ): Promise<Result> {
    const { release, isCounted } = await reserve(parsed, client, isFree)
    try {
      const granted = { granted: true, mode: 'demo', refund: release } as const
      return await work({ for: 'visitor', client, granted, isCounted })
    } catch (error) {
      await release()
      throw error
    }
  }

  return {
    /** Draws the asset for a page. Throws the Problem that a caller of the API would get, or `rate_limited`. */
    draw(assetId: string, rawQuery: string, page: RequestContext): Promise<DrawnAsset> {
      const { parsed } = drawings.read(assetId, rawQuery, page)
      return counted(parsed, page.clientAddress, (who) => drawings.asset(assetId, rawQuery, page, who))
    },
    /** The asset as the response itself, which may be an event stream of its progress. HEAD is not counted or drawn. */
    respond(assetId: string, rawQuery: string, request: RequestContext): Promise<Response> {
      const { parsed, context } = drawings.read(assetId, rawQuery, request)
      const { producer, query } = parsed
      const isHead = request.method === 'HEAD'
      async function answer(who: Extract<DrawnFor, { for: 'visitor' }>): Promise<Response> {
        if ('answer' in producer) return producer.answer(query, context, who.granted)
        if (isHead) return toResponse({ ...producer.describe(query), body: null })
        return toResponse((await drawings.asset(assetId, rawQuery, request, who)).rendered)
      }
      return counted(parsed, request.clientAddress, answer, isHead)
    },
  }
}

function busy(cause?: unknown): Problem {
  return new Problem('busy', 'The preview could not be counted just now.', {
    headers: { 'retry-after': '1' },
    cause,
  })
}

function toResponse({ body, contentType, filename }: AssetHead & { readonly body: Body | null }): Response {
  return new Response(body, {
    headers: { 'content-type': contentType, 'content-disposition': `inline; filename="${filename}"` },
  })
}

export type SignedUrls = ReturnType<typeof createSignedUrls>

const windowMs = 5 * 60_000

/** Signs URLs under /playground, which expire within ten minutes. */
export function createSignedUrls(key: string, clock: Clock) {
  function signatureOf(assetId: string, query: string) {
    return hmacHex(key, `${assetId}?${query}`).slice(0, 32)
  }

  /** Equal for five minutes, so that browsers load a picture once. */
  function untilSeconds() {
    return ((Math.floor(clock.now() / windowMs) + 2) * windowMs) / 1000
  }

  return {
    /** Equal for as long as `sign` returns equal URLs. */
    window: untilSeconds,
    /** Returns the signed path and query of the asset. `rawQuery` has no credentials. */
    sign(assetId: string, rawQuery: string): string {
      const query = `${rawQuery}${rawQuery === '' ? '' : '&'}until=${untilSeconds()}`
      return `/playground/${assetId}?${query}&ticket=${signatureOf(assetId, query)}`
    },
    /** Returns the query that was signed; undefined if the signature is wrong or expired. */
    verify(assetId: string, rawQuery: string): string | undefined {
      const [, query = '', unsigned = '', until, signature = ''] =
        /^((?:(.*)&)?until=(\d{1,12}))&ticket=([0-9a-f]{32})$/.exec(rawQuery) ?? []
      if (until === undefined) return undefined
      if (!isSameMac(signatureOf(assetId, query), signature)) return undefined
      return Number(until) * 1000 > clock.now() ? unsigned : undefined
    },
  }
}
