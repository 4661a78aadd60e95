import { randomBytes } from 'node:crypto'
import type { Granted } from '../access/authorization.ts'
import { canonicalAddressPath, loggedPath } from '../access/path-address.ts'
import { inTurn } from '../lib/cooperative-scheduler.ts'
import { inHundredths } from '../lib/human-format.ts'
import type { Log } from '../lib/log.ts'
import { traceOf } from '../lib/system-reason.ts'
import { CallWaiter } from '../lib/waiter.ts'
import { basePathOf, checkArea, createSpellingCheck, isBelowPath, withoutBasePath } from './base-path.ts'
import { createErrorResponder, type ErrorResponderDeps } from './error-responder.ts'
import {
  checkFields,
  checkPath,
  checkSizes,
  createHostCheck,
  createPeerReader,
  type HostRules,
  type Peer,
  readBody,
  type SocketAddress,
  withoutPort,
} from './request-checks.ts'
import {
  attachContext,
  type LogFields,
  type ParsedRequest,
  type RequestContext,
  type RequestHead,
  readHead,
  splitTarget,
  type Target,
  targetOf,
} from './request-context.ts'
import { finish, headResponse, redirectTo } from './responses.ts'

export interface RequestPipelineDeps extends HostRules, ErrorResponderDeps {
  /** Translates a compatibility URL into one of ours; undefined for every other URL. */
  readonly rewrite?: (target: Target) => Target | undefined
  /** Tells whether a path has the text of a picture in it, which may hold an encoded slash. */
  readonly holdsText?: (path: string) => boolean
  /** Areas that only a target in them leads to. Called after all routes are made. */
  readonly guardedAreas?: () => ReadonlySet<string>
  readonly recall?: (url: string) => ParsedRequest | undefined
  readonly trustedProxies: readonly string[]
  readonly handlerReadsBody?: (path: string) => boolean
  /** The front cache: answers a repeated request without the router, and returns undefined for every other. */
  readonly answerRepeated?: (context: RequestContext) => Response | Promise<Response> | undefined
  readonly answerAsset?: (context: RequestContext) => Response | Promise<Response> | undefined
  readonly route: (request: Request) => Response | Promise<Response>
  readonly errorPicture?: (response: Response, context: RequestContext) => Promise<Response>
  /** True while the process is about to end, so that clients send no further request on their connections. */
  readonly isDraining?: () => boolean
  readonly observe?: (context: RequestContext, response: Response, durationMs: number) => void
}

/** Wraps the router in what every request passes first and every response last. `socketAddress` reads the peer's address. */
export function createRequestPipeline(deps: RequestPipelineDeps) {
  const readContext = createContextReader(deps)
  const errorResponse = createErrorResponder(deps)
  const logRequest = createRequestLines(deps.log)
  const basePath = basePathOf(deps.baseUrl ?? '')
  const checkSpelling = createSpellingCheck(deps.baseUrl, deps.guardedAreas)

  /** Logs and counts the response. Its faults must not change the response, which may be paid for. */
  function record(context: RequestContext, response: Response): void {
    const durationMs = performance.now() - context.startMs
    try {
      logRequest(context, response.status, durationMs)
      deps.observe?.(context, response, durationMs)
    } catch (error) {
      deps.log.error('request was not counted', { id: context.id, error: traceOf(error) })
    }
  }

  async function routeInTurn(context: RequestContext): Promise<Response> {
    await checkSpelling(context)
    const { request, method, head, handlerReadsBody } = context
    // The body is read completely, so that the limit of size holds for every handler but those that read it themselves.
    const isUnread = method === 'GET' || method === 'HEAD' || handlerReadsBody === true
    const body = isUnread ? undefined : await readBody(request, head)
    return inTurn(() => deps.answerAsset?.(context) ?? deps.route(routedRequest(context, body)))
  }

  function picturedError(response: Response, context: RequestContext): Response | Promise<Response> {
    const { errorPicture } = deps
    if (response.status < 400 || errorPicture === undefined) return response
    return inTurn(() => errorPicture(response, context))
  }

  async function complete(
    context: RequestContext,
    pending: Response | Promise<Response> | undefined,
    fault: unknown,
  ): Promise<Response> {
    let response: Response
    try {
      if (fault !== undefined) throw fault
      // The base path alone; without one no path is equal to it.
      if (context.path === basePath && !isBelowPath(context, basePath))
        response = redirectTo({ path: '/', rawQuery: context.rawQuery })
      else response = await (pending ?? routeInTurn(context))
    } catch (error) {
      response = await inTurn(() => errorResponse(error, context))
    }
    response = await picturedError(response, context)
    if (!context.isFinished) response = await finish(context, response, basePath)
    send(context, response)
    return context.method === 'HEAD' ? headResponse(response) : response
  }

  function send(context: RequestContext, response: Response): Response {
    if (deps.isDraining?.() === true) response.headers.set('connection', 'close')
    record(context, response)
    return response
  }

  return (request: Request, socketAddress: SocketAddress, targetArea?: string) => {
    const context = readContext(request, socketAddress, targetArea)
    if (context.fault !== undefined) return complete(context, undefined, context.fault)
    let pending: Response | Promise<Response> | undefined
    try {
      pending = deps.answerRepeated?.(context)
    } catch (error) {
      return complete(context, undefined, error)
    }
    if (!context.isFinished || !(pending instanceof Response) || pending.status >= 400)
      return complete(context, pending, undefined)
    return send(context, pending)
  }
}

