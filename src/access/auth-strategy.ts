import type { Authorization, AuthorizationRequest, Quota, Refusal } from './authorization.ts'
import type { Credentials } from './credentials.ts'
import type { QuotaReservation } from './quota-reservation.ts'

/**
 * One way to be let in. A refusal lets the next way try; any other answer is the last word. Undefined: this call
 * did not offer anything for this way; said at once where that costs nothing to know.
 */
export type AuthStrategy = (
  request: AuthorizationRequest,
  offered: Credentials,
) => Promise<Authorization | Refusal | undefined> | undefined

/** HEAD is decided like GET, and counts nothing. */
export function callsToCount({ method }: AuthorizationRequest): number {
  return method === 'HEAD' ? 0 : 1
}

export function quotaOf({ limit, remaining, resetsAtMs }: QuotaReservation): Quota {
  return { limit, remaining, resetsAtMs }
}

/** Runs `action` at the first call and shares its outcome with all later ones. */
export function once(action: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined
  return () => {
    done ??= action()
    return done
  }
}
