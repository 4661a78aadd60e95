import { passwordLengthMax } from '../../src/lib/password.ts'
import { retryWhileLocked } from '../../src/store/retry-while-locked.ts'
import type { AdminDeps } from '../deps.ts'
import type { LoginOrigin, LoginOrigins } from './login-origins.ts'
import { createLoginThrottle } from './login-throttle.ts'

/** After too many attempts a password is not verified. */
export type PasswordVerdict = 'right' | 'wrong' | { readonly retryAfterSeconds: number }

export type PasswordCheck = ReturnType<typeof createPasswordCheck>

/** Verifies a password against the operator's, within the rate limit of its origin. */
export function createPasswordCheck(deps: AdminDeps, origins: LoginOrigins) {
  const throttle = createLoginThrottle(deps)

  return async (origin: LoginOrigin, typed: string): Promise<PasswordVerdict> => {
    const admission = await retryWhileLocked(async () => throttle.admit(await origins.bucketOf(origin)))
    if (!admission.admitted) return { retryAfterSeconds: admission.retryAfterSeconds }
    let isRight = false
    try {
      isRight = await deps.password.verify(typed.slice(0, passwordLengthMax))
    } finally {
      await admission.done(isRight)
    }
    return isRight ? 'right' : 'wrong'
  }
}

/** Status, message and headers for a refused password. */
export function describeRefusal(verdict: Exclude<PasswordVerdict, 'right'>) {
  if (verdict === 'wrong')
    return { status: 401, problem: 'This is not the password. Upper and lower case matter.', headers: {} }
  const { retryAfterSeconds } = verdict
  const wait = retryAfterSeconds < 60 ? `${retryAfterSeconds} s` : `${Math.ceil(retryAfterSeconds / 60)} min`
  return {
    status: 429,
    problem: `Too many attempts. Try again in ${wait}.`,
    headers: { 'retry-after': String(retryAfterSeconds) },
  }
}
