import { getHttpRpcClient } from 'viem/utils'
import { createConcurrencyLimiter } from '../settle/concurrency-limiter.ts'

/** The chain refused: a revert, a used nonce, an empty purse. Asking again changes nothing. */
export class RpcRejected extends Error {}

/** One place to ask. */
export interface Endpoint {
  readonly name: string
  request(method: string, parameters: readonly unknown[]): Promise<unknown>
  /** Not asked first until then, because it failed. */
  restUntilMs: number
  chain: Promise<void> | undefined
  chainGoodUntilMs: number
}

/** So many questions at once: more of them would only wait elsewhere, and public endpoints frown on floods. */
const questionsMax = 48
/** A receipt of some thousand logs. What is longer is parsed in one go, and nobody else is served meanwhile. */
const answerBytesMax = 2 * 1024 * 1024

export function createEndpoint(url: string, name: string, timeoutMs: number): Endpoint {
  const client = getHttpRpcClient(url, { maxResponseBodySize: answerBytesMax })
  const inTurn = createConcurrencyLimiter(questionsMax)
  return {
    name,
    restUntilMs: 0,
    chain: undefined,
    chainGoodUntilMs: 0,
    async request(method, params) {
      const response: unknown = await inTurn(() => {
        // viem's own timeout ends with the headers, while a signal also ends a body that drips.
        const signal = AbortSignal.timeout(timeoutMs)
        return client.request({ body: { method, params }, fetchOptions: { signal }, timeout: 0 })
      })
      if (typeof response !== 'object' || response === null) throw new Error('answers no JSON-RPC')
      if ('error' in response && response.error !== undefined && response.error !== null)
        throw refusalOf(response.error)
      if (!('result' in response)) throw new Error('answers no JSON-RPC')
      return response.result
    },
  }
}

/** What only the chain itself says; every other error may be the endpoint's own trouble. */
const rejections =
  /revert|nonce too low|already known|already imported|known transaction|underpriced|insufficient (funds|balance)|out of gas|gas required exceeds|intrinsic gas/i

function refusalOf(error: unknown): Error {
  const { code, message } = error as { code?: unknown; message?: unknown }
  const text = typeof message === 'string' ? message.slice(0, 300) : 'unknown error'
  return code === 3 || rejections.test(text) ? new RpcRejected(text) : new Error(text)
}
