import { type Clock, isStillAhead } from '../../lib/clock.ts'
import { createCoalescer } from '../../lib/coalescer.ts'
import { readQuantity } from './hex-values.ts'
import { type RpcEndpoint, RpcRejected, RpcUnavailable } from './rpc-endpoint.ts'

const restAfterFailureMs = 5_000
const chainCheckedMs = 60_000

/** A JSON-RPC server whose answers count only while it serves the expected chain. */
export function createCheckedEndpoint(endpoint: RpcEndpoint, chainId: number, clock: Clock) {
  let restUntilMs = 0
  let checkedUntilMs = 0
  const coalesceCheck = createCoalescer<void>()

  async function checkChain(): Promise<void> {
    const found = readQuantity(await endpoint.request('eth_chainId', []))
    if (found !== chainId) throw new Error(`is on chain ${found}, not ${chainId}`)
    checkedUntilMs = clock.now() + chainCheckedMs
  }

  return {
    /** Throws `RpcRejected` if the chain refuses. Every other failure is `RpcUnavailable`, and the endpoint rests. */
    async request<T>(
      method: string,
      parameters: readonly unknown[],
      read: (answer: unknown) => T,
    ): Promise<T> {
      try {
        const isChecked = isStillAhead(checkedUntilMs, clock.now(), chainCheckedMs)
        const check = isChecked ? undefined : coalesceCheck('', checkChain)
        const [answer] = await Promise.all([endpoint.request(method, parameters), check])
        restUntilMs = 0
        return read(answer)
      } catch (error) {
        if (error instanceof RpcRejected) throw error
        restUntilMs = clock.now() + restAfterFailureMs
        const words = error instanceof Error ? error.message : String(error)
        throw new RpcUnavailable(`${endpoint.name}: ${words}`)
      }
    },

    /** How long the endpoint still rests after a failure: until then it is tried last. */
    restMs: (nowMs: number) => Math.max(restUntilMs - nowMs, 0),
  }
}
