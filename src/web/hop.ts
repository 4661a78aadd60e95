import type { AddressPolicy } from './addresses.ts'
import { type Connector, connect } from './connect.ts'
import { type Exchange, sendRequest } from './exchange.ts'
import { type FailureReason, FetchFailure } from './failure.ts'
import type { FetchLimits } from './limits.ts'
import type { HopTiming } from './page.ts'
import type { Resolve } from './resolver.ts'
import type { OwnAddresses } from './self.ts'
import { addressLiteral, portOf } from './url-rules.ts'
import { type Limit, within } from './within.ts'

export interface HopDependencies {
  readonly policy: AddressPolicy
  readonly ownAddresses: OwnAddresses
  readonly ownHosts: readonly string[]
  readonly ownPorts: readonly number[]
  readonly isDenied: (host: string) => boolean
  readonly resolve: Resolve
  readonly connector: Connector
}

export type Hop = (
  url: URL,
  headers: Readonly<Record<string, string>>,
  limits: FetchLimits,
  deadlineAt: number,
) => Promise<Exchange & { readonly timing: HopTiming }>

/** One request to one URL: resolve, vet every address, connect to those only, send, wait for the headers. */
export const createHop = (dependencies: HopDependencies): Hop => {
  const { resolve, connector, ownHosts, isDenied } = dependencies
  return async (url, headers, limits, deadlineAt) => {
    const limit = (ms: number, reason: FailureReason): Limit => {
      const leftMs = deadlineAt - performance.now()
      return leftMs < ms ? [leftMs, 'timeout_total'] : [ms, reason]
    }
    const startedAt = performance.now()
    if (ownHosts.includes(url.hostname)) throw new FetchFailure('self_request')
    if (isDenied(url.hostname)) throw new FetchFailure('denied_domain')

    const literal = addressLiteral(url)
    const addresses =
      literal === null
        ? await within(resolve(url.hostname), ...limit(limits.dnsMs, 'timeout_dns'))
        : [literal]
    const port = portOf(url)
    vet(addresses, port, dependencies)
    const resolvedAt = performance.now()

    const socket = await connect(
      { url, port, addresses },
      connector,
      limit(limits.connectMs, 'timeout_connect'),
    )
    const connectedAt = performance.now()
    try {
      const answer = sendRequest(socket, url, headers, limits.headerBytes)
      const exchange = await within(answer, ...limit(limits.headersMs, 'timeout_headers'))
      const timing = {
        dns: resolvedAt - startedAt,
        connect: connectedAt - resolvedAt,
        headers: performance.now() - connectedAt,
      }
      return { ...exchange, timing }
    } catch (failure) {
      socket.destroy()
      throw failure
    }
  }
}

/** One address that may not be reached refuses the whole answer: the next question could bring it to the front. */
const vet = (addresses: readonly string[], port: number, dependencies: HopDependencies): void => {
  const { policy, ownAddresses, ownPorts } = dependencies
  for (const address of addresses) {
    if (!policy.allows(address)) throw new FetchFailure('blocked_address')
    const reachable = policy.allowsByName(address) && !ownPorts.includes(port)
    if (ownAddresses.includes(address) && !reachable) throw new FetchFailure('self_request')
  }
}
