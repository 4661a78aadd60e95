import { Type } from '@sinclair/typebox'
import type { RequestContext } from '../../src/http/request-context.ts'
import { retryWhileLocked } from '../../src/store/retry-while-locked.ts'
import { adminResponse } from '../admin-response.ts'
import { confirmPasswordPage } from '../pages/confirm-password.tsx'
import type { AdminHandler } from '../session/admin-request.ts'
import { decodeForm, typedPassword } from '../session/form-fields.ts'
import type { LoginOrigin } from '../session/login-origins.ts'
import { describeRefusal, type PasswordCheck } from '../session/password-check.ts'
import { readSessionCookie } from '../session/session-cookie.ts'
import { type Sessions, sessionIdOf } from '../session/sessions.ts'

const passwordForm = Type.Object({ password: Type.Optional(typedPassword) })

/**
 * Wraps handlers that need the password of the last ten minutes. If it is older, the operator is asked for it, and
 * the right password continues with the same request.
 */
export function createFreshPasswordRule(sessions: Sessions, checkPassword: PasswordCheck) {
  return function requireFreshPassword<Query, Form>(
    question: string,
    handler: AdminHandler<Query, Form>,
  ): AdminHandler<Query, Form> {
    return async (request) => {
      if (request.session.isFresh) return handler(request)
      const { password } = decodeForm(passwordForm, request.sent).value
      if (password === undefined) return confirmPasswordPage(request, question)
      const verdict = await checkPassword(loginOriginOf(request.context), password)
      if (verdict !== 'right') {
        const { status, problem, headers } = describeRefusal(verdict)
        return adminResponse(confirmPasswordPage(request, question, problem), status, headers)
      }
      await retryWhileLocked(() => sessions.confirm(request.session.id))
      return handler(request)
    }
  }
}

/** Where a password attempt comes from. The cookie counts even if its session has ended. */
export function loginOriginOf(context: RequestContext): LoginOrigin {
  const token = readSessionCookie(context)
  return { address: context.clientAddress, sessionId: token && sessionIdOf(token) }
}
