/** How long a page may be answered from memory, in seconds, by what the site says about it. */
export const ttlSeconds = (headers: Readonly<Record<string, string>>, nowMs: number): number => {
  const control = (headers['cache-control'] ?? '').toLowerCase()
  if (/\bno-(?:store|cache)\b/.test(control)) return TTL_MIN_SECONDS
  const maxAge = /\bs-maxage\s*=\s*"?(\d{1,9})/.exec(control) ?? /\bmax-age\s*=\s*"?(\d{1,9})/.exec(control)
  if (maxAge !== null) return clamp(Number(maxAge[1]) - Number(headers['age'] ?? 0))
  const expiresAt = Date.parse(headers['expires'] ?? '')
  return Number.isNaN(expiresAt) ? TTL_DEFAULT_SECONDS : clamp((expiresAt - nowMs) / 1000)
}

const TTL_MIN_SECONDS = 300
const TTL_MAX_SECONDS = 86_400
const TTL_DEFAULT_SECONDS = 3_600

const clamp = (seconds: number): number =>
  Math.round(Math.min(TTL_MAX_SECONDS, Math.max(TTL_MIN_SECONDS, Number.isNaN(seconds) ? 0 : seconds)))
