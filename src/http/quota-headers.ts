import type { Quota } from '../access/authorization.ts'

/** Sets the `X-Quota-*` headers. An unlimited quota has none. */
export function setQuota(headers: Headers, quota: Quota): void {
  const { limit, remaining, resetsAtMs } = quota
  if (limit === null || remaining === null) return
  headers.set('x-quota-limit', String(limit))
  headers.set('x-quota-reset', String(Math.ceil(resetsAtMs / 1000)))
  setRemaining(headers, quota)
}

/** Sets the one header that changes from call to call. */
export function setRemaining(headers: Headers, { limit, remaining }: Quota): void {
  if (limit !== null && remaining !== null) headers.set('x-quota-remaining', String(remaining))
}
