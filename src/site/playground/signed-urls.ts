import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Clock } from '../../lib/clock.ts'

/** URLs under /playground that only this service can sign. They expire within an hour. */
export interface SignedUrls {
  /** The signed path and query of the asset. `rawQuery` has no credentials. */
  sign(assetId: string, rawQuery: string): string
  /** The query that was signed; undefined if the signature is wrong or expired. */
  verify(assetId: string, rawQuery: string): string | undefined
}

const halfHourMs = 30 * 60_000

export function createSignedUrls(key: string, clock: Clock): SignedUrls {
  function signatureOf(assetId: string, query: string) {
    return createHmac('sha256', key).update(`${assetId}?${query}`).digest('hex').slice(0, 32)
  }

  return {
    sign(assetId, rawQuery) {
      // Equal for half an hour, so that browsers load a picture once.
      const until = (Math.floor(clock.now() / halfHourMs) + 2) * halfHourMs
      const query = `${rawQuery}${rawQuery === '' ? '' : '&'}until=${until / 1000}`
      return `/playground/${assetId}?${query}&ticket=${signatureOf(assetId, query)}`
    },
    verify(assetId, rawQuery) {
      const [, query = '', unsigned = '', until, signature = ''] =
        /^((?:(.*)&)?until=(\d{1,12}))&ticket=([0-9a-f]{32})$/.exec(rawQuery) ?? []
      if (until === undefined || !equalsInConstantTime(signature, signatureOf(assetId, query)))
        return undefined
      return Number(until) * 1000 > clock.now() ? unsigned : undefined
    },
  }
}

function equalsInConstantTime(one: string, other: string): boolean {
  return timingSafeEqual(Buffer.from(one), Buffer.from(other))
}
