import type { AuthorizationRequest } from '../access/authorization.ts'
import type { ParsedRequest } from './parsed-request.ts'
import type { RequestContext } from './request-context.ts'
import { targetOf } from './target.ts'

/** Returns what the authorizer and payments need to know about a request, given what it costs and what it is for. */
export function authorizationRequest(
  context: RequestContext,
  priceMicros: number,
  endpoint: string,
  { credentials, resolved }: Partial<Pick<ParsedRequest, 'credentials' | 'resolved'>> = {},
): AuthorizationRequest {
  const { request, method, path, rawQuery, baseUrl } = context
  return {
    method,
    path,
    rawQuery,
    credentials,
    onlyKeyIds: resolved?.keyIds,
    headers: request.headers,
    get url() {
      return baseUrl + targetOf(context)
    },
    priceMicros,
    endpoint,
    // Read only where it is needed, because it costs a system call.
    get clientAddress() {
      return context.clientAddress
    },
  }
}
