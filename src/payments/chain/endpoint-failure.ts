import { HttpRequestError, ResponseBodyTooLargeError } from 'viem'
import { errorCode } from '../../lib/error-code.ts'
import { systemReason } from '../../lib/system-reason.ts'

/**
 * Returns why an endpoint gave no answer, as an Error for the log and the operator. It has no text of the error that was
 * caught, because viem's messages hold the whole URL, and the URL of most providers holds the key of an account.
 */
export function endpointFailure(error: unknown, timeoutMs: number): Error {
  return new Error(reasonOf(error, timeoutMs))
}

function reasonOf(error: unknown, timeoutMs: number): string {
  if (error instanceof ResponseBodyTooLargeError) return 'answers with too many bytes'
  if (error instanceof Error && error.name === 'TimeoutError')
    return `has not answered within ${timeoutMs} ms`
  const cause = error instanceof Error ? error.cause : undefined
  if (cause instanceof SyntaxError) return 'answers no JSON-RPC'
  if (error instanceof HttpRequestError && error.status !== undefined)
    return `answers with HTTP status ${error.status}`
  return `cannot be reached: ${systemReason(cause) ?? (errorCode(cause) || 'the connection failed')}`
}
