import type { Granted } from '../access/authorization.ts'
import { canonicalAddressPath } from '../access/path-address.ts'
import { createRequestIds } from '../lib/request-ids.ts'
import { CallWaiter } from '../lib/waiter.ts'
import { basePathOf, withoutBasePath } from './base-path.ts'
import { checkPath } from './check-path.ts'
import { createPeerReader, type Peer, type SocketAddress, withoutPort } from './client-address.ts'
import { checkArea } from './guarded-areas.ts'
import { createHostCheck, type HostRules } from './hosts.ts'
import type { ParsedRequest } from './parsed-request.ts'
import type { LogFields, RequestContext } from './request-context.ts'
import { type RequestHead, readHead } from './request-head.ts'
import { checkSizes } from './request-sizes.ts'
import { splitTarget, type Target } from './target.ts'

export interface ContextReaderDeps extends HostRules {
  /** Translates a compatibility URL into one of ours; undefined for every other URL. */
  readonly rewrite?: (target: Target) => Target | undefined
  /** Whether a path has the text of a picture in it, which may hold an encoded slash. */
  readonly holdsText?: (path: string) => boolean
  /** Areas that only a target in them leads to. Called after all routes are made. */
  readonly guardedAreas?: () => ReadonlySet<string>
  /** Returns what the same URL was parsed to before, if that is remembered. */
  readonly recall?: (url: string) => ParsedRequest | undefined
  readonly trustedProxies: readonly string[]
  /** Whether the handler of a POST to this path reads the body itself, after it has decided who may send one. */
  readonly handlerReadsBody?: (path: string) => boolean
}

/** Returns a reader of what every request has: client address, target, host and id. It checks host, sizes and path. */
export function createContextReader(deps: ContextReaderDeps) {
  const baseUrlOf = createHostCheck(deps)
  const peerOf = createPeerReader(deps.trustedProxies)
  const nextId = createRequestIds()
  const basePath = basePathOf(deps.baseUrl ?? '')

  let areas: ReadonlySet<string> | undefined
  function checkTarget(path: string, targetArea: string | undefined): void {
    checkPath(path, deps.holdsText?.(path) === true)
    if (targetArea === undefined) return
    areas ??= deps.guardedAreas?.() ?? new Set()
    checkArea(areas, path, targetArea)
  }

  /** A proxy that says that it removed the path has removed all of it. */
  function sentTarget({ url, headers }: Request): Target {
    const target = splitTarget(url)
    const isWhole = basePath === '' || headers.get('x-forwarded-prefix') === basePath
    return isWhole ? target : withoutBasePath(target, basePath)
  }

  /** The query of a signed address is dropped: its signature holds all of it. */
  function meantTarget(sent: Target, address: string | undefined): Target {
    return address === undefined ? (deps.rewrite?.(sent) ?? sent) : { path: address, rawQuery: '' }
  }

  /** @param targetArea the area of the target as it was sent; undefined if the runtime hands out that target as the URL */
  return (request: Request, socketAddress: SocketAddress, targetArea?: string): RequestContext => {
    const startMs = performance.now()
    const { url, method } = request
    const recalled = deps.recall?.(url)
    const sent = recalled ?? sentTarget(request)
    const address = recalled === undefined ? canonicalAddressPath(sent.path) : undefined
    const { path, rawQuery } = recalled ?? meantTarget(sent, address)
    const context = new ArrivedRequest(request, nextId(), startMs, peerOf(request, socketAddress))
    context.method = method
    context.path = path
    context.rawQuery = rawQuery
    context.recalled = recalled
    context.socketAddress = socketAddress
    context.handlerReadsBody = method === 'POST' && deps.handlerReadsBody?.(path) === true
    try {
      context.baseUrl = deps.baseUrl ?? ''
      context.baseUrl = baseUrlOf(context.head.host, context.peer.isSecure)
      checkSizes(context.head, context.handlerReadsBody)
      // A URL that is recalled was checked when it came for the first time, and an address is checked part by part.
      if (recalled === undefined && address === undefined) checkTarget(sent.path, targetArea)
    } catch (error) {
      context.fault = error
    }
    return context
  }
}

/** A class, because an object with a getter of its own costs a function for each request. */
class ArrivedRequest implements RequestContext {
  readonly request: Request
  readonly id: string
  readonly startMs: number
  readonly peer: Peer
  readonly head: RequestHead
  readonly logFields: LogFields = {}
  method = ''
  path = ''
  rawQuery = ''
  recalled: ParsedRequest | undefined = undefined
  baseUrl = ''
  socketAddress: SocketAddress = () => ''
  handlerReadsBody = false
  grant: Granted | undefined = undefined
  fault: unknown = undefined
  isUnmadeForHead = false
  isFinished = false
  #waiter: CallWaiter | undefined

  constructor(request: Request, id: string, startMs: number, peer: Peer) {
    this.request = request
    this.id = id
    this.startMs = startMs
    this.peer = peer
    this.head = readHead(request)
  }

  get waiter(): CallWaiter {
    this.#waiter ??= new CallWaiter(() => this.request.signal)
    return this.#waiter
  }

  get clientAddress(): string {
    return withoutPort(this.peer.address ?? this.socketAddress(this.request))
  }
}
