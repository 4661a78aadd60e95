import { HttpRequestError, ResponseBodyTooLargeError } from 'viem'
import { getHttpRpcClient } from 'viem/utils'
import { type Clock, isStillAhead } from '../../lib/clock.ts'
import { FairLimiter } from '../../lib/fair-limiter.ts'
import { errorCode, foreignTextOf, systemReason } from '../../lib/system-reason.ts'
import { createCoalescer } from '../../lib/waiter.ts'
import type { PaymentSettings } from '../payment-settings.ts'
import { comparable, readQuantity } from './answers.ts'

/** The chain refused: a revert, a used nonce, too little balance. A retry changes nothing. */
export class RpcRejected extends Error {}

/** Too few endpoints answered, so nothing is known. */
export class RpcUnavailable extends Error {}

export type Rpc = ReturnType<typeof createRpc>

type Read<T> = (answer: unknown) => T

/** JSON-RPC over several endpoints: the first that answers, or a quorum of equal answers. */
export function createRpc({ rpc, chainId }: Pick<PaymentSettings, 'rpc' | 'chainId'>, clock: Clock) {
  const { urls, timeoutMs, quorum } = rpc
  const endpoints = urls.map((url, index) =>
    createCheckedEndpoint(createEndpoint(url, timeoutMs), `RPC ${index + 1}`, chainId, clock),
  )

  /** The first usable answer, for requests without a common answer: broadcasts and fees. */
  async function first<T>(method: string, parameters: readonly unknown[], read: Read<T>): Promise<T> {
    const now = clock.now()
    const order = endpoints.toSorted((a, b) => a.restMs(now) - b.restMs(now))
    const problems: string[] = []
    for (const endpoint of order) {
      try {
        return await endpoint.request(method, parameters, read)
      } catch (error) {
        if (error instanceof RpcRejected) throw error
        problems.push(String(error instanceof Error ? error.message : error))
      }
    }
    throw new RpcUnavailable(problems.join('; ') || 'no RPC is configured')
  }

  async function several<T>(method: string, parameters: readonly unknown[], read: Read<T>) {
    if (quorum === 1) return [await first(method, parameters, read)]
    const outcomes = await Promise.allSettled(
      endpoints.map((endpoint) => endpoint.request(method, parameters, read)),
    )
    const answers = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []))
    if (answers.length >= quorum) return answers
    const refusals = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []))
    const rejected = refusals.filter((reason) => reason instanceof RpcRejected)
    if (rejected.length >= quorum) throw rejected[0]
    throw new RpcUnavailable(refusals.map((reason) => reason.message).join('; '))
  }

  return {
    quorum,
    first,
    several,
    /** Throws `RpcRejected` if the chain refuses, `RpcUnavailable` if too few endpoints answer or agree. */
    async call<T>(method: string, parameters: readonly unknown[], read: Read<T>): Promise<T> {
      const answers = await several(method, parameters, read)
      const votes = quorum === 1 ? [answers] : [...Map.groupBy(answers, comparable).values()]
      const [agreed] = votes.find(({ length }) => length >= quorum) ?? []
      if (agreed === undefined) throw new RpcUnavailable(`the RPCs disagree about ${method}`)
      return agreed
    },
  }
}

const restAfterFailureMs = 5_000
const chainCheckedMs = 60_000

