import type { LoginThrottle } from './login-throttle.ts'
import type { OperatorPassword } from './operator-password.ts'

export type PasswordVerdict = 'right' | 'wrong' | TooManyAttempts

export interface TooManyAttempts {
  readonly retryAfterSeconds: number
}

export type PasswordCheck = (address: string, given: string) => Promise<PasswordVerdict>

/** More is no password, only work. */
const lengthMost = 1000

/** Compares what was typed with the operator's password, as often as the throttle lets an address try. */
export function createPasswordCheck(password: OperatorPassword, throttle: LoginThrottle): PasswordCheck {
  return async (address, given) => {
    const admission = throttle.admit(address)
    if (!admission.admitted) return { retryAfterSeconds: admission.retryAfterSeconds }
    let isRight = false
    try {
      isRight = await password.verify(given.slice(0, lengthMost))
    } finally {
      admission.done(isRight)
    }
    return isRight ? 'right' : 'wrong'
  }
}

/** What to answer to a verdict that is not `right`. */
export function refusalOf(verdict: Exclude<PasswordVerdict, 'right'>) {
  if (verdict === 'wrong') return { status: 401, problem: 'This is not the password.', headers: {} }
  const { retryAfterSeconds } = verdict
  const wait = retryAfterSeconds < 60 ? `${retryAfterSeconds} s` : `${Math.ceil(retryAfterSeconds / 60)} min`
  return {
    status: 429,
    problem: `Too many attempts. Try again in ${wait}.`,
    headers: { 'retry-after': String(retryAfterSeconds) },
  }
}
