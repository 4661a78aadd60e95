import { errorCodes, Problem } from '../errors.ts'
import type { RequestContext } from './request-context.ts'

/** The response to an error. An error that is no `Problem` is a bug: the caller learns nothing of it but the request id. */
export function problemResponse(error: unknown, { baseUrl }: Pick<RequestContext, 'baseUrl'>): Response {
  const problem = error instanceof Problem ? error : new Problem('internal', errorCodes.internal.remedy)
  return new Response(JSON.stringify(problem.toJSON(baseUrl)), {
    status: problem.status,
    headers: { 'cache-control': 'no-store', ...problem.headers, 'content-type': 'application/problem+json' },
  })
}
