import type { AuthorizationRequest } from '../access/authorization.ts'
import type { RequestContext } from './request-context.ts'
import { targetOf } from './target.ts'

/** Returns what the authorizer and payments need to know about a request, given what it costs. */
export function authorizationRequest(
  context: RequestContext,
  price: Pick<AuthorizationRequest, 'priceMicros' | 'endpoint' | 'subject' | 'credentials'>,
): AuthorizationRequest {
  const { request, method, path, rawQuery, baseUrl } = context
  return {
    ...price,
    method,
    path,
    rawQuery,
    headers: request.headers,
    url: baseUrl + targetOf(context),
    // Read only where it is needed, because it costs a system call.
    get clientAddress() {
      return context.clientAddress
    },
  }
}
