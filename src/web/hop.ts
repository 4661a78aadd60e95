import { Resolver } from 'node:dns/promises'
import http from 'node:http'
import type net from 'node:net'
import { networkInterfaces } from 'node:os'
import { LRUCache } from 'lru-cache'
import { awakeNowMs } from '../lib/clock.ts'
import { errorCode } from '../lib/system-reason.ts'
import {
  type ConnectorOptions,
  connectFailure,
  createConnector,
  type HopLimits,
  withTimeout,
} from './connect.ts'
import { type FailureReason, FetchFailure } from './fetch-failure.ts'
import defaultLimits from './fetch-limits.json' with { type: 'json' }
import {
  addressLiteral,
  canonicalAddress,
  checkName,
  createAddressPolicy,
  type HostRules,
  isLocalhost,
  localhostAddresses,
  portOf,
} from './url-rules.ts'

export interface HopOptions extends ResolverOptions, ConnectorOptions, HostRules {
  /** Address ranges beyond the public internet that may be fetched from. */
  readonly allowCidrs?: readonly string[]
  readonly ownPorts?: readonly number[]
}

/** One request to one URL, in three steps. The target of the fetch is not contacted before the last one. */
export function createHop({ allowCidrs, ownPorts = [], ...options }: HopOptions) {
  const policy = createAddressPolicy(allowCidrs)
  const isOwnAddress = createOwnAddressCheck()
  const resolve = createResolver(options)
  const connect = createConnector(options)

  function checkAddress(address: string, port: number): void {
    if (!policy.allows(address)) throw new FetchFailure('blocked_address')
    const isAllowed = policy.isAllowlisted(address) && !ownPorts.includes(port)
    if (isOwnAddress(address) && !isAllowed) throw new FetchFailure('self_request')
  }

  return {
    checkName: (url: URL): void => checkName(url, options),

    /** Returns every address of the host, each of them checked. Rejects with FetchFailure. */
    async resolve(url: URL, limits: HopLimits): Promise<readonly string[]> {
      const literal = addressLiteral(url)
      let addresses: readonly string[]
      if (literal !== undefined) addresses = [literal]
      else if (isLocalhost(url.hostname)) addresses = localhostAddresses(allowCidrs)
      else addresses = await withTimeout(resolve(url.hostname), limits.dnsMs, 'timeout_dns', limits)
      if (addresses.length === 0) throw new FetchFailure('blocked_address')
      for (const address of addresses) checkAddress(address, portOf(url))
      return addresses
    },

    /** Sends the request to one of these addresses, a POST where there is a body, and waits for the headers. */
    async send(request: HopRequest, addresses: readonly string[], limits: HopLimits) {
      const startedAt = performance.now()
      const socket = await connect(request.url, addresses, limits)
      const connectedAt = performance.now()
      try {
        const sent = sendRequest(socket, request, limits.headerBytes)
        const pending = await withTimeout(sent, limits.headersMs, 'timeout_headers', limits)
        const timing = { connect: connectedAt - startedAt, headers: performance.now() - connectedAt }
        return { ...pending, timing }
      } catch (failure) {
        socket.destroy()
        throw failure
      }
    },
  }
}

export type WebPoster = ReturnType<typeof createWebPoster>

/** Posts to the operator's URL: name and port are taken as they are, addresses are checked, no redirect is followed. */
export function createWebPoster({ userAgent, ...options }: HopOptions & { readonly userAgent: string }) {
  const hop = createHop(options)
  return {
    /** Resolves with the status of the answer, whose body is not read. Rejects with FetchFailure. */
    async post(url: URL, body: string, headers: Readonly<Record<string, string>>): Promise<number> {
      const limits = { ...defaultLimits, deadlineAt: awakeNowMs() + postMs, wireBytes: 0 }
      hop.checkName(url)
      const addresses = await hop.resolve(url, limits)
      const own = { 'User-Agent': userAgent, 'Content-Length': String(Buffer.byteLength(body)) }
      const request = { url, headers: { ...own, ...headers }, body }
      const { response, socket } = await hop.send(request, addresses, limits)
      socket.destroy()
      return response.statusCode ?? 0
    },
  }
}

const postMs = 8_000

function createOwnAddressCheck(): (address: string) => boolean {
  const loopback = createAddressPolicy(['127.0.0.0/8', '::1/128'])
  let addresses = new Set<string | undefined>()
  let readAt = Number.NEGATIVE_INFINITY
  return (address) => {
    if (performance.now() - readAt > refreshMs) {
      readAt = performance.now()
      const interfaces = Object.values(networkInterfaces()).flatMap((list) => list ?? [])
      addresses = new Set(interfaces.flatMap((each) => canonicalAddress(each.address) ?? []))
    }
    return loopback.isAllowlisted(address) || addresses.has(canonicalAddress(address))
  }
}

