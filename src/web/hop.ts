import type { AddressPolicy } from './address-policy.ts'
import { type Connector, connect } from './connect.ts'
import { type FailureReason, FetchFailure } from './fetch-failure.ts'
import type { FetchLimits } from './fetch-limits.ts'
import type { HopTiming } from './fetched-page.ts'
import type { OwnAddresses } from './own-addresses.ts'
import type { Resolve } from './resolver.ts'
import { type PendingResponse, sendRequest } from './send-request.ts'
import { type Timeout, withTimeout } from './timeout.ts'
import { addressLiteral, portOf } from './url-rules.ts'

export interface HopDependencies {
  readonly policy: AddressPolicy
  readonly ownAddresses: OwnAddresses
  readonly ownHosts: readonly string[]
  readonly ownPorts: readonly number[]
  readonly isDenied: (host: string) => boolean
  readonly resolve: Resolve
  readonly connector: Connector
}

/** The limits of one hop. `deadlineAt` is on the clock of `performance.now()`; `preempted` aborts when others need the slot. */
export interface HopLimits extends FetchLimits {
  readonly deadlineAt: number
  readonly preempted: AbortSignal
}

/** One request to one URL, in two steps. The target of the fetch is not contacted before the second one. */
export interface Hop {
  /** Returns every address of the host, each of them checked. Rejects with FetchFailure. */
  resolve(url: URL, limits: HopLimits): Promise<readonly string[]>
  /** Connects to one of these addresses, sends the request and waits for the headers. Rejects with FetchFailure. */
  send(
    url: URL,
    addresses: readonly string[],
    headers: Readonly<Record<string, string>>,
    limits: HopLimits,
  ): Promise<PendingResponse & { readonly timing: Omit<HopTiming, 'dns'> }>
}

export function createHop(dependencies: HopDependencies): Hop {
  const { resolve, connector, ownHosts, isDenied } = dependencies
  function timeout(ms: number, reason: FailureReason, { deadlineAt, preempted }: HopLimits): Timeout {
    const leftMs = deadlineAt - performance.now()
    return leftMs < ms ? [leftMs, 'timeout_total', preempted] : [ms, reason, preempted]
  }

  return {
    async resolve(url, limits) {
      if (ownHosts.includes(url.hostname)) throw new FetchFailure('self_request')
      if (isDenied(url.hostname)) throw new FetchFailure('denied_domain')
      const literal = addressLiteral(url)
      const addresses =
        literal === undefined
          ? await withTimeout(resolve(url.hostname), ...timeout(limits.dnsMs, 'timeout_dns', limits))
          : [literal]
      checkAddresses(addresses, portOf(url), dependencies)
      return addresses
    },

    async send(url, addresses, headers, limits) {
      const startedAt = performance.now()
      const socket = await connect(
        { url, port: portOf(url), addresses },
        connector,
        timeout(limits.connectMs, 'timeout_connect', limits),
      )
      const connectedAt = performance.now()
      try {
        const sent = sendRequest(socket, url, headers, limits.headerBytes)
        const pending = await withTimeout(sent, ...timeout(limits.headersMs, 'timeout_headers', limits))
        const timing = { connect: connectedAt - startedAt, headers: performance.now() - connectedAt }
        return { ...pending, timing }
      } catch (failure) {
        socket.destroy()
        throw failure
      }
    },
  }
}

function checkAddresses(addresses: readonly string[], port: number, dependencies: HopDependencies): void {
  const { policy, ownAddresses, ownPorts } = dependencies
  for (const address of addresses) {
    if (!policy.allows(address)) throw new FetchFailure('blocked_address')
    const isAllowed = policy.isAllowlisted(address) && !ownPorts.includes(port)
    if (ownAddresses.includes(address) && !isAllowed) throw new FetchFailure('self_request')
  }
}
