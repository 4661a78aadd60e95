import { randomBytes } from 'node:crypto'
import { createPeerReader } from './client-address.ts'
import { createHostCheck, type HostRules } from './hosts.ts'
import type { RequestContext } from './request-context.ts'
import { readHead } from './request-head.ts'
import { checkSizes } from './request-sizes.ts'
import { splitTarget, type Target } from './target.ts'

export interface ContextReaderDeps extends HostRules {
  /** Translates a compatibility URL into one of ours; undefined for every other URL. */
  readonly rewrite?: (target: Target) => Target | undefined
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

  return (request: Request, socketAddress: () => string): ReadContext => {
    const startMs = performance.now()
    const { address, isSecure } = peerOf(socketAddress, request)
    const target = splitTarget(request.url)
    const { path, rawQuery } = deps.rewrite?.(target) ?? target
    const handlerReadsBody = request.method === 'POST' && deps.handlerReadsBody?.(path) === true
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
      method: request.method,
      path,
      rawQuery,
      baseUrl,
      logFields: {},
      handlerReadsBody,
      isFinished: false,
      get clientAddress() {
        return address()
      },
    }
    return { context, fault }
  }
}

/** Returns a source of ids that are unique over processes and restarts: a random prefix and a counter. */
function createRequestIds(): () => string {
  const start = randomBytes(6).toString('hex')
  let count = 0
  return () => `${start}-${(++count).toString(36)}`
}
