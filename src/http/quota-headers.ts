import type { Quota } from '../access/authorization.ts'

/** What is left of the quota that the call drew on. Callers without a limit get no numbers. */
export function setQuota(headers: Headers, quota: Quota): void {
  const { limit, remaining, resetsAtMs } = quota
  if (limit === null || remaining === null) return
  headers.set('x-quota-limit', String(limit))
  headers.set('x-quota-reset', String(Math.ceil(resetsAtMs / 1000)))
  setRemaining(headers, quota)
}

/** Only what changes from call to call. */
export function setRemaining(headers: Headers, { limit, remaining }: Quota): void {
  if (limit !== null && remaining !== null) headers.set('x-quota-remaining', String(remaining))
}
