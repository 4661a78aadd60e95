import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Clock } from '../../lib/clock.ts'

/** Addresses under /playground that only this service can make, and that stop working within the hour. */
export interface SignedUrls {
  /** The path and query at which the asset can be had. `rawQuery` has no credentials. */
  sign(assetId: string, rawQuery: string): string
  /** The query that the ticket was issued for; undefined when it was not, or is too old. */
  verify(assetId: string, rawQuery: string): string | undefined
}

const halfHourMs = 30 * 60_000

export function createSignedUrls(key: string, clock: Clock): SignedUrls {
  function signatureOf(assetId: string, query: string) {
    return createHmac('sha256', key).update(`${assetId}?${query}`).digest('hex').slice(0, 32)
  }

  return {
    sign(assetId, rawQuery) {
      // The same for half an hour, so that a browser asks once for a picture that it sees again.
      const until = (Math.floor(clock.now() / halfHourMs) + 2) * halfHourMs
      const query = `${rawQuery}${rawQuery === '' ? '' : '&'}until=${until / 1000}`
      return `/playground/${assetId}?${query}&ticket=${signatureOf(assetId, query)}`
    },
    verify(assetId, rawQuery) {
      const [, query = '', before = '', until, ticket = ''] =
        /^((?:(.*)&)?until=(\d{1,12}))&ticket=([0-9a-f]{32})$/.exec(rawQuery) ?? []
      if (until === undefined || !equalsInConstantTime(ticket, signatureOf(assetId, query))) return undefined
      return Number(until) * 1000 > clock.now() ? before : undefined
    },
  }
}

function equalsInConstantTime(one: string, other: string): boolean {
  return timingSafeEqual(Buffer.from(one), Buffer.from(other))
}