const refreshMs = 60_000

interface HopRequest {
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

export interface PendingResponse {
  readonly socket: net.Socket
  readonly response: http.IncomingMessage
  /** Resolves if the transfer ends before the body is complete. */
  readonly broken: Promise<FailureReason>
}

function sendRequest(socket: net.Socket, { url, headers, body }: HopRequest, headerBytesMax: number) {
  return new Promise<PendingResponse>((resolve, reject) => {
    function fail(reason: FailureReason) {
      socket.destroy()
      reject(new FetchFailure(reason))
    }
    // No `agent` key: even `agent: false` would make the client open a connection of its own.
    const request = http.request({
      method: body === undefined ? 'GET' : 'POST',
      path: url.pathname + url.search,
      headers: { Host: url.host, Connection: 'close', ...headers },
      maxHeaderSize: headerBytesMax,
      createConnection: () => socket,
    })
    let interimResponses = 0
    request.on('information', () => {
      interimResponses += 1
      if (interimResponses > interimResponsesMax) fail('protocol_error')
    })
    request.on('upgrade', () => fail('protocol_error'))
    request.on('error', (error) => fail(transferFailure(error)))
    request.on('close', () => fail('connection_reset'))
    request.on('response', (response) => {
      request.removeAllListeners('close')
      request.removeAllListeners('error')
      resolve({ socket, response, broken: transferEnd(request, response) })
    })
    request.end(body)
  })
}

function transferEnd(request: http.ClientRequest, response: http.IncomingMessage): Promise<FailureReason> {
  return new Promise((resolve) => {
    request.on('error', (error) => resolve(transferFailure(error)))
    response.on('error', (error) => resolve(transferFailure(error)))
    // The HTTP parser emits `aborted` before the error that tells why.
    response.on('aborted', () => setImmediate(() => resolve('connection_reset')))
  })
}

function transferFailure(error: unknown): FailureReason {
  const code = errorCode(error)
  if (code === 'HPE_HEADER_OVERFLOW') return 'headers_too_large'
  return code.startsWith('HPE_') ? 'protocol_error' : connectFailure(error)
}

const interimResponsesMax = 8

/** One DNS query. Tests replace it. `ttl` is in seconds. */
type Lookup = (
  host: string,
  family: 4 | 6,
) => Promise<readonly { readonly address: string; readonly ttl: number }[]>

interface ResolverOptions {
  /** `host:port` of DNS servers; those of the system if empty. */
  readonly dnsServers?: readonly string[]
  readonly lookup?: Lookup
}

/**
 * Returns every address of a host name. Keeps answers for the time that DNS allows, and sends one query for equal questions
 * at the same time. Rejects with FetchFailure `dns_not_found`, `dns_error` or `timeout_dns`.
 */
export function createResolver({ dnsServers = [], lookup = systemLookup(dnsServers) }: ResolverOptions = {}) {
  const answers = new LRUCache<string, readonly string[]>({
    max: 2_000,
    async fetchMethod(host, _, { options }) {
      const results = await Promise.allSettled([lookup(host, 6), lookup(host, 4)])
      const records = results.flatMap((result) => (result.status === 'fulfilled' ? result.value : []))
      if (records.length === 0) throw resolutionFailure(results)
      const ttlSeconds = Math.min(ttlMaxSeconds, ...records.map((record) => record.ttl))
      options.ttl = Math.max(ttlMinSeconds, ttlSeconds) * 1000
      return [...new Set(records.map((record) => record.address))]
    },
  })
  return async (host: string) => (await answers.fetch(host)) ?? []
}

/** So that a name does not change its addresses within one fetch. */
const ttlMinSeconds = 5
const ttlMaxSeconds = 60

function systemLookup(servers: readonly string[]): Lookup {
  const resolver = new Resolver({ timeout: 1_500, tries: 2 })
  if (servers.length > 0) resolver.setServers(servers)
  return (host, family) =>
    family === 4 ? resolver.resolve4(host, { ttl: true }) : resolver.resolve6(host, { ttl: true })
}

function resolutionFailure(results: readonly PromiseSettledResult<unknown>[]): FetchFailure {
  const codes = results.map((result) => (result.status === 'rejected' ? errorCode(result.reason) : 'ENODATA'))
  if (codes.every((code) => code === 'ENOTFOUND' || code === 'ENODATA'))
    return new FetchFailure('dns_not_found')
  return new FetchFailure(codes.includes('ETIMEOUT') ? 'timeout_dns' : 'dns_error')
}