function createContextReader(deps: RequestPipelineDeps) {
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

  /** @param targetArea the area of the target as it was sent; undefined if the runtime hands out that target as the URL */
  return (request: Request, socketAddress: SocketAddress, targetArea?: string): RequestContext => {
    const startMs = performance.now()
    const { url, method } = request
    const recalled = deps.recall?.(url)
    const sent = recalled ?? sentTarget(request)
    const address = recalled === undefined ? canonicalAddressPath(sent.path) : undefined
    // The query of a signed address is dropped: its signature holds all of it.
    const meant = address === undefined ? deps.rewrite?.(sent) : { path: address, rawQuery: '' }
    const { path, rawQuery } = recalled ?? meant ?? sent
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

/**
 * Making a request is most of what routing costs, so a GET that the router reads as we do stays. Any other has a fixed
 * host: the router searches for the path from the twelfth character. Throws for a form of too many fields.
 */
function routedRequest(context: RequestContext, body: Uint8Array<ArrayBuffer> | null = null): Request {
  const { request, method } = context
  // The router finds the path of the context in the URL that arrived, unless that is a compatibility URL.
  if (method === 'GET' && request.url.slice(request.url.indexOf('/', 11)) === targetOf(context)) {
    attachContext(request, context)
    return request
  }
  const url = `http://mintmark${targetOf(context)}`
  const { headers } = request
  if (body !== null) checkFields(body, headers.get('content-type'))
  const routed = new Request(url, { method: routedMethods.get(method) ?? method, headers, body })
  attachContext(routed, context)
  return routed
}

/** HEAD is routed as GET. The Fetch standard refuses three methods: OPTIONS leads to the fallback, which reads the true one. */
const routedMethods = new Map([
  ['HEAD', 'GET'],
  ...['CONNECT', 'TRACE', 'TRACK'].map((method) => [method, 'OPTIONS'] as const),
])

/** Returns a source of ids that are unique over processes and restarts: a random start and a counter. */
export function createRequestIds(): () => string {
  const start = randomBytes(6).toString('hex')
  let count = 0
  return () => {
    count += 1
    return `${start}-${count.toString(36)}`
  }
}

type LoggedRequest = Pick<RequestContext, 'id' | 'method' | 'path' | 'logFields' | 'clientAddress'>

/** Query and payload have a signature, so they are left out. Equal parts are built once: an object a line takes 5 % of a 304. */
function createRequestLines(log: Pick<Log, 'line'>) {
  let last: LineParts | undefined

  return (request: LoggedRequest, status: number, durationMs: number): void => {
    const { id, logFields } = request
    if (last === undefined || !isSameLine(last, request, status)) last = lineParts(request, status)
    const { middle, end } = last
    if (status < 400) {
      log.line('info', lineStart, id, middle, inHundredths(durationMs), end)
      return
    }
    const why = member('refused', logFields.refused) + member('client', request.clientAddress)
    log.line('info', lineStart, id, middle, inHundredths(durationMs), end, why)
  }
}

const lineStart = '"message":"request","id":"'

type LineParts = ReturnType<typeof lineParts>

function isSameLine(one: LineParts, { path, method, logFields }: LoggedRequest, status: number) {
  return (
    one.path === path &&
    one.status === status &&
    one.cache === logFields.cache &&
    one.auth === logFields.auth &&
    one.asset === logFields.asset &&
    one.method === method
  )
}

/** The words are joined, since strings that are put together by `+` would be put together again in each line. */
function lineParts({ method, path, logFields: { asset, auth, cache } }: LoggedRequest, status: number) {
  const shown = JSON.stringify(loggedPath(path))
  const middle = ['","method":"', method, '","path":', shown, ',"status":', status, ',"ms":'].join('')
  const end = [member('asset', asset), member('auth', auth), member('cache', cache)].join('')
  return { method, path, status, asset, auth, cache, middle, end }
}

/** The values are identifiers of ours and IP addresses, which need no escaping. */
function member(name: string, word: string | undefined): string {
  return word === undefined ? '' : `,"${name}":"${word}"`
}
