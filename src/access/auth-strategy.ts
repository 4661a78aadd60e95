import type { Authorization, AuthorizationRequest, Refusal } from './authorization.ts'
import type { Credentials } from './credentials.ts'

/**
 * One kind of credentials that can grant a call. A refusal lets the next strategy try; any other answer is final.
 * Returns undefined if the request carries no credentials for this strategy.
 */
export type AuthStrategy = (
  request: AuthorizationRequest,
  credentials: Credentials,
) => Promise<Authorization | Refusal | undefined> | undefined