/** A JSON-RPC server whose answers count only while it serves the expected chain. */
function createCheckedEndpoint(
  ask: ReturnType<typeof createEndpoint>,
  name: string,
  chainId: number,
  clock: Clock,
) {
  let restUntilMs = 0
  let checkedUntilMs = 0
  const coalesceCheck = createCoalescer<void>()

  async function checkChain(): Promise<void> {
    const found = readQuantity(await ask('eth_chainId', []))
    if (found !== chainId) throw new Error(`is on chain ${found}, not ${chainId}`)
    checkedUntilMs = clock.now() + chainCheckedMs
  }

  return {
    /** Throws `RpcRejected` if the chain refuses. Every other failure is `RpcUnavailable`, and the endpoint rests. */
    async request<T>(method: string, parameters: readonly unknown[], read: Read<T>): Promise<T> {
      try {
        const isChecked = isStillAhead(checkedUntilMs, clock.now(), chainCheckedMs)
        const check = isChecked ? undefined : coalesceCheck('', checkChain)
        const asked = ask(method, parameters)
        asked.catch(() => undefined)
        // Nothing that another chain says counts, a refusal no more than an answer.
        await check
        const answer = await asked
        restUntilMs = 0
        return read(answer)
      } catch (error) {
        if (error instanceof RpcRejected) throw error
        restUntilMs = clock.now() + restAfterFailureMs
        const words = error instanceof Error ? error.message : String(error)
        throw new RpcUnavailable(`${name}: ${words}`)
      }
    },

    restMs: (nowMs: number) => Math.max(restUntilMs - nowMs, 0),
  }
}

/** Requests at once. More would only wait at the endpoint, and public endpoints block floods. */
const requestsMax = 48
/** Enough for a receipt of some thousand logs. A longer response would block the event loop while it is parsed. */
const responseBytesMax = 2 * 1024 * 1024

export function createEndpoint(url: string, timeoutMs: number) {
  const client = getHttpRpcClient(url, { maxResponseBodySize: responseBytesMax })
  const foreignText = foreignTextOf(url)
  const limiter = new FairLimiter({ runningMax: requestsMax })
  return async (method: string, params: readonly unknown[]): Promise<unknown> => {
    const response: unknown = await limiter.run('', async () => {
      // viem's own timeout ends with the headers, while a signal also ends a body that drips.
      const signal = AbortSignal.timeout(timeoutMs)
      try {
        return await client.request({ body: { method, params }, fetchOptions: { signal }, timeout: 0 })
      } catch (error) {
        throw new Error(endpointFailure(error, timeoutMs))
      }
    })
    if (typeof response !== 'object' || response === null) throw new Error('answers no JSON-RPC')
    if ('error' in response && response.error !== undefined && response.error !== null)
      throw refusalOf(method, response.error, foreignText)
    if (!('result' in response)) throw new Error('answers no JSON-RPC')
    return response.result
  }
}

/** Messages that come from the chain itself. Every other error may be the endpoint's own failure. */
const rejections =
  /revert|nonce too low|already known|already imported|known transaction|underpriced|insufficient (funds|balance)|out of gas|gas required exceeds|intrinsic gas/i

/** Requests that the chain itself can refuse. What is only read is there or not. */
const refusable: ReadonlySet<string> = new Set(['eth_call', 'eth_estimateGas', 'eth_sendRawTransaction'])

function refusalOf(method: string, error: unknown, foreignText: ReturnType<typeof foreignTextOf>): Error {
  const { code, message } = error as { code?: unknown; message?: unknown }
  const text = typeof message === 'string' ? foreignText(message, 300) : 'unknown error'
  const isRejected = refusable.has(method) && (code === 3 || rejections.test(text))
  return isRejected ? new RpcRejected(text) : new Error(text)
}

/** Without the text of the error: viem's messages hold the URL, which for most providers holds the key of an account. */
function endpointFailure(error: unknown, timeoutMs: number): string {
  if (error instanceof ResponseBodyTooLargeError) return 'answers with too many bytes'
  if (error instanceof Error && error.name === 'TimeoutError')
    return `has not answered within ${timeoutMs} ms`
  const cause = error instanceof Error ? error.cause : undefined
  if (cause instanceof SyntaxError) return 'answers no JSON-RPC'
  if (error instanceof HttpRequestError && error.status !== undefined)
    return `answers with HTTP status ${error.status}`
  return `cannot be reached: ${systemReason(cause) ?? (errorCode(cause) || 'the connection failed')}`
}
