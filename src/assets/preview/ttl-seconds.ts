/** How long a preview stays fresh, by the headers of its page: from 5 minutes to a day. */
export function ttlSeconds(headers: Readonly<Record<string, string>>, nowMs: number): number {
  const control = (headers['cache-control'] ?? '').toLowerCase()
  if (/\bno-(?:store|cache)\b/.test(control)) return ttlMinSeconds
  const maxAge = /\bs-maxage\s*=\s*"?(\d{1,9})/.exec(control) ?? /\bmax-age\s*=\s*"?(\d{1,9})/.exec(control)
  if (maxAge !== null) return clamp(Number(maxAge[1]) - Number(headers['age'] ?? 0))
  const expiresAt = Date.parse(headers['expires'] ?? '')
  return Number.isNaN(expiresAt) ? ttlDefaultSeconds : clamp((expiresAt - nowMs) / 1000)
}

const ttlMinSeconds = 300
const ttlMaxSeconds = 86_400
const ttlDefaultSeconds = 3_600

function clamp(seconds: number): number {
  return Math.round(Math.min(ttlMaxSeconds, Math.max(ttlMinSeconds, Number.isNaN(seconds) ? 0 : seconds)))
}
