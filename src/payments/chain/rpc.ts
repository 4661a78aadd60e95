import type { Clock } from '../../lib/clock.ts'
import type { PaymentSettings } from '../payment-settings.ts'
import { createCheckedEndpoint } from './checked-endpoint.ts'
import { createEndpoint, RpcRejected, RpcUnavailable } from './rpc-endpoint.ts'

export type Rpc = ReturnType<typeof createRpc>

/** Parses an answer; throws if it is malformed. */
type Read<T> = (answer: unknown) => T

/** JSON-RPC over several endpoints: the first that answers, or a quorum of equal answers. */
export function createRpc({ rpc, chainId }: Pick<PaymentSettings, 'rpc' | 'chainId'>, clock: Clock) {
  const { urls, timeoutMs, quorum } = rpc
  const endpoints = urls.map((url, index) =>
    createCheckedEndpoint(createEndpoint(url, `RPC ${index + 1}`, timeoutMs), chainId, clock),
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

  /** The answers of at least a quorum of endpoints. */
  async function several<T>(
    method: string,
    parameters: readonly unknown[],
    read: Read<T>,
  ): Promise<readonly T[]> {
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
    /**
     * The answer that a quorum of endpoints agrees on. Throws `RpcRejected` if the chain refuses, `RpcUnavailable` if
     * too few endpoints answer or agree.
     */
    async call<T>(method: string, parameters: readonly unknown[], read: Read<T>): Promise<T> {
      const answers = await several(method, parameters, read)
      const agreed = agree(answers, quorum)
      if (agreed === undefined) throw new RpcUnavailable(`the RPCs disagree about ${method}`)
      return agreed.value
    },
  }
}

function agree<T>(answers: readonly T[], quorum: number): { readonly value: T } | undefined {
  if (quorum === 1) return answers[0] === undefined ? undefined : { value: answers[0] }
  const votes = new Map<string, number>()
  for (const value of answers) {
    const ballot = JSON.stringify(value, (_, part) => (typeof part === 'bigint' ? `${part}n` : part))
    const count = (votes.get(ballot) ?? 0) + 1
    if (count >= quorum) return { value }
    votes.set(ballot, count)
  }
  return undefined
}
