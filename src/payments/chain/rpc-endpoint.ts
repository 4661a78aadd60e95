import { HttpRequestError, ResponseBodyTooLargeError } from 'viem'
import { getHttpRpcClient } from 'viem/utils'
import { errorCode } from '../../lib/error-code.ts'
import { createFairLimiter } from '../../lib/fair-limiter.ts'
import { foreignTextOf } from '../../lib/foreign-text.ts'
import { systemReason } from '../../lib/system-reason.ts'

/** The chain refused: a revert, a used nonce, too little balance. A retry changes nothing. */
export class RpcRejected extends Error {}

/** Too few endpoints answered, so nothing is known. */
export class RpcUnavailable extends Error {}

/** Requests at once. More would only wait at the endpoint, and public endpoints block floods. */
const requestsMax = 48
/** Enough for a receipt of some thousand logs. A longer response would block the event loop while it is parsed. */
const responseBytesMax = 2 * 1024 * 1024

export type RpcEndpoint = ReturnType<typeof createEndpoint>

/** One JSON-RPC server. */
export function createEndpoint(url: string, name: string, timeoutMs: number) {
  const client = getHttpRpcClient(url, { maxResponseBodySize: responseBytesMax })
  const foreignText = foreignTextOf(url)
  const limiter = createFairLimiter({ runningMax: requestsMax })
  return {
    name,
    async request(method: string, params: readonly unknown[]): Promise<unknown> {
      const response: unknown = await limiter.run('', async () => {
        // viem's own timeout ends with the headers, while a signal also ends a body that drips.
        const signal = AbortSignal.timeout(timeoutMs)
        try {
          return await client.request({ body: { method, params }, fetchOptions: { signal }, timeout: 0 })
        } catch (error) {
          throw endpointFailure(error, timeoutMs)
        }
      })
      if (typeof response !== 'object' || response === null) throw new Error('answers no JSON-RPC')
      if ('error' in response && response.error !== undefined && response.error !== null)
        throw refusalOf(response.error, foreignText)
      if (!('result' in response)) throw new Error('answers no JSON-RPC')
      return response.result
    },
  }
}

/** Messages that come from the chain itself. Every other error may be the endpoint's own failure. */
const rejections =
  /revert|nonce too low|already known|already imported|known transaction|underpriced|insufficient (funds|balance)|out of gas|gas required exceeds|intrinsic gas/i

function refusalOf(error: unknown, foreignText: ReturnType<typeof foreignTextOf>): Error {
  const { code, message } = error as { code?: unknown; message?: unknown }
  const text = typeof message === 'string' ? foreignText(message, 300) : 'unknown error'
  return code === 3 || rejections.test(text) ? new RpcRejected(text) : new Error(text)
}

/**
 * Returns why an endpoint gave no answer, as an Error for the log and the operator. It has no text of the error that was
 * caught, because viem's messages hold the whole URL, and the URL of most providers holds the key of an account.
 */
function endpointFailure(error: unknown, timeoutMs: number): Error {
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
