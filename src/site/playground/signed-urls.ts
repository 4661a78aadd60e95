import type { Clock } from '../../lib/clock.ts'
import { hmacHex, isSameMac } from '../../lib/hmac-hex.ts'

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
