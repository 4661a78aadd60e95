import { createRequestIds } from '../lib/request-ids.ts'
import { createPeerReader, withoutPort } from './client-address.ts'
import { createHostCheck, type HostRules } from './hosts.ts'
import type { ParsedRequest } from './parsed-request.ts'
import type { RequestContext } from './request-context.ts'
import { readHead } from './request-head.ts'
import { checkSizes } from './request-sizes.ts'
import { splitTarget, type Target } from './target.ts'

export interface ContextReaderDeps extends HostRules {
  /** Translates a compatibility URL into one of ours; undefined for every other URL. */
  readonly rewrite?: (target: Target) => Target | undefined
  /** Returns what the same URL was parsed to before, if that is remembered. */
  readonly recall?: (url: string) => ParsedRequest | undefined
  readonly trustedProxies: readonly string[]
  /** Whether the handler of a POST to this path reads the body itself, after it has decided who may send one. */
  readonly handlerReadsBody?: (path: string) => boolean
}

interface ReadContext {
  readonly context: RequestContext
  /** What is wrong with the request. It is thrown later, where errors become responses, which need the context. */
  readonly fault: unknown
}

/** Returns a reader of what every request has: client address, target, host and id. It checks host and sizes. */
export function createContextReader(deps: ContextReaderDeps) {
  const baseUrlOf = createHostCheck(deps)
  const peerOf = createPeerReader(deps.trustedProxies)
  const nextId = createRequestIds()

  function targetOfUrl(url: string): Target {
    const target = splitTarget(url)
    return deps.rewrite?.(target) ?? target
  }

  return (request: Request, socketAddress: () => string): ReadContext => {
    const startMs = performance.now()
    const { address, isSecure } = peerOf(socketAddress, request)
    const { url, method } = request
    const recalled = deps.recall?.(url)
    const { path, rawQuery } = recalled ?? targetOfUrl(url)
    const handlerReadsBody = method === 'POST' && deps.handlerReadsBody?.(path) === true
    const head = readHead(request)
    let baseUrl = deps.baseUrl ?? ''
    let fault: unknown
    try {
      baseUrl = baseUrlOf(head.host, isSecure)
      checkSizes(head, handlerReadsBody)
    } catch (error) {
      fault = error
    }
    const context: RequestContext = {
      request,
      head,
      id: nextId(),
      startMs,
      method,
      path,
      rawQuery,
      recalled,
      baseUrl,
      logFields: {},
      handlerReadsBody,
      isFinished: false,
      get clientAddress() {
        return withoutPort(address())
      },
    }
    return { context, fault }
  }
}
